"""Plots of the scores."""
