"""Parsing of a stored corpus, import of parses, download of models."""
