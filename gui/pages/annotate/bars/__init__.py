"""Bars around the panes: header, filters, find, status."""
