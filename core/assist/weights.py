"""The numbers behind the confidence of `lexical-family`, with the data they were fitted on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any, Final

from awase.core.assist.evidence import ANOTHER_FEATURES, PAIR_FEATURES, SINGLE_FEATURES
from awase.core.assist.logistic import Logistic
from awase.core.errors import CorpusFormatError

CARRIED_FEATURES: Final = ("cosine", "share")
_FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    "single": SINGLE_FEATURES,
    "pair": PAIR_FEATURES,
    "another": ANOTHER_FEATURES,
    "carried": CARRIED_FEATURES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyWeights:
    """Everything that is fitted.

    Attributes:
        data: On which data, for people.
        n_sentences: Of how many abstract sentences.
        single: Whether the best candidate suffices by itself.
        pair: Whether the best two together do.
        another: Whether an alternative with one member exchanged is one, too.
        carried: Whether what was linked for a like abstract sentence holds for this one.
        closure: The share of near-duplicates of linked sentences that are alternatives, too.
    """

    data: str
    n_sentences: int
    single: Logistic
    pair: Logistic
    another: Logistic
    carried: Logistic
    closure: float


@cache
def shipped_weights() -> FamilyWeights:
    """Returns the weights that come with the program."""
    path = files("awase.resources").joinpath("assist", "lexical-family.json")
    return weights_of(path.read_text("utf-8"))


def weights_text(weights: FamilyWeights) -> str:
    """Returns weights as JSON, each number with the name of its feature."""
    parts: dict[str, Any] = {"data": weights.data, "n_sentences": weights.n_sentences}
    for name, features in _FEATURES.items():
        fitted: Logistic = getattr(weights, name)
        named = {
            feature: round(weight, 6)
            for feature, weight in zip(features, fitted.weights, strict=True)
        }
        parts[name] = {"intercept": round(fitted.intercept, 6), **named}
    parts["closure"] = round(weights.closure, 6)
    return json.dumps(parts, ensure_ascii=False, indent=2) + "\n"


def weights_of(text: str) -> FamilyWeights:
    """Returns the weights that JSON spells.

    Raises:
        CorpusFormatError: It is no JSON, lacks a number, or has a closure outside 0..1.
    """
    try:
        parts = json.loads(text)
        fitted = {name: _logistic(parts[name], features) for name, features in _FEATURES.items()}
        data, n_sentences = str(parts["data"]), int(parts["n_sentences"])
        closure = float(parts["closure"])
        if not 0.0 <= closure <= 1.0:
            raise ValueError("closure")
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise CorpusFormatError.of(
            "The weights of suggestions cannot be read: {reason}.",
            "Write them with awase assist-fit.",
            reason=f"{type(error).__name__} {error}",
        ) from error
    return FamilyWeights(data=data, n_sentences=n_sentences, closure=closure, **fitted)


def _logistic(part: Mapping[str, Any], features: tuple[str, ...]) -> Logistic:
    numbers = [float(part[name]) for name in ("intercept", *features)]
    if not all(map(isfinite, numbers)):
        raise ValueError("a number is not finite")
    return Logistic(intercept=numbers[0], weights=tuple(numbers[1:]))
