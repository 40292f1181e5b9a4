"""Banners and the trail above a page."""
