"""Records as JSON values, and digests of them."""
