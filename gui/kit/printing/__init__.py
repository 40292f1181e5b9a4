"""Printing of pages."""
