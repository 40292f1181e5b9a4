"""The pages, one folder each; none knows another."""
