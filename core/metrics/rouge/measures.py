"""The ROUGE measures by name, parsed requests, and their counts; texts are read once, if possible.

Source: ROUGE-1.5.5 (`-n`, `-L`, `-w`, `-2`, `-u`); Lin (2004).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import InputError, OneOfSeveral, Reporter
from awase.core.metrics.entries import ANY_GAP, FORM, GAP, LEVEL, ROUGE, WEIGHT
from awase.core.metrics.kit.metric import (
    ALPHA,
    AVERAGE,
    LIMIT,
    REFS,
    STEM,
    STOP,
    TOKENS,
    Chosen,
    LengthLimit,
    ParsedRequest,
    limit_with,
    running_text,
)
from awase.core.metrics.kit.runner import Case, Mean, Values, plain_mean
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import ALONE, StillWanted, Supplies, Workers
from awase.core.metrics.rouge.comparison import (
    REFERENCES,
    Batch,
    Counts,
    References,
    RougeComparison,
    numbered,
    perl_mean,
)
from awase.core.metrics.rouge.tokens import (
    AS_IS,
    DROPPED,
    Lexicon,
    Numbers,
    Preparation,
    Summary,
    all_as_bytes,
    sentences_of_all,
    tokens_of_text,
)
from awase.core.metrics.rouge.units import lcs_counts, ngram_counts, skip_bigram_counts, wlcs_counts
from awase.core.text.tokenisers import ASCII, CHARS, Tokeniser, tokeniser_called

MOST_LETTERS = 1 << 20  # of a portion: its arrays then stay in a processor's cache
_KEPT_BYTES = 31 << 20
ROUGE_L = "ROUGE-L"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Which measures to compute; labels are those that ROUGE-1.5.5 prints."""

    longest_ngram: int = 0  # ROUGE-1 to this; 0 = none
    lcs: bool = False
    weight: float | None = None  # of ROUGE-W; None = none
    skip: bool = False
    gap: int | None = None  # most words between the two of a pair; None = no limit
    weight_label: str = ""  # the weight as the label spells it; empty = its shortest decimal
    # The gap as labels spell it; empty = its shortest decimal, `*` without limit.
    gap_label: str = ""

    def __post_init__(self) -> None:
        if self.weight is not None and not self.weight > 0:
            raise InputError.of(
                "A ROUGE-W weight of {weight} is impossible.",
                "Choose one over 0, such as 1.2.",
                weight=self.weight,
            )

    @property
    def label_w(self) -> str:
        """Returns the label of ROUGE-W."""
        return f"ROUGE-W-{self.weight_label or f'{self.weight:g}'}"

    @property
    def label_s(self) -> str:
        """Returns the label of ROUGE-S."""
        return f"ROUGE-S{self._gap_as_printed}"

    @property
    def label_su(self) -> str:
        """Returns the label of ROUGE-SU."""
        return f"ROUGE-SU{self._gap_as_printed}"

    @property
    def _gap_as_printed(self) -> str:
        return self.gap_label or ("*" if self.gap is None else str(self.gap))


def count(
    comparisons: Sequence[RougeComparison],
    measures: Measures,
    preparation: Preparation = AS_IS,
) -> list[dict[str, Counts]]:
    """Returns for each comparison the counts of each measure by its label.

    Args:
        comparisons: Systems and references by topic; large batches are cheaper.

    Warns:
        LostLettersWarning: Letters outside ASCII are deleted, for want of a tokeniser.
    """
    result: list[dict[str, Counts]] = [{} for _ in comparisons]
    for one in tallied(comparisons, measures, preparation):
        for label, tally in one.by_label.items():
            for index, counts in zip(one.comparisons, tally.by_comparison(), strict=True):
                result[index][label] = counts
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallied:
    """Counts of some comparisons."""

    comparisons: list[int]
    by_label: dict[str, Counts]  # for each measure the counts of these comparisons


def tallied(
    comparisons: Sequence[RougeComparison],
    measures: Measures,
    preparation: Preparation = AS_IS,
) -> list[Tallied]:
    """Returns the counts of `count` in few objects."""
    # Makes glibc retain freed memory for the next batch: returning and refetching pages takes up to
    # a fifth of the time. The limit grows with the largest freed block (mallopt(3),
    # M_MMAP_THRESHOLD), up to 32 MiB; this one is never written to.
    np.empty(_KEPT_BYTES, np.uint8)
    lexicon = Lexicon(preparation)
    result: list[Tallied] = []
    for some in _portions(comparisons):
        batch = numbered([comparisons[index] for index in some], lexicon)
        result.append(Tallied(comparisons=some, by_label=dict(_counted(batch, measures))))
    return result


def _portions(comparisons: Sequence[RougeComparison]) -> Iterator[list[int]]:
    """Yields batches of comparisons by index."""
    # Of similar numbers of summaries, as arrays are as wide as the widest.
    portion: list[int] = []
    n_letters = fewest = 0
    for index in sorted(range(len(comparisons)), key=lambda index: len(comparisons[index].peers)):
        comparison = comparisons[index]
        sentences = sentences_of_all([*comparison.peers, *comparison.models])
        size = sum(map(len, chain.from_iterable(sentences)))
        n_peers = len(comparison.peers)
        if portion and (n_letters + size > MOST_LETTERS or n_peers > 2 * fewest):
            yield portion
            portion, n_letters = [], 0
        fewest = n_peers if not portion else fewest
        n_letters += size
        portion.append(index)
    if portion:
        yield portion


