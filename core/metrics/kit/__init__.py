"""Base of metric families: options, cases, supplies, rows, means, warnings."""
