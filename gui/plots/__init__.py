"""Plots in the window: pictures of `core.plots`, drawn in the window's palette."""
