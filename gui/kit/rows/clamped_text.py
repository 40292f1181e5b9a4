"""Eliding of long texts around relevant words."""

from collections.abc import Callable, Sequence

from awase.gui.kit.texts.direction import mark_for_part

Span = tuple[int, int]
_BEFORE = 12  # characters shown before the first word that matters, where there is room


def clamped(
    text: str, spans: Sequence[Span], capacity: int, fits: Callable[[str], bool]
) -> tuple[str, tuple[Span, ...]]:
    """Returns the part of `text` with most of `spans`, and their offsets in it."""
    if fits(text):
        return text, tuple(spans)
    size = max(1, min(capacity, len(text)))
    while True:
        start = _start(text, spans, size)
        end = min(len(text), start + size)
        part = text[start:end].strip()
        before = mark_for_part(part, text) + ("…" if start else "")
        cut = before + part + ("…" if end < len(text) else "")
        if fits(cut) or size <= 1:
            return cut, _moved(text, spans, start, end, len(before))
        size = max(1, size - max(1, size // 12))


def _start(text: str, spans: Sequence[Span], size: int) -> int:
    """Returns the start of the window of `size` with most spans, the earliest of equal ones."""

    def held(start: int) -> int:
        return sum(start <= a and b <= start + size for a, b in spans)

    starts = [0, *(max(0, a - _BEFORE) for a, _ in spans)]
    start = max(starts, key=lambda one: (held(one), -one))
    start = min(start, max(0, len(text) - size))
    blank = text.find(" ", start, start + _BEFORE)
    return blank + 1 if start and blank >= 0 else start


def _moved(
    text: str, spans: Sequence[Span], start: int, end: int, n_before: int
) -> tuple[Span, ...]:
    stripped = len(text[start:end]) - len(text[start:end].lstrip())
    by = n_before - start - stripped
    last = len(text[start:end].rstrip()) + start
    return tuple((a + by, min(b, last) + by) for a, b in spans if start + stripped <= a < last)
