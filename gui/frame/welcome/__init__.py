"""The window without an open corpus."""
