"""Formats of several files: settings of ROUGE-1.5.5, parallel texts."""
