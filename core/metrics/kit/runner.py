"""Runner of text metrics: cases, progress, rows, and means over defined values.

A family parses its requests and computes values of cases; everything else is here. A metric that
looks at one text at a time needs `score_each_text` and nothing else.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem
from awase.core.metrics.kit.cases import Case, cases_of, check_text
from awase.core.metrics.kit.metric import Chosen, Option
from awase.core.metrics.kit.shared_options import LIMIT, TOKENS, limit_with
from awase.core.metrics.kit.signature import (
    MetricRequest,
    TopicsOfMeans,
    signature_text,
    with_facts,
)
from awase.core.metrics.kit.warnings import TextLog
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import join_splits
from awase.core.records.score import Score, ScoreBlock, ScoreRow, ScoreTable
from awase.core.records.topic import Topic
from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.tokenisers import tokeniser_called

Floats = NDArray[np.float64]
# Makes one row of values of some, those of summaries in the order of ROUGE-1.5.5's bootstrap.
Mean = Callable[[Floats], Floats]


class TextRequest(Protocol):
    """A request of a text metric."""

    @property
    def metric(self) -> str: ...  # noqa: D102
    @property
    def signature(self) -> str: ...  # noqa: D102


class TextValues(Protocol):
    """One request's values by case; `lacks_reference` (n_cases,) marks undefined ones."""

    @property
    def values(self) -> Floats: ...  # noqa: D102
    @property
    def lacks_reference(self) -> NDArray[np.bool_]: ...  # noqa: D102


class MeanLog(Protocol):
    """Listens to means over fewer topics than there are."""

    def note_mean(
        self, system: str, length: str | None, metric: str, n_defined: int, n_topics: int
    ) -> None:
        """Records a mean."""
        ...


Request = TypeVar("Request", bound=TextRequest)

_Row = tuple[str | None, str]  # length class and system


def scores_of_cases(
    cases: Sequence[Case],
    found: Mapping[Request, TextValues],
    columns: Mapping[Request, "ScoreColumn"],
) -> "CaseScores":
    """Returns the scores by topic of all requests."""
    return CaseScores(cases, [(columns[request], values) for request, values in found.items()])


class CaseScores(ScoreBlock):
    """Scores of cases, columnar until iterated."""

    def __init__(
        self, cases: Sequence[Case], found: Sequence[tuple["ScoreColumn", TextValues]]
    ) -> None:
        """Takes the values of each request, in display order."""
        self._cases = cases
        self._found = found
        self._signed: dict[tuple[int, str], ScoreColumn] = {}

    def __len__(self) -> int:
        return len(self._cases) * sum(len(column.names) for column, _ in self._found)

    def __iter__(self) -> Iterator[Score]:
        return self._of(range(len(self._cases)))

    def rows(self) -> Iterator[ScoreRow | Score]:
        """Yields the scores as `ScoreBlock.rows`, a row each complete case."""
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
        """Yields scores of a system and a metric; None = any."""
        idxs = [at for at, one in enumerate(self._cases) if system in (None, one.system)]
        return (score for score in self._of(idxs) if metric in (None, score.metric))

    def undefined(self) -> Iterator[Score]:
        """Yields the undefined scores."""
        lacking = [of_request.lacks_reference for _, of_request in self._found]
        rows = np.flatnonzero(np.any(lacking, axis=0)) if lacking else ()
        return (score for score in self._of([*map(int, rows)]) if score.reason is not None)

    def _column(self, at: int, split: str) -> "ScoreColumn":
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
    """Common fields of a request's scores: names of components, signature, reason."""

    names: tuple[str, ...]
    signature: str
    reason: Problem
    sees_sentences: bool

    def signed(self, facts: Mapping[str, str]) -> "ScoreColumn":
        """Returns the column with facts in its signatures; `split` only where it matters."""
        known = facts if self.sees_sentences else {k: v for k, v in facts.items() if k != "split"}
        return self._replace(signature=with_facts(self.signature, known)) if known else self


