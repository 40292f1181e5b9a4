"""SQLite and PostgreSQL: addresses, access, errors, migrations of tables."""
