"""Handing work out, and taking it back."""
