"""The one way in which metrics of text are scored: cases, progress, rows, means, warnings.

A family says how its requests are understood and what it finds in the cases; everything else is
here. A metric that looks at one text at a time needs `score_each_text` and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Problem
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.options.option import Chosen, Option
from awase.core.metrics.kit.options.shared import LIMIT, TOKENS, limit_with
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.texts.cases import Case, cases_of, check_text
from awase.core.metrics.kit.texts.scores import (
    CaseScores,
    Floats,
    Mean,
    ScoreColumn,
    TextRequest,
    TextValues,
    means_of_cases,
    plain_mean,
    score_column,
    scores_of_cases,
)
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.records.topic import Topic
from awase.core.text.limits import NO_LIMIT, LengthLimit
from awase.core.text.tokens.tokenisers import tokeniser_called

NO_UNIT: Final = Problem(
    what="there is no reference with a unit to compare with.",
    hint="Add an abstract or references, or choose other options.",
)
RECALL_PRECISION_F: Final = ("r", "p", "f")

Request = TypeVar("Request", bound=TextRequest)


Find = Callable[
    [Sequence[Case], Sequence[Request], TextLog, Reporter], Mapping[Request, TextValues]
]
"""Sees to it that cases can be scored, and returns what each request finds in them.

The requests are in the order in which metrics are shown; the reporter is told of what is found.
"""


class TextRun(Generic[Request]):
    """Scores topics that come in portions, none of which is held when it is scored.

    What finds the scores does not hold the run, which would then be left to the search for cycles.
    """

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
        """Scores nothing yet.

        Args:
            requests: Understood; of those that are only written differently the last one is taken.
            components: What follows the metric's name after a dot, one a column of values; none =
                the metric has one value, called as the metric is.
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
        """Returns the scores by topic of further topics."""
        self._topics.add(topics)
        cases = cases_of(topics, self._log)
        found = self._find(cases, self._wanted, self._log, reporter)
        without_texts = self._without_texts(cases)
        self._cases += without_texts
        for request, values in found.items():
            self._found.setdefault(request, []).append(values)
        return scores_of_cases(without_texts, found, self._columns(found))

    def scored_at_once(self, topics: Sequence[Topic], reporter: Reporter) -> ScoreTable:
        """Returns the scores of the topics, then the means; raises as `scores_of` does."""
        scores = self.scores_of(topics, reporter)
        ended = self.ended()
        return replace(ended, scores=(*scores, *ended.scores))

    def _without_texts(self, cases: Sequence[Case]) -> list[Case]:
        """Returns the cases with nothing but names, each one object wherever it stands."""
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
    """What one request found in each case.

    Attributes:
        values: (n_cases, n_components), 0 where it is undefined.
        lacks_reference: (n_cases,) whether it is undefined.
    """

    values: Floats
    lacks_reference: NDArray[np.bool_]


def values_of(found: Sequence[Sequence[float] | None], n_components: int) -> Values:
    """Returns what was found in each case, None where it is undefined, as rows are made of it."""
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
    """A request whose options are read one by one; equal to itself only."""

    metric: str
    chosen: Chosen

    @classmethod
    def of(cls, request: MetricRequest, options: Sequence[Option[Any]]) -> "PlainRequest":
        """Returns the request with options left out at their defaults."""
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
        """Returns how much of each text counts; the metric cuts it, as it declares the option."""
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
        reporter: Told of each text.
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
