"""The ROUGE measures by name, parsed requests, and their counts.

Source: ROUGE-1.5.5 (`-n`, `-L`, `-w`, `-2`, `-u`); Lin (2004).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from awase.core.errors import InputError
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
    ParsedRequest,
    limit_with,
    options_for,
)
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.rouge.comparison import (
    REFERENCES,
    Batch,
    Counts,
    References,
    RougeComparison,
    numbered,
)
from awase.core.metrics.rouge.tokens import AS_IS, Lexicon, Preparation, Summary, sentences_of_all
from awase.core.metrics.rouge.units import (
    lcs_counts,
    ngram_counts,
    skip_bigram_counts,
    wlcs_counts,
)
from awase.core.progress import Reporter, Silent
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
    reporter: Reporter | None = None,
) -> list[dict[str, Counts]]:
    """Returns for each comparison the counts of each measure by its label.

    Args:
        comparisons: Systems and references by topic; large batches are cheaper.

    Warns:
        LostLettersWarning: Letters outside ASCII are deleted, for want of a tokeniser.
    """
    result: list[dict[str, Counts]] = [{} for _ in comparisons]
    for one in tallied(comparisons, measures, preparation, reporter):
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
    reporter: Reporter | None = None,
) -> list[Tallied]:
    """Returns the counts of `count` in few objects."""
    _keep_memory()
    lexicon = Lexicon(preparation)
    result: list[Tallied] = []
    n_done = 0
    for some in _portions(comparisons):
        batch = numbered([comparisons[index] for index in some], lexicon)
        result.append(Tallied(comparisons=some, by_label=dict(_counted(batch, measures))))
        n_done += len(some)
        (reporter or Silent()).advance(n_done, len(comparisons))
    return result


def _keep_memory() -> None:
    """Makes glibc retain freed memory for the next batch."""
    # Returning and refetching pages takes up to a fifth of the time. The limit grows with the
    # largest freed block (mallopt(3), M_MMAP_THRESHOLD), up to 32 MiB; this one is never written
    # to.
    np.empty(_KEPT_BYTES, np.uint8)


def _n_letters(summaries: Sequence[Summary]) -> int:
    return sum(map(len, chain.from_iterable(sentences_of_all(summaries))))


def _portions(comparisons: Sequence[RougeComparison]) -> Iterator[list[int]]:
    """Yields batches of comparisons by index."""
    # Of similar numbers of summaries, as arrays are as wide as the widest.
    portion: list[int] = []
    n_letters = fewest = 0
    for index in sorted(range(len(comparisons)), key=lambda index: len(comparisons[index].peers)):
        comparison = comparisons[index]
        size = _n_letters([*comparison.peers, *comparison.models])
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


def parse_request(request: MetricRequest, _supplies: Supplies = NO_SUPPLIES) -> RougeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, options_for(ROUGE, request))
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


def _preparation(chosen: Chosen, tokeniser: Tokeniser) -> Preparation:
    limit = limit_with(chosen[LIMIT], tokeniser)
    cut = tokeniser.for_limits if limit.tokens else tokeniser
    return Preparation(
        stem=chosen[STEM],
        drops_stop_words=chosen[STOP] and not tokeniser.drops_function_words,
        limit=limit,
        tokeniser=None if tokeniser.name == ASCII else cut.tokens,
    )
