"""Resources of metrics: parses, vectors, models, and files named by the user."""
