"""BE: basic elements shared with references."""
