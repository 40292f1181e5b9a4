"""The table of scores: how it is arranged, worded, shown and copied."""
