"""Corpora on a PostgreSQL server; the path of a file goes without this room."""
