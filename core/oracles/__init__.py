"""Units and extractive oracles: the units within a limit that score best against a reference."""
