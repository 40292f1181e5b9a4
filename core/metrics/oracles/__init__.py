"""Extractive oracles of a corpus: what is asked, and how they are found."""
