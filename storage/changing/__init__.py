"""Edits and imports within a transaction, and what they changed."""
