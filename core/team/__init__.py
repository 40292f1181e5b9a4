"""Teamwork: assignments, progress, hand-out and merging of copies."""
