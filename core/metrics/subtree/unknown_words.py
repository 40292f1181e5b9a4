"""Words that a language model does not know, counted so that a reader of scores is told."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from awase.core.errors import Problem
from awase.core.metrics.subtree.reading import ReadTexts

_MANY: Final = 0.02

_UNKNOWN = Problem(
    what="{percent} % of the words are unknown to the model “{model}”; they are like nothing.",
    hint="Check that the model is of the corpus's language.",
)


class UnknownWords:
    """Counts the words without a vector."""

    def __init__(self) -> None:
        self._words: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])

    def note(self, model: str, read: ReadTexts) -> None:
        """Takes note of texts read by a model."""
        counts = self._words[model]
        for sentences in read.values():
            for _, vectors in sentences:
                counts[0] += len(vectors)
                counts[1] += int((~vectors.any(axis=1)).sum())

    def problems(self) -> Iterator[Problem]:
        """Yields a warning for each model that does not know many words."""
        for model, (n_words, n_unknown) in self._words.items():
            if n_unknown > _MANY * n_words:
                percent = f"{100 * n_unknown / n_words:.0f}"
                yield replace(_UNKNOWN, fields={"percent": percent, "model": model})
