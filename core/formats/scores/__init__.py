"""Scores that people gave or other programs computed."""
