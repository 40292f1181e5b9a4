"""Pruned ROUGE, pruned BE, and ROUGE-WE: units of words that vectors can make alike."""
