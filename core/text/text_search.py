"""Plain substring search in words as people type them: width and case of letters do not matter."""

from collections.abc import Iterable
from unicodedata import normalize

from awase.core.text.script import clusters, without_selectors

Span = tuple[int, int]

_ALIKE = {0x301C: "~", 0x2212: "-"}
"""Wave dash and minus, which keyboards and conversions exchange for ～ and －."""


def folded(text: str) -> str:
    """Returns `text` as it is compared: NFKC, without case and variation selectors."""
    if text.isascii():
        return text.lower()
    return normalize("NFKC", without_selectors(text)).casefold().translate(_ALIKE)


def spans_of(text: str, needle: str) -> tuple[Span, ...]:
    """Returns where `text` has `needle`, as (start, end) that do not overlap.

    Args:
        needle: What `folded` made of the words looked for; an empty one is nowhere.
    """
    if not needle:
        return ()
    if text.isascii():
        return tuple((at, at + len(needle)) for at in _places(text.lower(), needle))
    pieces, starts, ends = [], [], []
    for start, end in clusters(text):
        piece = folded(text[start:end])
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    places = _places("".join(pieces), needle)
    return tuple((starts[at], ends[at + len(needle) - 1]) for at in places)


def _places(text: str, needle: str) -> list[int]:
    places = []
    at = text.find(needle)
    while at >= 0:
        places.append(at)
        at = text.find(needle, at + len(needle))
    return places


def joined_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Returns what any of the spans covers, in order, as (start, end) that do not touch.

    >>> joined_spans([(4, 6), (0, 2), (2, 3)])
    ((0, 3), (4, 6))
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
