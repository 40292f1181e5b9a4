"""Made-up summaries with the word frequencies and overlaps of a summarisation corpus."""

import random
from itertools import accumulate

from awase.core.metrics.rouge.comparison import RougeComparison
from awase.core.metrics.rouge.tokens import stop_list
from awase.core.text.rouge_stemmer import wordnet_exceptions

_N_CONTENT_WORDS = 400
_SHARE_OF_FUNCTION_WORDS = 0.45
_ENDINGS = ("", "", "", "s", "ed", "ing", "ly", "ment", "ation", "er", "ness")


def comparisons(
    n_words: int, n_topics: int = 50, n_references: int = 4, n_systems: int = 20, seed: int = 2004
) -> list[RougeComparison]:
    """Returns topics whose summaries have `n_words` words in sentences of about 21."""
    rng = random.Random(seed)
    function_words = [word for word in stop_list() if word.isalpha()][:150]
    bases = sorted({base for base in wordnet_exceptions().values() if base.isalpha()})
    rng.shuffle(function_words)
    result = []
    for _ in range(n_topics):
        content = [rng.choice(bases) + rng.choice(_ENDINGS) for _ in range(_N_CONTENT_WORDS)]
        words = _Words(rng, function_words, content)
        models = [words.summary(n_words, []) for _ in range(n_references)]
        peers = [words.summary(n_words, models) for _ in range(n_systems)]
        result.append(RougeComparison(peers=peers, models=models))
    return result


class _Words:
    def __init__(self, rng: random.Random, function_words: list[str], content: list[str]) -> None:
        self._rng = rng
        self._kinds = [(function_words, _zipf(function_words)), (content, _zipf(content))]

    def summary(self, n_words: int, sources: list[list[str]]) -> list[str]:
        sentences = []
        while n_words > 0:
            length = min(n_words, max(6, min(45, round(self._rng.gauss(21, 8)))))
            sentences.append(self._sentence(length, sources))
            n_words -= length
        return sentences

    def _sentence(self, length: int, sources: list[list[str]]) -> str:
        words: list[str] = []
        while len(words) < length:
            if sources and self._rng.random() < 0.08:
                copied = self._rng.choice(self._rng.choice(sources)).split()
                begin = self._rng.randrange(len(copied))
                words += copied[begin : begin + 5]
            else:
                is_content = self._rng.random() > _SHARE_OF_FUNCTION_WORDS
                choices, weights = self._kinds[is_content]
                words += self._rng.choices(choices, cum_weights=weights)
        text = " ".join(words[:length])
        return text[0].upper() + text[1:] + "."


def _zipf(words: list[str]) -> list[float]:
    return [*accumulate(1 / (rank + 3) for rank in range(len(words)))]
