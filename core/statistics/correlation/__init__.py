"""Metrics against people: coefficients, levels, intervals, tests."""
