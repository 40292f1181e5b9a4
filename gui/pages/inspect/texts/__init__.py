"""Texts sentence by sentence, with similar sentences."""
