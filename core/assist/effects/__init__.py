"""What help does: sentences shown otherwise, and what came of them."""
