"""Rows of score tables for metrics that have one value, recall: by topic, then means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem
from awase.core.metrics.kit.text_cases import Case
from awase.core.metrics.kit.text_scores import Floats, MeanLog, TextRequest, text_scores
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score

NO_UNIT: Final = Problem(
    what="there is no reference with a unit to compare with.",
    hint="Add an abstract or references, or choose other options.",
)

Request = TypeVar("Request", bound=TextRequest)


def recall_scores(
    corpus: Corpus,
    cases: Sequence[Case],
    found: Mapping[Request, Sequence[float | None]],
    log: MeanLog,
) -> tuple[Score, ...]:
    """Returns the scores by topic, then each system's means over where they are defined.

    Args:
        corpus: What is scored.
        cases: What was compared.
        found: By request the value of each case; None = the references have no unit.
        log: Told of each mean.
    """
    columns = {request: _column(values) for request, values in found.items()}
    return text_scores(corpus, cases, columns, lambda _request: NO_UNIT, log, components=())


@dataclass(frozen=True, slots=True)
class _Column:
    """One value a case."""

    values: Floats
    lacks_reference: NDArray[np.bool_]


def _column(values: Sequence[float | None]) -> _Column:
    return _Column(
        values=np.array([[0.0 if value is None else value] for value in values]).reshape(-1, 1),
        lacks_reference=np.array([value is None for value in values], np.bool_),
    )
