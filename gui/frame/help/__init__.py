"""The help window and its contents."""
