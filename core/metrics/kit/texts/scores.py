"""Rows of score tables for metrics of text: by topic, then each system's means.

A mean is over the topics in which the score is defined, and the table says how many those are.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.signature import with_facts
from awase.core.metrics.kit.texts.cases import Case
from awase.core.records.identifiers import join_splits
from awase.core.records.score import Score, ScoreBlock, ScoreRow

Floats = NDArray[np.float64]
Mean = Callable[[Floats], Floats]
"""Makes one row of values of some, those of summaries in the order of ROUGE-1.5.5's bootstrap."""


class TextRequest(Protocol):
    """What is asked of a metric of text."""

    @property
    def metric(self) -> str: ...  # noqa: D102
    @property
    def signature(self) -> str: ...  # noqa: D102


class TextValues(Protocol):
    """What one request found in each case.

    Attributes:
        lacks_reference: (n_cases,) whether the value is undefined.
    """

    @property
    def values(self) -> Floats: ...  # noqa: D102
    @property
    def lacks_reference(self) -> NDArray[np.bool_]: ...  # noqa: D102


class MeanLog(Protocol):
    """Listens to means over fewer topics than there are."""

    def note_mean(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Takes note of a mean."""
        ...


Request = TypeVar("Request", bound=TextRequest)

_Row = tuple[str | None, str]
"""Length class and system."""


def scores_of_cases(
    cases: Sequence[Case],
    found: Mapping[Request, TextValues],
    columns: Mapping[Request, "ScoreColumn"],
) -> "CaseScores":
    """Returns the scores by topic of what each request found in the cases."""
    return CaseScores(cases, [(columns[request], values) for request, values in found.items()])


class CaseScores(ScoreBlock):
    """Scores of cases, one case after the other, as arrays until somebody goes through them."""

    def __init__(
        self, cases: Sequence[Case], found: Sequence[tuple["ScoreColumn", TextValues]]
    ) -> None:
        """Takes what each request found in the cases, in the order in which metrics are shown."""
        self._cases = cases
        self._found = found
        self._signed: dict[tuple[int, str], ScoreColumn] = {}

    def __len__(self) -> int:
        return len(self._cases) * sum(len(column.names) for column, _ in self._found)

    def __iter__(self) -> Iterator[Score]:
        return self._of(range(len(self._cases)))

    def rows(self) -> Iterator[ScoreRow | Score]:
        """Yields the scores as `ScoreBlock.rows` does, a row each case that lacks none."""
        if not self._found or not self._cases:
            return
        columns = {
            split: tuple(
                (name, one.signature)
                for at in range(len(self._found))
                for one in (self._column(at, split),)
                for name in one.names
            )
            for split in {case.split for case in self._cases}
        }
        values = np.concatenate([found.values for _, found in self._found], axis=1).tolist()
        lacks = np.any([found.lacks_reference for _, found in self._found], axis=0).tolist()
        for at, (case, of_case, is_lacking) in enumerate(
            zip(self._cases, values, lacks, strict=True)
        ):
            if is_lacking:
                yield from self._of([at])
            else:
                yield ScoreRow(case.topic, case.length, case.system, columns[case.split], of_case)

    def only(self, system: str | None, metric: str | None) -> Iterator[Score]:
        """Yields those of a system and a metric; None = of any. Of no others' cases any is made."""
        idxs = [at for at, one in enumerate(self._cases) if system in (None, one.system)]
        return (score for score in self._of(idxs) if metric in (None, score.metric))

    def undefined(self) -> Iterator[Score]:
        """Yields those that are undefined."""
        lacking = [of_request.lacks_reference for _, of_request in self._found]
        rows = np.flatnonzero(np.any(lacking, axis=0)) if lacking else ()
        return (score for score in self._of([*map(int, rows)]) if score.reason is not None)

    def _column(self, at: int, split: str) -> "ScoreColumn":
        """Returns a column for texts that became sentences in that way."""
        known = self._signed.get((at, split))
        if known is None:
            column, _ = self._found[at]
            known = self._signed[at, split] = column.signed({"split": split})
        return known

    def _of(self, case_idxs: Sequence[int]) -> Iterator[Score]:
        idxs = np.asarray(case_idxs, np.int64)
        rows = [
            (place, found.values[idxs].tolist(), found.lacks_reference[idxs].tolist())
            for place, (_, found) in enumerate(self._found)
        ]
        for at, case_idx in enumerate(case_idxs):
            case = self._cases[case_idx]
            for place, values, lacks_reference in rows:
                column = self._column(place, case.split)
                is_undefined = lacks_reference[at]
                yield from scores_of_row(
                    case.topic,
                    (case.length, case.system),
                    column,
                    None if is_undefined else values[at],
                    0 if is_undefined else 1,
                )


class ScoreColumn(NamedTuple):
    """What all scores of a request have in common: names of the components, and so on."""

    names: tuple[str, ...]
    signature: str
    reason: Problem
    sees_sentences: bool

    def signed(self, facts: Mapping[str, str]) -> "ScoreColumn":
        """Returns the column with facts about what is scored; `split` only where it matters."""
        known = facts if self.sees_sentences else {k: v for k, v in facts.items() if k != "split"}
        return self._replace(signature=with_facts(self.signature, known)) if known else self


def score_column(
    request: TextRequest,
    reason: Problem,
    components: Sequence[str] = ("r", "p", "f"),
    *,
    sees_sentences: bool = True,
) -> ScoreColumn:
    """Returns what all scores of a request have in common.

    Args:
        components: What follows the metric's name after a dot; none = the metric has one value.
    """
    names = tuple(f"{request.metric}.{one}" for one in components) or (request.metric,)
    return ScoreColumn(
        names=names, signature=request.signature, reason=reason, sees_sentences=sees_sentences
    )


def scores_of_row(
    topic: str | None,
    row: _Row,
    column: ScoreColumn,
    values: Iterable[float] | None,
    n_topics: int,
) -> Iterator[Score]:
    """Yields one score a component; no values = undefined."""
    length, system = row
    each = [None] * len(column.names) if values is None else map(float, values)
    for name, value in zip(column.names, each, strict=True):
        yield Score(
            topic=topic,
            length=length,
            system=system,
            metric=name,
            value=value,
            signature=column.signature,
            reason=column.reason if value is None else None,
            n_topics=n_topics,
        )


def means_of_cases(
    cases: Sequence[Case],
    found: Mapping[Request, TextValues],
    columns: Mapping[Request, ScoreColumn],
    topics: TopicsOfMeans,
    log: MeanLog,
    mean_of: Callable[[Request], Mean],
) -> Iterator[Score]:
    """Yields each system's means, in the order length, system, metric."""
    is_plain = all(mean_of(request) is plain_mean for request in found)
    rows: dict[str | None, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    answered: dict[str | None, set[str]] = defaultdict(set)
    for case_idx, (topic, length, system, *_) in enumerate(cases):
        rows[length][system].append(case_idx)
        answered[length].add(topic)
    for length, by_system in rows.items():
        n_topics = len(answered[length])
        facts = topics.facts(length)
        for system, of_system in by_system.items():
            split = join_splits({cases[idx].split for idx in of_system})
            signed = {
                request: column.signed({"split": split, **facts})
                for request, column in columns.items()
            }
            if not is_plain:
                # The order decides which summaries the program's bootstrap draws.
                of_system.sort(key=lambda idx: f"{cases[idx].topic}.{cases[idx].system}")
            case_idxs = np.array(of_system)
            for request, of_request in found.items():
                values, n_defined = _mean(case_idxs, of_request, mean_of(request))
                log.note_mean(system, length, request.metric, n_defined, n_topics)
                yield from scores_of_row(None, (length, system), signed[request], values, n_defined)


def _mean(
    case_idxs: NDArray[np.int64], found: TextValues, mean_of: Mean
) -> tuple[Floats | None, int]:
    """Returns the mean of some cases, None when all are undefined; and how many are defined."""
    defined = case_idxs[~np.asarray(found.lacks_reference)[case_idxs]]
    return (mean_of(found.values[defined]), len(defined)) if len(defined) else (None, 0)


def plain_mean(values: Floats) -> Floats:
    """Returns (n_components,) the mean of each column, whatever the order of its values.

    Args:
        values: (n_cases, n_components), at least one case.
    """
    return np.array([math.fsum(column) / len(values) for column in values.T.tolist()])
