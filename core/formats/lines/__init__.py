"""Formats with a record a line, and plain text."""
