"""Texts as data sets have them: a row or an object an item, columns told by their names."""
