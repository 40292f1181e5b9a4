"""Scores that the corpus keeps."""
