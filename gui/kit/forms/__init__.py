"""Forms as values; widgets, names, order and keys follow."""
