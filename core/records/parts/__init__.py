"""The parts in which two states of a topic or corpus differ."""
