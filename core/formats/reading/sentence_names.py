"""How line formats name source sentences: `s12` in a running numbering, `<document id>:<n>`.

`s12` is the 12th sentence of the topic in the order of its documents. It is read for every topic,
but written only where it cannot come to mean another sentence: when the topic has one document
whose sentences are numbered from 1 without a gap.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from awase.core.errors import NOTHING, InputError, Listing, Problem
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

_RUNNING = re.compile(r"[sS](?P<number>[0-9]{1,9})")
_ODD_BLANK = re.compile(r"[^\S ]")


class SentenceNames:
    """The names of one topic's source sentences."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._refs = tuple(topic.refs())
        self._ref_by_name = {str(ref): ref for ref in self._refs}
        self._is_running = [ref.n for ref in self._refs] == [*range(1, len(self._refs) + 1)]

    def find(self, name: str) -> SentenceRef | None:
        """Returns the sentence called `name`, None when there is none."""
        ref = self._ref_by_name.get(name)
        running = _RUNNING.fullmatch(name)
        if ref is None and running is not None:
            number = int(running["number"])
            return self._refs[number - 1] if 1 <= number <= len(self._refs) else None
        return ref

    def unknown(self, name: str) -> Problem:
        """Returns the problem that no sentence is called `name`."""
        fields: dict[str, str | int] = {"name": name, "topic": self._topic.id}
        if _RUNNING.fullmatch(name):
            hint = "Its sentences are s1 to s{last}." if self._refs else "It has no sentences."
            fields["last"] = len(self._refs)
        elif name.isdigit():
            hint = "Write it as s{name} (running number) or <document id>:<n>."
        else:
            close = get_close_matches(name, self._ref_by_name, n=1)
            hint = "Did you mean “{close}”?" if close else "Write s<number> or <document id>:<n>."
            fields["close"] = close[0] if close else ""
        return Problem(what="Topic “{topic}” has no sentence “{name}”.", hint=hint, fields=fields)

    def name(self, ref: SentenceRef, separators: str) -> str:
        """Returns what to write for `ref`.

        Raises:
            InputError: The id of the document holds one of `separators`.
        """
        if self._is_running and len(self._topic.documents) == 1:
            return f"s{ref.n}"
        if any(separator in ref.document_id for separator in separators):
            raise InputError.of(
                "The id of document “{id}” has a blank or a comma, "
                "which separates sentences in this format.",
                "Rename the document, or export Awase JSON.",
                id=ref.document_id,
            )
        return str(ref)


def blank_problem(text: str, parts: str) -> Problem | None:
    """Returns what is wrong with the single half-width spaces that separate parts of `text`.

    Args:
        text: A column of the file.
        parts: What the spaces separate, in the plural.
    """
    odd = _ODD_BLANK.search(text)
    if odd is not None:
        name = "full-width space" if odd[0] == "　" else f"blank U+{ord(odd[0]):04X}"
        return _blank(parts, name, what="A {blank} stands between {parts}.")
    if text != text.strip():
        return _blank(parts, "space", what="A {blank} stands before or after the {parts}.")
    if "  " in text:
        return _blank(parts, "space", what="Two {blank}s stand between {parts}.")
    return None


def _blank(parts: str, blank: str, *, what: str) -> Problem:
    return Problem(
        what=what,
        hint="Separate {parts} by one half-width space.",
        fields={"blank": blank, "parts": parts},
    )


def known_ids(ids: Sequence[str]) -> str:
    """Returns ids for a message, the first twenty."""
    return Listing(ids, most=20) or NOTHING
