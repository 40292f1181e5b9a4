"""Parses and basic elements of sentences, and vectors of words."""
