"""Word vectors and clusters of them."""
