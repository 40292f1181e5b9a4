"""Widgets that give way where letters are large or there is little room."""
