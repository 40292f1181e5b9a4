"""Formats of several files at once: settings of ROUGE-1.5.5, parallel texts."""
