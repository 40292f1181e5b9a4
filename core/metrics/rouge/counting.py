"""Counts for all requests of the ROUGE family, texts being read as seldom as possible."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import InputError
from awase.core.metrics.kit.cases import Case
from awase.core.metrics.kit.runner import Values
from awase.core.metrics.kit.workers import ALONE, StillWanted, Workers
from awase.core.metrics.rouge.comparison import Counts, RougeComparison
from awase.core.metrics.rouge.measures import Measures, RougeRequest, Tallied, tallied
from awase.core.metrics.rouge.tokens import (
    DROPPED,
    Preparation,
    Summary,
    all_as_bytes,
    numbers,
    tokens_of_text,
)
from awase.core.progress import OneOfSeveral, Reporter
from awase.core.records.output import References
from awase.core.text.limits import LengthLimit, running_text

_TOKENS = "ROUGE-1"
_RECALL_UNITS = 0
# Topics that are counted together: more cost less each, fewer can be shared out better.
_AT_LEAST = 8
# Topics of few summaries are batched up to this number: a fiftieth of a second.
_SUMMARIES_AT_ONCE = 2_600

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Values):
    """One request's counts in each case: recall, precision and F as ROUGE-1.5.5 rounds them."""

    has_no_token: Flags  # (n_cases,) whether the output has no token
    has_no_unit: Flags  # (n_cases,) whether the references that count have no unit of the metric

    @classmethod
    def nothing(cls, n_cases: int) -> "Scored":
        """Returns zero counts."""
        return cls(
            values=np.zeros((n_cases, 3)),
            lacks_reference=np.ones(n_cases, np.bool_),
            has_no_token=np.zeros(n_cases, np.bool_),
            has_no_unit=np.zeros(n_cases, np.bool_),
        )


@dataclass(slots=True, kw_only=True)
class _Pass:
    """Requests that one reading of all texts can serve."""

    preparation: Preparation
    as_one_sentence: bool
    requests: list[RougeRequest] = field(default_factory=list)

    def takes(self, request: RougeRequest) -> bool:
        """Returns whether the request can be served, too; a pass has one weight and one gap."""
        return (
            request.preparation == self.preparation
            and request.as_one_sentence == self.as_one_sentence
            and (request.weight is None or {request.weight} >= self._weights())
            and (not request.has_pairs or {request.gap} >= self._gaps())
        )

    def measures(self) -> Measures:
        """Returns the measures; tokens always are counted."""
        return Measures(
            longest_ngram=max(1, *(request.longest_ngram for request in self.requests)),
            lcs=any(request.metric == "rouge-l" for request in self.requests),
            weight=next(iter(self._weights()), None),
            skip=bool(self._gaps()),
            gap=next(iter(self._gaps()), None),
        )

    def _weights(self) -> set[float]:
        return {request.weight for request in self.requests if request.weight is not None}

    def _gaps(self) -> set[int | None]:
        return {request.gap for request in self.requests if request.has_pairs}


