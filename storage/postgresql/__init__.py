"""Corpora on a PostgreSQL server; files never import this package."""
