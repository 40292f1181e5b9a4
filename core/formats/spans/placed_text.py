"""Lookup of labelled spans whose offsets may be wrong.

Annotation tools store offsets and words, and real files are inconsistent: line breaks were dropped
from the words, or the text was edited later. So blanks are ignored in comparisons, and the nearest
match wins.
"""

from bisect import bisect_left
from dataclasses import dataclass

from awase.core.errors import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSpan:
    """A stretch of a text."""

    start: int  # offset of its first character, in code points
    end: int  # offset behind its last one
    # What was wrong with the file's offsets; None if correct.
    problem: Problem | None = None


class PlacedText:
    """A text with span lookup."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._offsets = [at for at, letter in enumerate(text) if not letter.isspace()]
        self._letters = "".join(text[at] for at in self._offsets)

    def find(self, label: str, start: str, end: str) -> TextSpan | Problem:
        """Returns the position of `label`, or why it is unknown."""
        first, last = _offset(start), _offset(end)
        wanted = _squeezed(label)
        given = None
        if first is not None and last is not None and first < last <= len(self.text):
            given = TextSpan(start=first, end=last)
            if _squeezed(self.text[first:last]) == wanted:
                return given
        fields = {"label": _short(label), "start": start, "end": end}
        found = self._nearest(wanted, first or 0) if wanted else None
        if found is not None:
            what = "“{label}” is not at {start}–{end}, where the file says, but at {found}."
            hint = "The nearest place with these words was taken."
            return TextSpan(
                start=found[0],
                end=found[1],
                problem=Problem(what=what, hint=hint, fields={**fields, "found": found[0]}),
            )
        if given is not None and _squeezed(self.text[given.start : given.end]):
            what = "The text has no “{label}”; at {start}–{end} it has “{found}”."
            hint = "What stands at that place was taken."
            shown = _short(self.text[given.start : given.end])
            return TextSpan(
                start=given.start,
                end=given.end,
                problem=Problem(what=what, hint=hint, fields={**fields, "found": shown}),
            )
        return Problem(
            what="The text has no “{label}”, and no place {start}–{end} with words.",
            hint="This part is left out.",
            fields=fields,
        )

    def _nearest(self, wanted: str, start: int) -> tuple[int, int] | None:
        target = bisect_left(self._offsets, start)
        before = self._letters.rfind(wanted, 0, target + len(wanted))
        after = self._letters.find(wanted, target + 1)
        places = [at for at in (before, after) if at >= 0]
        if not places:
            return None
        best = min(places, key=lambda at: abs(at - target))
        return self._offsets[best], self._offsets[best + len(wanted) - 1] + 1


def _offset(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"
