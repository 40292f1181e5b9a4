"""ROUGE-N, -L, -W, -S and -SU of every output of a corpus, extracts and texts alike.

A system's score in a topic is that of ROUGE-1.5.5: recall, precision and F, rounded to five
decimals. Its mean is over the topics in which the score is defined, and the table says how many.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from awase.core.errors import Problem
from awase.core.metrics.rouge.bootstrap import bootstrap
from awase.core.metrics.rouge.counts import Floats
from awase.core.metrics.rouge_cases import Case, cases_of, check_letters
from awase.core.metrics.rouge_counting import Scored, scored
from awase.core.metrics.rouge_requests import RougeRequest, understood
from awase.core.metrics.rouge_warnings import RougeLog
from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.supplies import NO_SUPPLIES, Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable

COMPONENTS = ("r", "p", "f")

_NO_REFERENCE = Problem(
    what="there is no reference with a token to compare with.",
    hint="Add an abstract or references, or choose other tokens.",
)
_EMPTY_REFERENCE_W = Problem(
    what="a reference has no token, for which ROUGE-W has no value.",
    hint="Mend the reference or choose another metric.",
)

_Found = dict[RougeRequest, Scored]
_Row = tuple[str | None, str]
"""Length class and system."""


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every output, by topic and as means, with warnings.

    Raises:
        InputError: An option's value does not exist, or the tokeniser would lose letters.
        Cancelled: The reporter asked to stop.
    """
    wanted = [*{one.signature: one for one in map(understood, requests)}.values()]
    log = RougeLog()
    cases = cases_of(corpus, log)
    check_letters(cases, wanted, log)
    found = scored(cases, wanted, reporter, supplies.workers)
    _note(cases, found, log)
    by_topic = [
        one
        for case_idx in range(len(cases))
        for request in wanted
        for one in _of_case(cases, case_idx, request, found[request])
    ]
    means = [*_means(cases, found, log)]
    return ScoreTable(scores=(*by_topic, *means), warnings=log.problems())


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry.

    Raises:
        InputError: An option's value does not exist.
    """
    return understood(request).signature


def _note(cases: Sequence[Case], found: _Found, log: RougeLog) -> None:
    for request, of_request in found.items():
        for case_idx, case in enumerate(cases):
            if of_request.lacks_reference[case_idx]:
                continue
            if of_request.has_no_token[case_idx]:
                log.note_empty(case.topic, case.system)
            if of_request.has_no_unit[case_idx]:
                log.note_short_references(case.topic, request.metric)


def _of_case(
    cases: Sequence[Case], case_idx: int, request: RougeRequest, found: Scored
) -> Iterator[Score]:
    case = cases[case_idx]
    is_undefined = bool(found.lacks_reference[case_idx])
    values = None if is_undefined else found.values[case_idx]
    yield from _scores(
        case.topic, (case.length, case.system), request, values, 0 if is_undefined else 1
    )


def _scores(
    topic: str | None, row: _Row, request: RougeRequest, values: Floats | None, n_topics: int
) -> Iterator[Score]:
    """Yields the three components; no values = undefined."""
    reason = None
    if values is None:
        reason = _NO_REFERENCE if request.weight is None else _EMPTY_REFERENCE_W
    length, system = row
    for component_idx, component in enumerate(COMPONENTS):
        yield Score(
            topic=topic,
            length=length,
            system=system,
            metric=f"{request.metric}.{component}",
            value=None if values is None else float(values[component_idx]),
            signature=request.signature,
            reason=reason,
            n_topics=n_topics,
        )


def _means(cases: Sequence[Case], found: _Found, log: RougeLog) -> Iterator[Score]:
    """Yields each system's means, in the order length, system, metric."""
    rows: dict[str | None, dict[str, list[int]]] = {}
    for case_idx, case in enumerate(cases):
        rows.setdefault(case.length, {}).setdefault(case.system, []).append(case_idx)
    for length, by_system in rows.items():
        n_topics = len({cases[idx].topic for idxs in by_system.values() for idx in idxs})
        for system, case_idxs in by_system.items():
            for request, of_request in found.items():
                values, n_defined = _mean(cases, case_idxs, request, of_request)
                log.note_mean(system, length, request.metric, n_defined, n_topics)
                yield from _scores(None, (length, system), request, values, n_defined)


def _mean(
    cases: Sequence[Case], case_idxs: Sequence[int], request: RougeRequest, found: Scored
) -> tuple[Floats | None, int]:
    """Returns the mean of some cases, None when all are undefined; and how many are defined."""
    defined = [idx for idx in case_idxs if not found.lacks_reference[idx]]
    if not defined:
        return None, 0
    if request.averages_as_perl:
        # The order decides which summaries the program's bootstrap draws.
        defined.sort(key=lambda idx: f"{cases[idx].topic}.{cases[idx].system}")
        return bootstrap(found.values[defined]).mean, len(defined)
    columns = found.values[defined].T
    return np.array([math.fsum(column) / len(defined) for column in columns]), len(defined)
