"""The tab Adjudicate: disagreements are decided by keys."""
