"""Formats of human scores and other programs' scores."""
