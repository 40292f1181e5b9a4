"""Tables that are only read, shared by pages."""
