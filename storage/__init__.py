"""The corpus file: rows, records, transactions, migrations."""
