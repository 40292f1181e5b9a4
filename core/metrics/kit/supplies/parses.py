"""Whose parses scores rest on: how signatures name them, refused in words when they are others."""

import re

from awase.core.errors import InputError

ANY_PARSER = "any"
_DIGITS_IN_LABEL = 12
_DIGEST = re.compile(rf"@[0-9a-f]{{{_DIGITS_IN_LABEL}}}\Z")


def parser_of(asked: str, label: str) -> str:
    """Returns what made the parses, as signatures name it.

    Args:
        asked: `any`, a model, or a model with the digest of its parses.
        label: Of the parses that there are, `Supplies.parse_label`; empty = there are none.
    """
    if label and asked not in (ANY_PARSER, label, model_of(label)):
        raise InputError.of(
            "Parses by “{asked}” are asked for; those here are by “{model}”.",
            "Parse with that model, or leave parser out.",
            asked=asked,
            model=label,
        )
    return label or asked


def model_of(label: str) -> str:
    """Returns the model in a label, which may have no digest."""
    return _DIGEST.sub("", label)


def label_of_parses(model: str, digest: str) -> str:
    """Returns how signatures name the parses; empty when no model made any."""
    return f"{model}@{digest[:_DIGITS_IN_LABEL]}" if model else ""
