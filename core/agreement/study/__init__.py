"""A whole agreement study: what is asked, what is computed, what was found."""
