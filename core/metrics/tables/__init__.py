"""What is made of score tables: intervals, tests, correlations with people."""
