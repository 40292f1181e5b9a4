"""What decisions do to an abstract: h and coverage, under each annotator and under the gold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from awase.core.agreement.adjudication import Case, cases_in
from awase.core.agreement.study.effects import Worth, worth_of
from awase.core.metrics.kit.rational import mean
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEffects:
    """An abstract under one gold.

    Attributes:
        h: None when nothing can be covered.
        coverage: System to its mean e(i), 0..1, each extract cut at h.
    """

    h: int | None
    coverage: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionEffects:
    """What the decisions of an abstract do so far.

    All sides are about the same sentences: those that all of the case's annotators settled, and on
    which they agree or for which something is filled into the gold.

    Attributes:
        by_annotator: Annotator to the abstract under that annotator's alignment.
        gold: The abstract under the gold, what is filled in and not confirmed included.
        n_sentences: How many sentences they are about.
        n_open: How many the annotators settled and differ about, with nothing filled in.
    """

    by_annotator: Mapping[str, SideEffects]
    gold: SideEffects
    n_sentences: int
    n_open: int


def decision_effects(
    topic: Topic, abstract: Abstract, case: Case, still_wanted: Callable[[], None] = lambda: None
) -> DecisionEffects:
    """Returns what the decisions about the case's abstract do.

    Args:
        topic: The topic, with the extracts.
        abstract: The case's, as it is stored now.
        case: Whose annotators are compared.
        still_wanted: Called now and then; what it raises ends the search for h.
    """
    entries: dict[str, list[SentenceAlignment]] = {who: [] for who in case.entries}
    gold: list[SentenceAlignment] = []
    n_open = 0
    for one in cases_in(topic.id, abstract):
        if not entries.keys() <= one.entries.keys():
            continue
        decided = _gold_entry(one)
        if decided is None:
            n_open += 1
            continue
        gold.append(decided)
        for who, of_person in entries.items():
            of_person.append(one.entries[who])

    def side(found: list[SentenceAlignment]) -> SideEffects:
        alignment = Alignment(annotator="-", sentences=tuple(found))
        return _side(worth_of(topic, abstract, alignment, still_wanted))

    return DecisionEffects(
        by_annotator={who: side(found) for who, found in entries.items()},
        gold=side(gold),
        n_sentences=len(gold),
        n_open=n_open,
    )


def _gold_entry(case: Case) -> SentenceAlignment | None:
    """Returns what counts as the gold now; None where it is open."""
    if case.gold is not None and (case.gold.entry.alternatives or case.gold.entry.state.is_settled):
        return case.gold.entry
    return next(iter(case.entries.values())) if case.is_unanimous else None


def _side(worth: Worth) -> SideEffects:
    coverage = {system: mean([*values.values()]) for system, values in worth.e.items() if values}
    return SideEffects(h=worth.h, coverage=coverage)