def score_column(
    request: TextRequest,
    reason: Problem,
    components: Sequence[str] = ("r", "p", "f"),
    *,
    sees_sentences: bool = True,
) -> ScoreColumn:
    """Returns the common fields of a request's scores.

    Args:
        components: Suffixes of the metric's name; empty = a single value.
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
    """Returns the mean of cases, None when all are undefined, and the number of defined ones."""
    defined = case_idxs[~np.asarray(found.lacks_reference)[case_idxs]]
    return (mean_of(found.values[defined]), len(defined)) if len(defined) else (None, 0)


def plain_mean(values: Floats) -> Floats:
    """Returns (n_components,) means of (n_cases, n_components) values, in any order."""
    return np.array([math.fsum(column) / len(values) for column in values.T.tolist()])


NO_UNIT: Final = Problem(
    what="there is no reference with a unit to compare with.",
    hint="Add an abstract or references, or choose other options.",
)
RECALL_PRECISION_F: Final = ("r", "p", "f")


Find = Callable[
    [Sequence[Case], Sequence[Request], TextLog, Reporter], Mapping[Request, TextValues]
]
"""Validates cases and returns each request's values.

The requests are in display order; the reporter receives each case.
"""


class TextRun(Generic[Request]):
    """Scores topics in batches, none of which is retained."""

    # The scorer does not refer to the run, which would be a reference cycle.

    def __init__(
        self,
        requests: Iterable[Request],
        find: Find[Request],
        *,
        reason_of: Callable[[Request], Problem] = lambda _request: NO_UNIT,
        components: Sequence[str] = RECALL_PRECISION_F,
        sees_sentences: Callable[[Request], bool] = lambda _request: True,
        mean_of: Callable[[Request], Mean] = lambda _request: plain_mean,
        more_warnings: Callable[[], Iterable[Problem]] = tuple,
    ) -> None:
        """Takes parsed requests; of equivalent spellings the last.

        Args:
            components: Suffixes of the metric's name, one a column of values; empty = a single
                value under the metric's name.
        """
        self._topics = TopicsOfMeans()
        self._wanted = [*{one.signature: one for one in requests}.values()]
        self._find = find
        self._reason_of = reason_of
        self._components = components
        self._sees_sentences = sees_sentences
        self._mean_of = mean_of
        self._more_warnings = more_warnings
        self._log = TextLog()
        self._cases: list[Case] = []
        self._found: dict[Request, list[TextValues]] = {}
        self._names: dict[str | None, str | None] = {}

    def scores_of(self, topics: Sequence[Topic], reporter: Reporter) -> CaseScores:
        """Returns the per-topic scores of a batch of topics."""
        self._topics.add(topics)
        cases = cases_of(topics, self._log)
        found = self._find(cases, self._wanted, self._log, reporter)
        without_texts = self._without_texts(cases)
        self._cases += without_texts
        for request, values in found.items():
            self._found.setdefault(request, []).append(values)
        return scores_of_cases(without_texts, found, self._columns(found))

    def scored_at_once(self, topics: Sequence[Topic], reporter: Reporter) -> ScoreTable:
        """Returns per-topic scores, then means; raises as `scores_of`."""
        scores = self.scores_of(topics, reporter)
        ended = self.ended()
        return replace(ended, scores=(*scores, *ended.scores))

    def _without_texts(self, cases: Sequence[Case]) -> list[Case]:
        """Returns the cases with interned names only."""
        lengths, systems = [case.length for case in cases], [case.system for case in cases]
        one = self._names.setdefault
        names = map(one, lengths, lengths), map(one, systems, systems)
        rows = zip(
            [case.topic for case in cases], *names, repeat(()), repeat(()),
            [case.split for case in cases], strict=False,
        )  # fmt: skip
        return [*map(tuple.__new__, repeat(Case), rows)]

    def ended(self) -> ScoreTable:
        """Returns the means over all topics that were scored, and warnings."""
        found = {request: _joined(parts) for request, parts in self._found.items()}
        means = means_of_cases(
            self._cases, found, self._columns(found), self._topics, self._log,
            self._mean_of,
        )  # fmt: skip
        scores = tuple(means)
        return ScoreTable(scores=scores, warnings=(*self._log.problems(), *self._more_warnings()))

    def _columns(self, found: Iterable[Request]) -> dict[Request, ScoreColumn]:
        return {
            one: score_column(
                one, self._reason_of(one), self._components,
                sees_sentences=self._sees_sentences(one),
            )
            for one in found
        }  # fmt: skip


def _joined(parts: Sequence[TextValues]) -> TextValues:
    if len(parts) == 1:
        return parts[0]
    return Values(
        values=np.concatenate([one.values for one in parts]),
        lacks_reference=np.concatenate([one.lacks_reference for one in parts]),
    )


@dataclass(frozen=True, slots=True)
class Values:
    """One request's values by case."""

    values: Floats  # (n_cases, n_components), 0 where it is undefined
    lacks_reference: NDArray[np.bool_]  # (n_cases,) whether it is undefined


