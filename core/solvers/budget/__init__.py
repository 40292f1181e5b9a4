"""Budgeted coverage: choose units within a limit so that most is covered."""