def _counted(batch: Batch, measures: Measures) -> Iterator[tuple[str, Counts]]:
    """Yields each measure's label and counts."""
    for n, tally in enumerate(ngram_counts(batch, measures.longest_ngram), start=1):
        yield f"ROUGE-{n}", tally
    if measures.skip:
        pairs, pairs_and_words = skip_bigram_counts(batch, measures.gap)
        yield measures.label_s, pairs
        yield measures.label_su, pairs_and_words
    if measures.lcs:
        yield ROUGE_L, lcs_counts(batch)
    if measures.weight is not None:
        yield measures.label_w, wlcs_counts(batch, measures.weight)


_NGRAM = re.compile(r"rouge-([1-9])")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RougeRequest(ParsedRequest):
    """A metric of this family with parsed options; compared by identity."""

    preparation: Preparation
    references: References
    alpha: float
    averages_as_perl: bool
    as_one_sentence: bool
    weight: float | None  # of ROUGE-W; None for other metrics
    is_of_paper: bool
    gap: int | None  # of ROUGE-S and ROUGE-SU; None = no limit, or another metric

    @property
    def sees_sentences(self) -> bool:
        """Whether sentence splitting can matter."""
        # N-grams cross sentences; but where wrapped lines are joined, words may arise that lines
        # would split.
        if self.metric in ("rouge-l", "rouge-w") and not self.is_of_paper:
            return not self.as_one_sentence or self._may_join_words
        return self._may_join_words

    @property
    def _may_join_words(self) -> bool:
        is_cut = self.limit.words or self.limit.bytes or self.limit.tokens
        return bool(is_cut) or self.tokens not in (ASCII, CHARS)

    @property
    def longest_ngram(self) -> int:
        """Returns the n of ROUGE-N; 0 for other metrics."""
        ngram = _NGRAM.fullmatch(self.metric)
        return int(ngram[1]) if ngram else 0

    @property
    def has_pairs(self) -> bool:
        """Returns whether it is ROUGE-S or ROUGE-SU."""
        return self.metric in ("rouge-s", "rouge-su")

    def label(self, measures: Measures) -> str:
        """Returns the label of its counts."""
        by_metric = {"rouge-l": ROUGE_L, "rouge-s": measures.label_s, "rouge-su": measures.label_su}
        if self.metric == "rouge-w":
            return measures.label_w
        return by_metric.get(self.metric, f"ROUGE-{self.longest_ngram}")


def parse_request(request: MetricRequest, _supplies: Supplies | None = None) -> RougeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of_family(request, ROUGE)
    tokeniser = tokeniser_called(chosen[TOKENS], stem=chosen[STEM], stop=chosen[STOP])
    gap, preparation = chosen.get(GAP), _preparation(chosen, tokeniser)
    return RougeRequest(
        metric=request.name,
        preparation=preparation,
        limit=preparation.limit,
        tokens=tokeniser.name,
        references=REFERENCES[chosen[REFS]],
        alpha=float(chosen[ALPHA]),
        averages_as_perl=chosen[AVERAGE] == "perl",
        as_one_sentence=chosen.get(LEVEL) == "sentence",
        weight=float(chosen[WEIGHT]) if WEIGHT in chosen else None,
        is_of_paper=chosen.get(FORM) == "paper",
        gap=None if gap == ANY_GAP else int(gap),
        spelled={**chosen.spelled, TOKENS.name: tokeniser.id},
    )


def mean_for(averages_as_perl: bool) -> Mean:
    """Returns the mean over topics: that of ROUGE-1.5.5's resamples, or the plain one."""
    return perl_mean if averages_as_perl else plain_mean


def _preparation(chosen: Chosen, tokeniser: Tokeniser) -> Preparation:
    limit = limit_with(chosen[LIMIT], tokeniser)
    cut = tokeniser.for_limits if limit.tokens else tokeniser
    return Preparation(
        stem=chosen[STEM],
        drops_stop_words=chosen[STOP] and not tokeniser.drops_function_words,
        limit=limit,
        tokeniser=None if tokeniser.name == ASCII else cut.tokens,
    )


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
    found, known = Scored.nothing(len(cases)), Numbers(request.preparation.reduction())
    limit, weight = request.limit, request.weight or 1.0

    def read(text: Sequence[str]) -> list[int]:
        kept = running_text(all_as_bytes(text), limit)
        tokens = tokens_of_text(kept, request.preparation.tokeniser, limit.tokens)
        return [n for n in known.numbers_of(chain.from_iterable(tokens)) if n != DROPPED]

    for idx, case in enumerate(cases):
        if len(case.references) > 1 and request.spelled["refs"] != "b":
            raise InputError.of(
                "ROUGE-W of the paper has no sum over several references.", "Choose refs=b."
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
    references: tuple[tuple[str, ...], ...] = ()
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
    count_portion = partial(_count_portion, measures, preparation)
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


def _count_portion(
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
