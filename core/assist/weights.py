"""Fitted weights of suggestions, and the logistic functions they belong to."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any, Final, Generic, TypeVar

from awase.core.assist.evidence import ANOTHER_FEATURES, PAIR_FEATURES, SINGLE_FEATURES
from awase.core.errors import CorpusFormatError
from awase.core.records.source import Document
from awase.core.records.topic import Topic

# Penalty on the weights of standardised features, so that a clean split stays finite.
RIDGE: Final = 1.0

_MOST_STEPS: Final = 100
_CLOSE_ENOUGH: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A fitted regression."""

    intercept: float  # log odds when all features are 0
    weights: tuple[float, ...]  # one a feature, in the features' order

    def probability(self, features: Sequence[float]) -> float:
        """Returns 0..1 for as many features as there are weights."""
        odds = self.intercept + sum(
            weight * feature for weight, feature in zip(self.weights, features, strict=True)
        )
        return 1.0 / (1.0 + math.exp(-odds)) if odds > -700 else 0.0


def fitted_logistic(rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> Logistic:
    """Fits a logistic regression by penalised maximum likelihood.

    Newton's method on standardised features with a ridge penalty of 1 on their weights; the
    intercept is free. `rows` is (n, n_features), n from 1, `labels` (n,).
    """
    import numpy as np  # whoever asks for a probability needs none

    raw = np.asarray(rows, dtype=float)
    right = np.asarray(labels, dtype=float)
    mean, scale = raw.mean(axis=0), raw.std(axis=0)
    scale[scale == 0.0] = 1.0
    matrix = np.column_stack([np.ones(len(raw)), (raw - mean) / scale])
    penalty = np.full(matrix.shape[1], RIDGE)
    penalty[0] = 1e-6
    weights = np.zeros(matrix.shape[1])
    for _ in range(_MOST_STEPS):
        share = 1.0 / (1.0 + np.exp(-np.clip(matrix @ weights, -30.0, 30.0)))
        gradient = matrix.T @ (right - share) - penalty * weights
        curvature = (matrix.T * (share * (1.0 - share))) @ matrix + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if float(np.abs(step).max()) < _CLOSE_ENOUGH:
            break
    slopes = weights[1:] / scale
    return Logistic(
        intercept=float(weights[0] - slopes @ mean), weights=tuple(float(one) for one in slopes)
    )


CARRIED_FEATURES: Final = ("cosine", "share")
_FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    "single": SINGLE_FEATURES,
    "pair": PAIR_FEATURES,
    "another": ANOTHER_FEATURES,
    "carried": CARRIED_FEATURES,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyWeights:
    """All fitted weights."""

    data: str
    n_sentences: int
    single: Logistic
    pair: Logistic
    another: Logistic
    carried: Logistic
    closure: float


@cache
def shipped_weights() -> FamilyWeights:
    """Returns the built-in weights."""
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
    """Returns the weights that JSON spells."""
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


Read = TypeVar("Read")


class Fitted(Generic[Read]):
    """Caches what was read from a topic's documents until they change."""

    def __init__(self, weights: FamilyWeights | None, read: Callable[[Topic], Read]) -> None:
        """`weights` None = the built-in ones."""
        self.weights = weights or shipped_weights()
        self._read = read
        self._last: tuple[tuple[Document, ...], Read] | None = None

    def reading(self, topic: Topic) -> Read:
        """Returns the cached reading; alignments may change meanwhile."""
        if self._last is None or self._last[0] is not topic.documents:
            self._last = topic.documents, self._read(topic)
        return self._last[1]