def scored(
    cases: Sequence[Case],
    requests: Iterable[RougeRequest],
    reporter: Reporter,
    workers: Workers = ALONE,
    *,
    at_once: int | None = None,
) -> dict[RougeRequest, Scored]:
    """Returns each request's counts in the cases.

    `at_once` is the number of topics counted together; None = by number of summaries.
    """
    passes: list[_Pass] = []
    result: dict[RougeRequest, Scored] = {}
    for request in requests:
        if request.is_of_paper:
            result[request] = _of_paper(cases, request)
            continue
        for one in passes:
            if one.takes(request):
                break
        else:
            one = _Pass(preparation=request.preparation, as_one_sentence=request.as_one_sentence)
            passes.append(one)
        one.requests.append(request)
    groups = groups_of(cases)
    if at_once is None:
        at_once = max(_AT_LEAST, _SUMMARIES_AT_ONCE * len(groups) // max(len(cases), 1))
        n_portions = -(-len(groups) // at_once)  # of one size, as the last one may else be tiny
        at_once = -(-len(groups) // max(n_portions, 1)) or 1
    for pass_idx, one in enumerate(passes):
        _serve(one, cases, groups, result, OneOfSeveral(reporter, pass_idx, len(passes)), workers,
               at_once)  # fmt: skip
    return result


def _of_paper(cases: Sequence[Case], request: RougeRequest) -> Scored:
    """Returns ROUGE-W of texts as one sentence each, with the best recall over references.

    Source: Lin (2004), section 4, equations 13 to 15.
    """
    found, known = Scored.nothing(len(cases)), numbers(request.preparation)
    limit, weight = request.limit, request.weight or 1.0

    def read(text: Sequence[str]) -> list[int]:
        kept = running_text(all_as_bytes(text), limit)
        tokens = tokens_of_text(kept, request.preparation.tokeniser, limit.tokens)
        return [n for n in known.numbers_of(chain.from_iterable(tokens)) if n != DROPPED]

    for idx, case in enumerate(cases):
        if len(case.references) > 1 and request.spelled["refs"] != "b":
            raise InputError.of(
                "ROUGE-W of the paper knows no sum over several references.", "Choose refs=b."
            )
        references = [of_one for of_one in map(read, case.references) if of_one]
        if not references:
            continue
        text = read(case.text)
        each = [_weighted_ratios(reference, text, weight) for reference in references]
        recall, precision = max(each)
        below = (1 - request.alpha) * precision + request.alpha * recall
        f = precision * recall / below if below else 0.0
        found.values[idx] = recall, precision, f
        found.lacks_reference[idx] = False
        found.has_no_token[idx] = not text
    return found


def _weighted_ratios(
    reference: Sequence[int], text: Sequence[int], weight: float
) -> tuple[float, float]:
    """Returns recall and precision: runs of k words weigh k^w, by the table of the paper."""
    powers = [k**weight for k in range(min(len(reference), len(text)) + 2)]
    above: list[tuple[float, int]] = [(0.0, 0)] * (len(text) + 1)
    for word in reference:
        row: list[tuple[float, int]] = [(0.0, 0)]
        for at, other in enumerate(text):
            if word == other:
                sum_, run = above[at]
                row.append((sum_ + powers[run + 1] - powers[run], run + 1))
            else:
                row.append((max(above[at + 1][0], row[at][0]), 0))
        above = row
    common = above[-1][0]
    recall = (common / len(reference) ** weight) ** (1 / weight)
    return recall, (common / len(text) ** weight) ** (1 / weight) if text else 0.0


Groups = Sequence[Sequence[int]]  # cases of one topic with the same references, by their indices


def groups_of(cases: Sequence[Case]) -> Groups:
    """Groups the cases with references by their references."""
    groups: dict[object, list[int]] = {}
    group: list[int] = []
    topic: str | None = None
    references: References = ()
    for case_idx, case in enumerate(cases):
        if not case.references:
            continue
        # What comes one after the other mostly is one group, and its texts need no comparing.
        if case.references is not references or case.topic != topic:
            topic, references = case.topic, case.references
            group = groups.setdefault((topic, references), [])
        group.append(case_idx)
    return [*groups.values()]


def _serve(
    one: _Pass,
    cases: Sequence[Case],
    groups: Groups,
    result: dict[RougeRequest, Scored],
    reporter: Reporter,
    workers: Workers,
    at_once: int,
) -> None:
    reporter.advance(0, len(groups))
    comparisons = [_compared(cases, group, one) for group in groups]
    preparation = one.preparation
    if one.as_one_sentence:
        preparation = replace(preparation, limit=LengthLimit(tokens=preparation.limit.tokens))
    measures = one.measures()
    begins = range(0, len(comparisons), at_once)
    portions = [comparisons[begin : begin + at_once] for begin in begins]
    count_portion = partial(_counted, measures, preparation)
    counted = [*workers.map(count_portion, portions, reporter)]
    for request in one.requests:
        result[request] = Scored.nothing(len(cases))
    for begin, of_portion in zip(begins, counted, strict=True):
        for some in of_portion:
            of_cases = [groups[begin + index] for index in some.comparisons]
            rows = np.fromiter(chain.from_iterable(of_cases), np.int64)
            for request in one.requests:
                label = request.label(measures)
                _take(result[request], rows, request, some.by_label[label], some.by_label[_TOKENS])


def _take(
    found: Scored, rows: NDArray[np.int64], request: RougeRequest, counts: Counts, tokens: Counts
) -> None:
    """Stores the counts of these rows' cases."""
    references = request.references
    found.values[rows] = references.scores(counts, request.alpha)
    # Of a single reference without tokens the program dies under ROUGE-W.
    lacks = np.logical_or if request.weight is not None else np.logical_and
    found.lacks_reference[rows] = lacks.reduceat(
        tokens.models == 0, tokens.model_starts[:-1]
    ).repeat(np.diff(tokens.peer_starts))
    found.has_no_token[rows] = tokens.peers == 0
    found.has_no_unit[rows] = counts.totals(references.formula)[:, _RECALL_UNITS] == 0


def _counted(
    measures: Measures,
    preparation: Preparation,
    comparisons: Sequence[RougeComparison],
    _still_wanted: StillWanted,
) -> list[Tallied]:
    return tallied(comparisons, measures, preparation)


def _compared(cases: Sequence[Case], group: Sequence[int], one: _Pass) -> RougeComparison:
    peers, models = [cases[case_idx].text for case_idx in group], cases[group[0]].references
    if not one.as_one_sentence:
        return RougeComparison(peers=peers, models=models)
    limit = one.preparation.limit
    return RougeComparison(
        peers=[_as_one_sentence(text, limit) for text in peers],
        models=[_as_one_sentence(text, limit) for text in models],
    )


def _as_one_sentence(text: tuple[str, ...], limit: LengthLimit) -> Summary:
    """Returns the text within the limit as one sentence."""
    return [b" ".join(running_text(all_as_bytes(text), limit))]
