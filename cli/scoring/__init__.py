"""Commands about scores: scoring, storing, explaining, reports, correlations."""
