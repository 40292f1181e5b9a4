"""Measurements side by side with a named peer; run by `make bench`, never by pytest."""
