"""The Scores page."""
