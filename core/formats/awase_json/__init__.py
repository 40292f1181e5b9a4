"""Awase JSON: the complete form of a corpus."""
