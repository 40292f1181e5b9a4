"""Data only, read through importlib.resources."""
