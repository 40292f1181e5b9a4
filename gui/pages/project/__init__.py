"""The Project page: topics, people, who does what, and how far everybody is."""
