"""Measures of agreement: codings, distances, levels, kinds of difference."""
