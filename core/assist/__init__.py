"""Suggestions, their confidence, and what an alternative still lacks."""
