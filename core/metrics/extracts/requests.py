"""What is asked of the TSC-3 metrics, with every option understood and checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from awase.core.errors import InputError
from awase.core.metrics.extracts.entry import CORPUS_WEIGHTS, FIRST, METRICS, STRICT, WEIGHTS
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.metrics.kit.annotators import Annotators
from awase.core.metrics.kit.metric import options_for
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import ANNOTATOR
from awase.core.metrics.kit.rational import exact_weight, weight_of, weight_text
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.records.corpus import RankWeights


@dataclass(frozen=True, slots=True, kw_only=True)
class Tsc3Request:
    """A metric of this family with its options understood.

    Attributes:
        metric: `precision`, `coverage` or `weighted-coverage`.
    """

    metric: str
    options: Tsc3Options
    annotators: Annotators
    spelled: Mapping[str, str] = field(compare=False)

    @property
    def annotator(self) -> str:
        """Returns how the option says whose alignments are meant."""
        return self.annotators.spelled

    @property
    def signature(self) -> str:
        """Returns the signature of its values, without facts and whose alignments they were."""
        return signature_text(self.metric, self.spelled)

    def signature_of(self, names: Iterable[str], facts: Mapping[str, str]) -> str:
        """Returns the signature of a value."""
        signed = {"annotator": self.annotators.signed(names)}
        return signature_text(self.metric, {**self.spelled, **signed, **facts})


def understood(request: MetricRequest, rank_weights: RankWeights) -> Tsc3Request:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, options_for(METRICS, request))
    spelled = {**chosen.spelled}
    weights = _weights(chosen.get(WEIGHTS), rank_weights)
    if WEIGHTS in chosen:
        written = "/".join(weight_text(weight) for _, weight in weights)
        spelled[WEIGHTS.name] = written or CORPUS_WEIGHTS
    annotators = Annotators.asked(chosen[ANNOTATOR])
    spelled[ANNOTATOR.name] = annotators.spelled
    return Tsc3Request(
        metric=request.name,
        options=Tsc3Options(first=chosen[FIRST], strict=chosen.get(STRICT), weights=weights),
        annotators=annotators,
        spelled=spelled,
    )


def _weights(text: str, rank_weights: RankWeights) -> tuple[tuple[str, Fraction], ...]:
    """Returns the weights in shares of the first: 2/1/0.6 and 1/0.5/0.3 give the same scores."""
    weights = _as_written(text, rank_weights)
    first = weights[0][1] if weights else Fraction(0)
    return tuple((rank, weight / first) for rank, weight in weights) if first else weights


def _as_written(text: str, rank_weights: RankWeights) -> tuple[tuple[str, Fraction], ...]:
    if text == CORPUS_WEIGHTS:
        return tuple((rank, exact_weight(weight)) for rank, weight in rank_weights)
    ranks = [rank for rank, _ in rank_weights]
    try:
        values = [weight_of(part.strip()) for part in text.split("/")]
    except ValueError:
        values = []
    if len(values) != len(ranks):
        raise InputError.of(
            "weights={value} does not give each rank a weight from 0.",
            "Write one weight a rank, in this order: {ranks}.",
            value=text, ranks="/".join(ranks),
        )  # fmt: skip
    return tuple(zip(ranks, values, strict=True))