def values_of(found: Sequence[Sequence[float] | None], n_components: int) -> Values:
    """Returns the values of cases, None if undefined, as rows need them."""
    nothing = (0.0,) * n_components
    rows = [nothing if one is None else tuple(one) for one in found]
    return Values(
        values=np.array(rows, np.float64).reshape(-1, n_components),
        lacks_reference=np.array([one is None for one in found], np.bool_),
    )


def single_values_of(found: Sequence[float | None]) -> Values:
    """Returns the same for a metric that has one value."""
    return values_of([None if one is None else (one,) for one in found], 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlainRequest:
    """A request with unparsed option values; compared by identity."""

    metric: str
    chosen: Chosen

    @classmethod
    def of(cls, request: MetricRequest, options: Sequence[Option[Any]]) -> "PlainRequest":
        """Returns the request with defaults."""
        return cls(metric=request.name, chosen=Chosen.of(request, options))

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, self.chosen.spelled)

    @property
    def tokens(self) -> str:
        """Returns the name of the tokeniser; empty for a metric that has no such option."""
        return tokeniser_called(self.chosen[TOKENS]).name if TOKENS in self.chosen else ""

    @property
    def limit(self) -> LengthLimit:
        """Returns the length limit of texts, applied by the metric."""
        if LIMIT not in self.chosen or TOKENS not in self.chosen:
            return NO_LIMIT
        return limit_with(self.chosen[LIMIT], tokeniser_called(self.chosen[TOKENS]))


def score_each_text(
    corpus: Corpus,
    requests: Iterable[Request],
    reporter: Reporter,
    value_of: Callable[[Case, Request], float | None],
    *,
    reason_of: Callable[[Request], Problem] = lambda _request: NO_UNIT,
) -> ScoreTable:
    """Returns the scores of a metric that looks at one text and its references at a time.

    Tokens of a `PlainRequest` that would lose letters are refused, as ROUGE refuses them.

    Args:
        reporter: Receives each text.
        value_of: Returns the value of a text, None where it is undefined.
    """

    def find(
        cases: Sequence[Case], wanted: Sequence[Request], log: TextLog, reporter: Reporter
    ) -> Mapping[Request, TextValues]:
        check_text(cases, [one for one in wanted if isinstance(one, PlainRequest)], log)
        found: dict[Request, TextValues] = {}
        for request_idx, request in enumerate(wanted):
            values: list[float | None] = []
            for case_idx, case in enumerate(cases):
                done = request_idx * len(cases) + case_idx
                reporter.advance(done, len(wanted) * len(cases), case.topic)
                values.append(value_of(case, request))
            found[request] = single_values_of(values)
        reporter.advance(len(wanted) * len(cases), len(wanted) * len(cases))
        return found

    run = TextRun(requests, find, reason_of=reason_of, components=())
    return run.scored_at_once(corpus.topics, reporter)
