"""Rows of score tables for metrics that have one value, recall: by topic, then means."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from awase.core.errors import Problem
from awase.core.metrics.rouge_cases import Case
from awase.core.metrics.rouge_warnings import RougeLog
from awase.core.records.score import Score

NO_UNIT = Problem(
    what="there is no reference with a unit to compare with.",
    hint="Add an abstract or references, or choose other options.",
)


class RecallRequest(Protocol):
    """What is asked of a metric that has one value.

    Attributes:
        metric: Its name.
        signature: Of its values.
    """

    @property
    def metric(self) -> str: ...  # noqa: D102
    @property
    def signature(self) -> str: ...  # noqa: D102


Request = TypeVar("Request", bound=RecallRequest)


class _Row(NamedTuple):
    topic: str | None
    length: str | None
    system: str


def recall_scores(
    cases: Sequence[Case], found: Mapping[Request, Sequence[float | None]], log: RougeLog
) -> tuple[Score, ...]:
    """Returns the scores by topic, then each system's means over where they are defined.

    Args:
        cases: What was compared.
        found: By request the value of each case; None = the references have no unit.
        log: Told of each mean.
    """
    by_topic = [
        _score(_Row(case.topic, case.length, case.system), request, value, value is not None)
        for case_idx, case in enumerate(cases)
        for request, values in found.items()
        for value in (values[case_idx],)
    ]
    return (*by_topic, *_means(cases, found, log))


def _means(
    cases: Sequence[Case], found: Mapping[Request, Sequence[float | None]], log: RougeLog
) -> Iterator[Score]:
    rows: dict[str | None, dict[str, list[int]]] = {}
    for case_idx, case in enumerate(cases):
        rows.setdefault(case.length, {}).setdefault(case.system, []).append(case_idx)
    for length, by_system in rows.items():
        n_topics = len({cases[idx].topic for idxs in by_system.values() for idx in idxs})
        for system, case_idxs in by_system.items():
            for request, values in found.items():
                defined = [v for idx in case_idxs if (v := values[idx]) is not None]
                log.note_mean(system, length, request.metric, len(defined), n_topics)
                mean = math.fsum(defined) / len(defined) if defined else None
                yield _score(_Row(None, length, system), request, mean, len(defined))


def _score(row: _Row, request: RecallRequest, value: float | None, n_topics: int) -> Score:
    return Score(
        topic=row.topic,
        length=row.length,
        system=row.system,
        metric=request.metric,
        value=value,
        signature=request.signature,
        reason=NO_UNIT if value is None else None,
        n_topics=int(n_topics),
    )
