"""Restoring of backups."""
