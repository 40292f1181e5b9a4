"""Texts that are scored, and the one way in which that is done."""
