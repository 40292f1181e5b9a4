"""Parses of a stored corpus: made by a parser, taken from a file; and parsers' models."""
