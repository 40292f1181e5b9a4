"""Ranking of candidate source sentences for an abstract sentence."""
