"""The Inspect page: where systems fail, and why."""
