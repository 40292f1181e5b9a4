"""The choice of metrics and their options, which several pages offer."""
