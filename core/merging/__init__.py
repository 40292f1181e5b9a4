"""Copies of a corpus: hand-out and merge."""
