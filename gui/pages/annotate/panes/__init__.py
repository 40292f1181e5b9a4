"""The panes of the page and the lines around them."""
