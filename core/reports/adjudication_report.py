"""Adjudication as CSV: a row for each sentence with disagreement."""

from collections.abc import Iterable

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.reports.grid import TableRows, Value, csv_text

COLUMNS = (
    "topic", "abstract", "n", "distance", "state", "origin", "cause", "decided_by", "at",
    "outdated", "alternatives", "sources",
)  # fmt: skip


def adjudication_csv(cases: Iterable[AdjudicationCase]) -> str:
    """Returns a row for each case; undecided ones have no origin."""
    return csv_text(TableRows(columns=COLUMNS, rows=map(_values, cases)))


def _values(case: AdjudicationCase) -> tuple[Value, ...]:
    gold = case.gold
    place = (case.topic, case.abstract, case.n, case.distance)
    if gold is None:
        return (*place, "open", None, None, None, None, "no", None, None)
    alternatives = " | ".join(
        " ".join(map(str, alternative.members)) for alternative in gold.entry.alternatives
    )
    sources = " | ".join(
        f"{source.annotator}: {' '.join(map(str, source.alternatives))}".strip()
        for source in gold.sources
    )
    return (
        *place,
        "open" if gold.decided_by is None else gold.entry.state.value,
        gold.origin.value, gold.cause, gold.decided_by, gold.at,
        "yes" if case.is_outdated else "no", alternatives, sources,
    )  # fmt: skip
