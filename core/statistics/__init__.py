"""Statistics of score matrices: correlations, intervals, tests."""
