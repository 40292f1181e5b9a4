"""Table of scores: arrangement, texts, view, copying."""
