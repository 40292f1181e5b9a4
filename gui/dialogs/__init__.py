"""The dialogs, one folder each; none knows another."""
