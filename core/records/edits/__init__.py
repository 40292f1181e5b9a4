"""Edits, imports, and versions of the entries that they change."""
