"""Random texts whose sentences share words and pairs of words about as news on one event does."""

import random
from collections import Counter
from itertools import pairwise

from awase.core.solvers.budget import BudgetProblem

_N_WORDS = 1_500
_N_FOLLOWERS = 12
_SHARE_OF_FOLLOWERS = 0.75
_SENTENCE, _EDU = (12, 38), (4, 16)


class Writer:
    """Writes text: words by Zipf's law, each with a few words that often follow it."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._weights = [1 / (rank + 3) for rank in range(_N_WORDS)]
        words = range(_N_WORDS)
        self._followers = [rng.choices(words, self._weights, k=_N_FOLLOWERS) for _ in words]

    def text(self, n_words: int) -> list[str]:
        """Returns so many words."""
        rng = self._rng
        words = rng.choices(range(_N_WORDS), self._weights, k=n_words)
        for idx in range(1, n_words):
            if rng.random() < _SHARE_OF_FOLLOWERS:
                followers = self._followers[words[idx - 1]]
                words[idx] = followers[int(_N_FOLLOWERS * rng.random() ** 2)]
        return [f"w{word}" for word in words]

    def units(self, n_units: int, shortest: int, longest: int) -> list[list[str]]:
        """Returns so many units of text."""
        return [self.text(self._rng.randint(shortest, longest)) for _ in range(n_units)]


def bigrams(words: list[str]) -> Counter[tuple[str, str]]:
    return Counter(pairwise(words))


def rouge_2_instance(rng: random.Random, kind: str, n_units: int, limit: int) -> BudgetProblem:
    """Returns the problem of an oracle for ROUGE-2.

    Args:
        rng: Decides everything.
        kind: `sentences` or `EDUs`.
        n_units: Of the source.
        limit: In words; the reference is as long.
    """
    writer = Writer(rng)
    units = writer.units(n_units, *(_SENTENCE if kind == "sentences" else _EDU))
    reference = bigrams(writer.text(limit))
    numbers = {bigram: number for number, bigram in enumerate(reference)}
    return BudgetProblem(
        lengths=tuple(map(len, units)),
        gains=tuple(
            {numbers[b]: n for b, n in bigrams(unit).items() if b in numbers} for unit in units
        ),
        caps=tuple(reference.values()),
        limit=limit,
    )
