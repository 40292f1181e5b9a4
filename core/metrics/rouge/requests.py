"""What is asked of the ROUGE metrics, with every option understood and checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.errors import InputError
from awase.core.metrics.kit.option_values import alpha_of, choice_of, limit_of, plain_decimal
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.registry import metric_by_name
from awase.core.metrics.rouge.measures import ROUGE_L, Measures
from awase.core.metrics.rouge.references import REFERENCES, References
from awase.core.metrics.rouge.tokens.preparation import Preparation
from awase.core.text.limits import LengthLimit
from awase.core.text.tokens.tokenisers import ASCII, Tokeniser, tokeniser_called

_LARGEST_WEIGHT = 10
_GAP = re.compile(r"[0-9]{1,9}")
_NGRAM = re.compile(r"rouge-([1-9])")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RougeRequest:
    """A metric of this family with its options understood; equal to itself only.

    Attributes:
        metric: `rouge-1`, …, `rouge-su`.
        preparation: How text becomes tokens.
        tokens: Name of the tokeniser, such as `ascii` or `ja`.
        references: How several references make one score.
        alpha: Towards 1, F favours precision.
        averages_as_perl: Whether means are those of bootstrap resamples.
        as_one_sentence: Whether a summary is taken for one sentence.
        weight: Of ROUGE-W; None for other metrics.
        gap: Of ROUGE-S and ROUGE-SU; None = no limit, or another metric.
        spelled: Every option as signatures spell it.
    """

    metric: str
    preparation: Preparation
    tokens: str
    references: References
    alpha: float
    averages_as_perl: bool
    as_one_sentence: bool
    weight: float | None
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
    """Returns the request with its options read and checked.

    Raises:
        InputError: An option or its value does not exist.
    """
    chosen = request.chosen(metric_by_name(request.name).defaults)
    stem = choice_of(chosen, "stem", "no", "yes") == "yes"
    stop = choice_of(chosen, "stop", "no", "yes") == "yes"
    tokeniser = tokeniser_called(chosen["tokens"], stem=stem, stop=stop)
    chosen["tokens"] = tokeniser.id
    for option in ("alpha", "w"):
        if option in chosen:
            chosen[option] = plain_decimal(option, chosen[option])
    chosen["gap"] = _gap(chosen.get("gap", "*"))
    spelled = {option: chosen[option] for option in metric_by_name(request.name).defaults}
    return RougeRequest(
        metric=request.name,
        preparation=_preparation(chosen, tokeniser, stem=stem, stop=stop),
        tokens=tokeniser.name,
        references=REFERENCES[choice_of(chosen, "refs", *REFERENCES)],
        alpha=alpha_of(chosen["alpha"]),
        averages_as_perl=choice_of(chosen, "average", "plain", "perl") == "perl",
        as_one_sentence="level" in chosen
        and choice_of(chosen, "level", "summary", "sentence") == "sentence",
        weight=_weight(chosen["w"]) if "w" in chosen else None,
        gap=None if chosen["gap"] == "*" else int(chosen["gap"]),
        spelled=spelled,
    )


def _preparation(
    chosen: Mapping[str, str], tokeniser: Tokeniser, *, stem: bool, stop: bool
) -> Preparation:
    limit = limit_of(chosen["limit"], tokeniser)
    cut = tokeniser.for_limits if limit.tokens else tokeniser
    return Preparation(
        stem=stem,
        drops_stop_words=stop and not tokeniser.drops_function_words,
        limit=limit,
        tokeniser=None if tokeniser.name == ASCII else cut.tokens,
    )


def _gap(text: str) -> str:
    if text != "*" and not _GAP.fullmatch(text):
        raise InputError.of(
            "gap={value} is not a number of words.",
            "Use gap=* for any number, or a number from 0 such as gap=4.",
            value=text,
        )
    return text if text == "*" else str(int(text))


def _weight(text: str) -> float:
    value = float(text)
    if not 0 < value <= _LARGEST_WEIGHT:
        raise InputError.of(
            "w={weight} is no weight of ROUGE-W.", "Choose one over 0 and up to 10, such as w=1.2.",
            weight=text,
        )  # fmt: skip
    return value
