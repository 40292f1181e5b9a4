"""Scores stored in the corpus."""
