"""The state of the page: position, links, what follows from them, and every action."""
