"""The Grade page: compose an extract by hand, with live grades."""
