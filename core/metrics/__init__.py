"""One module per family of metrics, and what their values say about how they were made."""
