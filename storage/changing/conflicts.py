"""The one refusal that keeps two people from overwriting each other."""

from awase.core.errors import InputError


class StaleEdit(InputError):
    """What an edit wants to change is no longer what it was made for."""


def stale_corpus() -> StaleEdit:
    """Returns that the corpus is not what it was when something was asked for."""
    return StaleEdit.of(
        "The corpus has been changed in the meantime.",
        "Look at it again, then repeat the action.",
    )
