"""Copies of a corpus: what is handed out, and how what comes back is joined."""
