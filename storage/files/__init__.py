"""Corpus files: SQLite's driver, locks, backups, what lies beside them."""
