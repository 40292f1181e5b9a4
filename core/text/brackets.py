"""Which stretches of a text stand in brackets, without trusting the brackets to be balanced."""

import re
from bisect import bisect_left
from collections.abc import Mapping

LONGEST = 400
"""Characters between two brackets beyond which they are not taken to belong together."""


def bracketed(text: str, pairs: Mapping[str, str]) -> list[tuple[int, int]]:
    """Returns (offset of the opening, offset of the closing bracket) of the outermost pairs.

    A bracket without its partner counts for nothing, so that it cannot swallow what follows.
    """
    openings = set(pairs.values())
    waiting: list[tuple[int, str]] = []
    found: list[tuple[int, int]] = []
    for bracket in re.finditer(f"[{re.escape(''.join((*openings, *pairs)))}]", text):
        offset, char = bracket.start(), bracket[0]
        if char in openings:
            waiting.append((offset, char))
        else:
            depth = _depth_of(waiting, pairs[char], offset - LONGEST)
            if depth is not None:
                found.append((waiting[depth][0], offset))
                del waiting[depth:]
    return _outermost(found)


def _depth_of(waiting: list[tuple[int, str]], opening: str, earliest: int) -> int | None:
    """Returns the index of the nearest `opening` that is not before offset `earliest`."""
    for depth in range(len(waiting) - 1, -1, -1):
        offset, char = waiting[depth]
        if offset < earliest:
            return None
        if char == opening:
            return depth
    return None


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    outer: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not outer or start > outer[-1][1]:
            outer.append((start, end))
    return outer


def span_around(spans: list[tuple[int, int]], offset: int) -> tuple[int, int] | None:
    """Returns the span whose brackets hold `offset`, None when none does.

    Args:
        spans: As `bracketed` returns them: in order and apart.
    """
    index = bisect_left(spans, (offset, 0)) - 1
    if index >= 0 and offset < spans[index][1]:
        return spans[index]
    return None
