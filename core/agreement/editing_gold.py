"""The gold of a case put together by hand: source sentences in and out, near-duplicates.

What is being put together is not absorbed yet, as a half-made alternative may lie in one that is to
stay; confirming absorbs.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from awase.core.agreement.adjudication import Case, Decided, sources_of, with_alternatives
from awase.core.annotation.actions import with_duplicates, with_toggled
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.identifiers import SentenceRef


def linked(case: Case, alternative_idx: int, ref: SentenceRef) -> Decided:
    """Returns the gold with a source sentence put into an alternative, or taken out.

    Args:
        case: The case.
        alternative_idx: The gold's alternative, from 0; beyond the last = a new one.
        ref: The source sentence.
    """
    entry = with_toggled(_entry(case), alternative_idx, ref)
    return Decided(gold=_edited(case, entry))


def with_near_duplicates(
    case: Case, duplicates_of: Callable[[SentenceRef], Iterable[SentenceRef]]
) -> Decided | None:
    """Returns the gold with the alternatives that near-duplicates of all members make.

    Returns:
        None when there is no further alternative.
    """
    entry = before = _entry(case)
    for idx in range(len(before.alternatives)):
        entry = with_duplicates(entry, idx, duplicates_of)
    if entry == before:
        return None
    return with_alternatives(case, entry.alternatives, GoldOrigin.EDITED)


def _entry(case: Case) -> SentenceAlignment:
    return case.gold.entry if case.gold else SentenceAlignment(n=case.n)


def _edited(case: Case, entry: SentenceAlignment) -> GoldEntry:
    sources = sources_of(case, entry.alternatives)
    if case.gold is None:
        return GoldEntry(entry=entry, origin=GoldOrigin.EDITED, sources=sources)
    return replace(
        case.gold, entry=entry, origin=GoldOrigin.EDITED, sources=sources, decided_by=None, at=None,
        cause=case.gold.cause,
    )  # fmt: skip
