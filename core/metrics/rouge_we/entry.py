"""ROUGE-WE: what can be asked of it."""

from typing import Final

from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.shared import LIMIT, STOP, TOKENS, VECTORS


def _metric(name: str, *, what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.rouge_we.family",
        options=(STOP, LIMIT, TOKENS, VECTORS),
        page="rouge-we",
        needs=("vectors",),
    )


METRICS: Final = (
    _metric("rouge-we-1", what="words matched with the nearest in meaning (best-match variant)"),
    _metric("rouge-we-2", what="as rouge-we-1, of pairs of neighbouring words"),
    _metric("rouge-we-su4", what="as rouge-we-1, of pairs with up to 4 words between, and words"),
)
