"""What is asked of subtree similarity, with every option understood and checked."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.metrics.kit.option_values import choice_of
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.encoders import encoder_asked
from awase.core.metrics.kit.supplies.parses import parser_of
from awase.core.metrics.kit.supplies.supplies import UNDECIDED, Supplies
from awase.core.metrics.registry import metric_by_name
from awase.core.metrics.subtree.forest import ForestOptions, HeadKey, SubtreeVector
from awase.core.vectors.contextual import WordEncoder
from awase.core.vectors.source import label_of

METRIC = "subtree"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubtreeRequest:
    """The metric with its options understood; equal to itself only.

    Attributes:
        metric: `subtree`.
        forest: How texts become subtrees.
        by_head: Whether heads decide what can be similar.
        takes_best: Whether the best reference counts, not the mean over all.
        encoder: What gives words their vectors; None = it was not asked for yet.
        spelled: Every option as signatures spell it.
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
    """Returns the request with its options read and checked.

    Raises:
        InputError: An option or its value does not exist, it asks for other parses, or there is no
            model.
    """
    defaults = metric_by_name(request.name).defaults
    chosen = request.chosen(defaults)
    options = ForestOptions(
        key=HeadKey(choice_of(chosen, "key", *(key.value for key in HeadKey))),
        drops_punctuation=choice_of(chosen, "punct", "keep", "drop") == "drop",
        distinct=choice_of(chosen, "dedupe", "yes", "no") == "yes",
        vector=SubtreeVector(choice_of(chosen, "vector", *(one.value for one in SubtreeVector))),
    )
    by_head = choice_of(chosen, "head", "yes", "no") == "yes"
    takes_best = choice_of(chosen, "refs", "mean", "max") == "max"
    chosen["parser"] = parser_of(chosen["parser"], supplies.parse_label)
    encoder = None
    if supplies is not UNDECIDED:
        encoder = encoder_asked(request.name, chosen["model"], supplies)
        chosen["model"] = label_of(encoder)
    return SubtreeRequest(
        metric=request.name,
        forest=options,
        by_head=by_head,
        takes_best=takes_best,
        encoder=encoder,
        spelled={option: chosen[option] for option in defaults},
    )


def encoder_of(request: SubtreeRequest) -> WordEncoder:
    """Returns the model of a request that was understood with supplies."""
    if request.encoder is None:
        raise ValueError("the request was understood without a model")
    return request.encoder
