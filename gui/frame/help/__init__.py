"""The help window and what stands in it."""
