"""What was decided and why, as CSV: one row for each sentence on which annotators differed."""

import csv
import io
from collections.abc import Iterable

from awase.core.agreement.adjudication import Case

COLUMNS = (
    "topic", "abstract", "n", "distance", "state", "origin", "cause", "decided_by", "at",
    "outdated", "alternatives", "sources",
)  # fmt: skip


def adjudication_csv(cases: Iterable[Case]) -> str:
    """Returns a row for each case; what is not decided has no origin."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for case in cases:
        writer.writerow(["" if value is None else value for value in _values(case)])
    return buffer.getvalue()


def _values(case: Case) -> tuple[object, ...]:
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
