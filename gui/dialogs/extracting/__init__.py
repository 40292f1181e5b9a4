"""Extractors and oracles as systems of the open corpus."""
