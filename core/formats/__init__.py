"""One reader and writer per file format: text in, records out."""
