"""The lines around the panes: header, filters, find, status."""
