"""Commands about scores: computed, kept, explained, reported, correlated."""
