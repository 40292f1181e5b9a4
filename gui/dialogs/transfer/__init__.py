"""Corpora in and out: new, import, export."""
