"""Language models for metrics: which are asked for, and words for when they are not there."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from awase.core.errors import InputError, Missing
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import Supplies
from awase.core.metrics.registry import ANY_MODEL, metric_by_name
from awase.core.vectors.source import label_of

if TYPE_CHECKING:  # numpy is slow to import, and most scoring needs no model
    from awase.core.vectors.contextual import WordEncoder

_LABEL = re.compile(r"(?s:.+)@[0-9a-f]{12}")
_OPTION = "model"


def uses_encoders(name: str) -> bool:
    """Returns whether a metric needs a language model given; others find theirs themselves."""
    return _OPTION in metric_by_name(name).needs


def encoders_for(
    requests: Sequence[MetricRequest], given: str, opened: "Callable[[str], WordEncoder]"
) -> "dict[str, WordEncoder]":
    """Returns the models that the requests ask for, by what each request says.

    Args:
        requests: Some of whose metrics may need a model.
        given: Where the model is that is meant by `any`, and by a signature's spelling, which
            cannot be opened; empty = none was given.
        opened: Opens a folder or name.
    """
    asked = {
        dict(request.options).get(_OPTION, ANY_MODEL)
        for request in requests
        if uses_encoders(request.name)
    }
    found: dict[str, WordEncoder] = {}
    for one in sorted(asked):
        location = given if one == ANY_MODEL or _LABEL.fullmatch(one) else one
        if location:
            found[one] = opened(location)
    return found


def encoder_asked(metric: str, asked: str, supplies: Supplies) -> "WordEncoder":
    """Returns the model that a request asks for.

    Args:
        metric: Its name.
        asked: What the request says: `any`, a folder or name, or how a signature names it.
        supplies: What there is.

    Raises:
        InputError: It is not there, or the one that is given is another.
    """
    encoder = supplies.encoders.get(asked)
    if encoder is None:
        raise InputError.of(
            "{metric} needs a language model, and none was given.",
            "Its option model can name one: {metric}:model=FOLDER.",
            metric=metric,
            missing=Missing.MODEL,
        )
    label = label_of(encoder)
    if _LABEL.fullmatch(asked) and asked != label:
        raise InputError.of(
            "{metric} asks for the model {asked}; the one given is {label}.",
            "Give that model, or leave model out.",
            metric=metric,
            asked=asked,
            label=label,
        )
    return encoder
