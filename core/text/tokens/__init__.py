"""Tokenisers, stop lists and the stemmer."""
