"""ROUGE-WE, best-match variant."""
