"""The Correlations page: how far metrics agree with people."""
