"""What changes a corpus: edits, imports, and the versions of what they changed."""
