"""Which source sentences an abstract sentence may have been made from."""
