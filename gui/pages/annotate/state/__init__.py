"""State of the Annotate page: position, links, derived results, actions."""
