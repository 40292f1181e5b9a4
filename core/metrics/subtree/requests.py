"""What is asked of subtree similarity, with every option understood and checked."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import MODEL, PARSER
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.encoders import encoder_asked
from awase.core.metrics.kit.supplies.parses import parser_of
from awase.core.metrics.kit.supplies.supplies import UNDECIDED, Supplies
from awase.core.metrics.subtree.entry import (
    DEDUPE,
    HEAD,
    KEY,
    METRICS,
    PUNCT,
    REFS,
    VECTOR,
)
from awase.core.metrics.subtree.forest import ForestOptions, HeadKey, SubtreeVector
from awase.core.vectors.contextual import WordEncoder
from awase.core.vectors.source import label_of

METRIC = "subtree"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubtreeRequest:
    """The metric with its options understood; equal to itself only.

    Attributes:
        takes_best: Whether the best reference counts, not the mean over all.
        encoder: What gives words their vectors; None = it was not asked for yet.
    """

    metric: str
    forest: ForestOptions
    by_head: bool
    takes_best: bool
    encoder: WordEncoder | None
    spelled: Mapping[str, str]

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, self.spelled)


def understood(request: MetricRequest, supplies: Supplies) -> SubtreeRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, METRICS[0].options)
    own = {PARSER.name: parser_of(chosen[PARSER], supplies.parse_label)}
    encoder = None
    if supplies is not UNDECIDED:
        encoder = encoder_asked(request.name, chosen[MODEL], supplies)
        own[MODEL.name] = label_of(encoder)
    return SubtreeRequest(
        metric=request.name,
        forest=ForestOptions(
            key=HeadKey(chosen[KEY]),
            drops_punctuation=chosen[PUNCT] == "drop",
            distinct=chosen[DEDUPE],
            vector=SubtreeVector(chosen[VECTOR]),
        ),
        by_head=chosen[HEAD],
        takes_best=chosen[REFS] == "max",
        encoder=encoder,
        spelled={**chosen.spelled, **own},
    )


def encoder_of(request: SubtreeRequest) -> WordEncoder:
    """Returns the model of a request that was understood with supplies.

    Raises:
        ValueError: It was understood without.
    """
    if request.encoder is None:
        raise ValueError("the request was understood without a model")
    return request.encoder
