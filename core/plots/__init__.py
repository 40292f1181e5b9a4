"""Plots as pictures made of plain shapes, and their SVG; a window draws the same shapes."""
