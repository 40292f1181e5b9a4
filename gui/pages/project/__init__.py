"""The Project page: topics, people, assignments, progress."""
