"""Composing an extract: grades, marginal coverage, the best within a limit."""
