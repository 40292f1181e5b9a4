"""What is asked of the ROUGE metrics, with every option understood and checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.metrics.kit.metric import options_for
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import (
    ALPHA,
    AVERAGE,
    LIMIT,
    REFS,
    STEM,
    STOP,
    TOKENS,
    limit_with,
)
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.rouge.entry import ANY_GAP, FORM, GAP, LEVEL, METRICS, WEIGHT
from awase.core.metrics.rouge.measures import ROUGE_L, Measures
from awase.core.metrics.rouge.tally import REFERENCES, References
from awase.core.metrics.rouge.tokens.preparation import Preparation
from awase.core.text.limits import LengthLimit
from awase.core.text.tokens.tokenisers import ASCII, CHARS, Tokeniser, tokeniser_called

_NGRAM = re.compile(r"rouge-([1-9])")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RougeRequest:
    """A metric of this family with its options understood; equal to itself only.

    Attributes:
        tokens: Name of the tokeniser, such as `ascii` or `ja`.
        weight: Of ROUGE-W; None for other metrics.
        gap: Of ROUGE-S and ROUGE-SU; None = no limit, or another metric.
    """

    metric: str
    preparation: Preparation
    tokens: str
    references: References
    alpha: float
    averages_as_perl: bool
    as_one_sentence: bool
    weight: float | None
    is_of_paper: bool
    gap: int | None
    spelled: Mapping[str, str]

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, self.spelled)

    @property
    def limit(self) -> LengthLimit:
        """Returns how much of each text counts."""
        return self.preparation.limit

    @property
    def sees_sentences(self) -> bool:
        """Returns whether it can matter how texts became sentences.

        Runs of n-grams go across sentences; but where lines that were wrapped are joined, words
        may be that lines alone would part.
        """
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


def understood(request: MetricRequest) -> RougeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, options_for(METRICS, request))
    tokeniser = tokeniser_called(chosen[TOKENS], stem=chosen[STEM], stop=chosen[STOP])
    gap = chosen.get(GAP)
    return RougeRequest(
        metric=request.name,
        preparation=_preparation(chosen, tokeniser),
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
