"""Match cost of a command: words first, then letters in order."""

from collections.abc import Sequence
from typing import Final

from awase.core.text.script import folded

_AT_START: Final = 0
_AT_WORD: Final = 1
_INSIDE: Final = 2
_SCATTERED: Final = 4


def misfit(query: str, names: Sequence[str]) -> int | None:
    """Returns the match cost of the best of `names`, 0 = perfect; None = no match.

    Every word must match the same name: at its beginning, at that of one of its words, inside, or
    else with its letters in order, so that `nxtab` matches “Next abstract”.
    """
    words = folded(query).split()
    found = [misfit for name in names if (misfit := _misfit_of(words, folded(name))) is not None]
    return min(found, default=None)


def _misfit_of(words: Sequence[str], name: str) -> int | None:
    total = 0
    for word in words:
        found = _misfit_of_word(word, name)
        if found is None:
            return None
        total += found
    return total


def _misfit_of_word(word: str, name: str) -> int | None:
    if name.startswith(word):
        return _AT_START
    if f" {word}" in name:
        return _AT_WORD
    if word in name:
        return _INSIDE
    letters = iter(name)
    # Letters strewn over a long title fit anything; one or two of them say nothing.
    is_scattered = len(word) > 2 and all(letter in letters for letter in word)
    return _SCATTERED if is_scattered else None
