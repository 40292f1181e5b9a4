"""Longest common subsequences, and the paths that ROUGE-1.5.5 walks."""
