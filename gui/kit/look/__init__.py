"""Palettes, style sheet, icons, size of letters."""
