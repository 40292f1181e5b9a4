"""Plots as vector shapes, and their SVG; windows draw the same shapes."""
