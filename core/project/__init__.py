"""A corpus as the work of several people: who does what, how far they are, whose each topic is."""
