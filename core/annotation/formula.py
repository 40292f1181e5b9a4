"""Alternatives as people write them: s1 ∨ (s10 ∧ s11)."""

from collections.abc import Iterable, Mapping

from awase.core.records.alignment import Alternative
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

OR = " ∨ "
AND = "\u00a0∧\u00a0"  # with no-break spaces: a line ends between alternatives, not within one


def running_numbers(topic: Topic) -> dict[SentenceRef, int]:
    """Numbers the topic's source sentences from 1, for display: ids are stable, these are not."""
    return {ref: number for number, ref in enumerate(topic.refs(), start=1)}


def label_of(ref: SentenceRef, numbers: Mapping[SentenceRef, int]) -> str:
    """Returns the short name of a source sentence: `s10`."""
    return f"s{numbers[ref]}" if ref in numbers else str(ref)


def address_of(ref: SentenceRef, numbers: Mapping[SentenceRef, int]) -> str:
    """Returns a source sentence by its short name and its id: `s27 · 980722003:3`."""
    return f"s{numbers[ref]} · {ref}" if ref in numbers else str(ref)


def set_text(alternative: Alternative, numbers: Mapping[SentenceRef, int]) -> str:
    """Returns one alternative as a set: `{s10, s11}`."""
    return "{" + ", ".join(label_of(ref, numbers) for ref in alternative.members) + "}"


def formula(alternatives: Iterable[Alternative], numbers: Mapping[SentenceRef, int]) -> str:
    """Returns the alternatives as a formula; empty without any."""
    terms = [
        AND.join(label_of(ref, numbers) for ref in alternative.members)
        for alternative in alternatives
    ]
    if len(terms) < 2:
        return "".join(terms)
    return OR.join(f"({term})" if AND in term else term for term in terms)
