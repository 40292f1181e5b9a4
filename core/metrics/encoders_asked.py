"""Which language models requests ask for, so that they can be opened before anything is scored."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.encoders import ANY_MODEL, LABEL
from awase.core.metrics.registry import metric_by_name

if TYPE_CHECKING:  # numpy is slow to import, and most scoring needs no model
    from awase.core.vectors.contextual import WordEncoder

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
    """
    asked = {
        dict(request.options).get(_OPTION, ANY_MODEL)
        for request in requests
        if uses_encoders(request.name)
    }
    found: dict[str, WordEncoder] = {}
    for one in sorted(asked):
        location = given if one == ANY_MODEL or LABEL.fullmatch(one) else one
        if location:
            found[one] = opened(location)
    return found
