"""Parsing the sentences of the open corpus."""
