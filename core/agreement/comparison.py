"""Two annotators' entries for one abstract sentence, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.agreement.measures.distances import matching
from awase.core.agreement.measures.raters import alignment_of
from awase.core.annotation.monotone_families import Numbering, absorbed_alternatives
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, Alternative
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSource:
    """A source sentence that one of the two linked.

    Attributes:
        ref: Which.
        text: What it says.
        by_first: Whether an alternative of the first has it.
        by_second: Whether one of the second has it.
    """

    ref: SentenceRef
    text: str
    by_first: bool
    by_second: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two annotators said of one abstract sentence.

    Attributes:
        annotators: The two.
        text: The abstract sentence.
        states: Of their entries.
        alternatives: What each says after absorption, matched as the distance matches them; None
            where there is no counterpart. What matches best stands first.
        dropped: How many of each one's alternatives absorption dropped.
        sources: What they linked, in the order of the documents.
        notes: Of each.
    """

    annotators: Pair
    text: str
    states: tuple[AlignmentState, AlignmentState]
    alternatives: tuple[tuple[Alternative | None, Alternative | None], ...]
    dropped: tuple[int, int]
    sources: tuple[ComparedSource, ...]
    notes: tuple[str | None, str | None]


def compare(topic: Topic, abstract: Abstract, n: int, annotators: Pair) -> Comparison | None:
    """Returns both entries of abstract sentence `n`; None when one aligned nothing there."""
    first, second = (alignment_of(abstract, who) for who in annotators)
    text = next((one.text for one in abstract.sentences if one.n == n), None)
    if first is None or second is None or text is None:
        return None
    own, other = first.of_sentence(n), second.of_sentence(n)
    kept, dropped = absorbed_alternatives(own.alternatives)
    others, others_dropped = absorbed_alternatives(other.alternatives)
    by_first = {ref for one in kept for ref in one.members}
    by_second = {ref for one in others for ref in one.members}
    return Comparison(
        annotators=annotators,
        text=text,
        states=(own.state, other.state),
        alternatives=_matched(kept, others),
        dropped=(len(dropped), len(others_dropped)),
        sources=tuple(
            ComparedSource(
                ref=ref, text=one.text, by_first=ref in by_first, by_second=ref in by_second
            )
            for ref, one in topic.sentences()
            if ref in by_first or ref in by_second
        ),
        notes=(own.note, other.note),
    )


def _matched(
    first: Sequence[Alternative], second: Sequence[Alternative]
) -> tuple[tuple[Alternative | None, Alternative | None], ...]:
    numbering = Numbering()
    masks = [numbering.mask(one.members) for one in first]
    others = [numbering.mask(one.members) for one in second]
    pairs = matching(masks, others)[0] if masks and others else ()

    def likeness(pair: tuple[int, int]) -> float:
        one, other = masks[pair[0]], others[pair[1]]
        return (one & other).bit_count() / (one | other).bit_count()

    matched = [(first[i], second[j]) for i, j in sorted(pairs, key=likeness, reverse=True)]
    alone = [first[i] for i in range(len(first)) if i not in {i for i, _ in pairs}]
    others_alone = [second[j] for j in range(len(second)) if j not in {j for _, j in pairs}]
    return (*matched, *((one, None) for one in alone), *((None, one) for one in others_alone))
