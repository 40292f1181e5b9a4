"""What can stand above a page: how the corpus is open, the way back, what is to be done first."""
