"""Corpus files: SQLite's driver, locks, backups, side files."""
