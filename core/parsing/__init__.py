"""Dependency parses: reading, writing and making them, and basic elements out of them."""
