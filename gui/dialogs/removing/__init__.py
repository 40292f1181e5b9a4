"""Removing parts of the corpus."""
