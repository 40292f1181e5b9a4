"""The list of topics, which every page chooses from."""
