"""Work of several annotators: handed out, merged, compared."""
