"""Command palette with fuzzy search over all commands."""
