"""The Grade page: compose an extract by hand and see what it is worth."""
