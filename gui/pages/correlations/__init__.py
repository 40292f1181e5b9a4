"""The Correlations page: metrics against human scores."""
