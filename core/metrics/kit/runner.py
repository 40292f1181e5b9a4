"""Runner of text metrics: cases, progress, rows, and means over defined values.

A family parses its requests and computes values of cases; everything else is here. A metric that
looks at one text at a time needs `score_each_text` and nothing else.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem, Reporter
from awase.core.metrics.kit.cases import Case, cases_of, check_text
from awase.core.metrics.kit.metric import LIMIT, TOKENS, Chosen, Option, ParsedRequest, limit_with
from awase.core.metrics.kit.outputs import TextLog
from awase.core.metrics.kit.signature import MeanFacts, MetricRequest, facts_of_means, with_facts
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import join_splits
from awase.core.records.topic import Topic
from awase.core.text.script import NO_LIMIT
from awase.core.text.tokenisers import tokeniser_called

Floats = NDArray[np.float64]
# Makes one row of values of some, those of summaries in the order of ROUGE-1.5.5's bootstrap.
Mean = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Values:
    """One request's values by case."""

    values: Floats  # (n_cases, n_components), 0 where it is undefined
    lacks_reference: NDArray[np.bool_]  # (n_cases,) whether it is undefined


Request = TypeVar("Request", bound=ParsedRequest)

_Row = tuple[str | None, str]  # length class and system


def scores_of_cases(
    cases: Sequence[Case],
    found: Mapping[Request, Values],
    columns: Mapping[Request, "ScoreColumn"],
) -> Iterator[Score]:
    """Yields the scores by topic of all requests."""
    signed = {
        split: [columns[request].signed({"split": split}) for request in found]
        for split in {case.split for case in cases}
    }
    rows = [(each.values.tolist(), each.lacks_reference.tolist()) for each in found.values()]
    for idx, case in enumerate(cases):
        for column, (values, lacks_reference) in zip(signed[case.split], rows, strict=True):
            is_undefined = lacks_reference[idx]
            yield from scores_of_row(
                case.topic,
                (case.length, case.system),
                column,
                None if is_undefined else values[idx],
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
    request: ParsedRequest,
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
    found: Mapping[Request, Values],
    columns: Mapping[Request, ScoreColumn],
    all_facts: MeanFacts,
    log: TextLog,
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
        facts = all_facts[length]
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


def _mean(case_idxs: NDArray[np.int64], found: Values, mean_of: Mean) -> tuple[Floats | None, int]:
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


Find = Callable[[Sequence[Case], Sequence[Request], TextLog, Reporter], Mapping[Request, Values]]
"""Validates cases and returns each request's values.

The requests are in display order; the reporter receives each case.
"""


class TextRun(Generic[Request]):
    """Scores texts with a family's requests."""

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
        self._wanted = [*{one.signature: one for one in requests}.values()]
        self._find = find
        self._reason_of = reason_of
        self._components = components
        self._sees_sentences = sees_sentences
        self._mean_of = mean_of
        self._more_warnings = more_warnings

    def scored_at_once(self, topics: Sequence[Topic], reporter: Reporter) -> ScoreTable:
        """Returns the scores by topic, then the means over all topics, and warnings."""
        log = TextLog()
        cases = cases_of(topics, log)
        found = self._find(cases, self._wanted, log, reporter)
        columns = {
            one: score_column(
                one, self._reason_of(one), self._components,
                sees_sentences=self._sees_sentences(one),
            )
            for one in found
        }  # fmt: skip
        scores = scores_of_cases(cases, found, columns)
        facts = facts_of_means(topics)
        means = means_of_cases(cases, found, columns, facts, log, self._mean_of)
        return ScoreTable(
            scores=(*scores, *means), warnings=(*log.problems(), *self._more_warnings())
        )


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
class PlainRequest(ParsedRequest):
    """A request with unparsed option values; tokens and limit are applied by the metric."""

    chosen: Chosen

    @classmethod
    def of(cls, request: MetricRequest, options: Sequence[Option[Any]]) -> "PlainRequest":
        """Returns the request with defaults."""
        chosen, limit = Chosen.of(request, options), NO_LIMIT
        tokeniser = tokeniser_called(chosen[TOKENS]) if TOKENS in chosen else None
        if tokeniser is not None and LIMIT in chosen:
            limit = limit_with(chosen[LIMIT], tokeniser)
        return cls(
            metric=request.name,
            spelled=chosen.spelled,
            chosen=chosen,
            tokens=tokeniser.name if tokeniser is not None else "",
            limit=limit,
        )


def values_of_each(
    cases: Sequence[Case],
    wanted: Sequence[Request],
    reporter: Reporter,
    value_of: Callable[[Case, Request], float | None],
) -> dict[Request, Values]:
    """Returns the requests' values of each case; None = undefined."""
    found: dict[Request, Values] = {}
    for request_idx, request in enumerate(wanted):
        values: list[float | None] = []
        for case_idx, case in enumerate(cases):
            done = request_idx * len(cases) + case_idx
            reporter.advance(done, len(wanted) * len(cases), case.topic)
            values.append(value_of(case, request))
        found[request] = single_values_of(values)
    reporter.advance(len(wanted) * len(cases), len(wanted) * len(cases))
    return found


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
    ) -> Mapping[Request, Values]:
        check_text(cases, [one for one in wanted if isinstance(one, PlainRequest)], log)
        return values_of_each(cases, wanted, reporter, value_of)

    run = TextRun(requests, find, reason_of=reason_of, components=())
    return run.scored_at_once(corpus.topics, reporter)
