"""Editing the corpus itself: abstracts, documents, the texts of sentences."""
