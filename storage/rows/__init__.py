"""Tables, and rows to records and back."""
