"""Commands that make or measure extracts: minimal covers, oracles, extractors."""
