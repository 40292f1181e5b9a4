"""How often laws are tried: tests under hypothesis, each of which names a number of its own.

The default run tries a part of it, `pytest --hypothesis-profile=whole` all of it, as the slow run
does. `tests/conftest.py` makes the two profiles known.
"""

from collections.abc import Callable
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

WHOLE: Final = 100
"""Examples of a law that names no number, in the profile `whole`."""
PART: Final = 6
"""The same in the default run, in the profile `part`."""
LEAST: Final = 4
"""What is not tried more often than this is tried whole in the default run, too."""

CHARACTERS: Final = st.characters(exclude_categories=["Cs"])
"""All of UTF-8; by default texts are drawn of it too, but found in seconds in each new folder."""


def tries(n: int) -> int:
    """Returns how often to try what is tried `n` times in the whole run."""
    return max(min(n, LEAST), n * settings.default.max_examples // WHOLE)


def law(n: int, /, *examples: Any, **named: Any) -> Callable[[Callable[..., None]], Any]:
    """Tries a test with examples of strategies, `n` times in the whole run."""
    return lambda test: settings(max_examples=tries(n))(given(*examples, **named)(test))
