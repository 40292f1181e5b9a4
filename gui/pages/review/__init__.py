"""The Review page: agreement and adjudication."""
