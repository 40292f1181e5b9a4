"""Painting of rows of wrapped text."""
