"""Language models for metrics: which are asked for, and words for when they are not there."""

import re
from typing import TYPE_CHECKING

from awase.core.errors import InputError, Missing
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.vectors.source import label_of

if TYPE_CHECKING:  # numpy is slow to import, and most scoring needs no model
    from awase.core.vectors.contextual import WordEncoder

ANY_MODEL = "any"
LABEL = re.compile(r"(?s:.+)@[0-9a-f]{12}")


def encoder_asked(metric: str, asked: str, supplies: Supplies) -> "WordEncoder":
    """Returns the model that a request asks for.

    Args:
        asked: What the request says: `any`, a folder or name, or how a signature names it.
    """
    encoder = supplies.encoders.get(asked)
    if encoder is None:
        raise InputError.of(
            "{metric} needs a language model, and none was given.",
            metric=metric,
            missing=Missing.MODEL,
        )
    label = label_of(encoder)
    if LABEL.fullmatch(asked) and asked != label:
        raise InputError.of(
            "{metric} asks for the model {asked}; the one given is {label}.",
            "Give that model, or leave model out.",
            metric=metric,
            asked=asked,
            label=label,
        )
    return encoder
