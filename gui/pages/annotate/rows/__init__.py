"""The rows of the panes: models, delegates, views."""
