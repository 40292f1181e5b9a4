"""The one refusal that keeps two people from overwriting each other."""

from awase.core.errors import InputError


class StaleEdit(InputError):
    """What an edit wants to change is no longer what it was made for."""
