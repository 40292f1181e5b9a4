"""Minimal covers: h, with its proof, however hard the problem."""
