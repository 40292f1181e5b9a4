"""Dependency trees of two sentences side by side, and which of their subtrees match."""
