"""Widgets that shrink with large letters or little room."""
