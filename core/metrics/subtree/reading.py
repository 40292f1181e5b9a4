"""Texts read for comparison: their trees, and the vectors of their words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from awase.core.metrics.subtree.forest import Forest, ForestOptions, forest_of, joined
from awase.core.parsing.conllu import parse_of
from awase.core.records.parse import ParsedSentence
from awase.core.vectors.contextual import Floats32, Step, WordEncoder, spanned


class ReadSentence(NamedTuple):
    """A parsed sentence and (n_words, dimension) vectors of its words."""

    sentence: ParsedSentence
    vectors: Floats32


ReadTexts = Mapping[str, tuple[ReadSentence, ...]]
"""By text; mostly one sentence each."""


def read_texts(
    texts: Iterable[str], parses: Mapping[str, str], encoder: WordEncoder, step: Step
) -> ReadTexts:
    """Returns each text with its trees and vectors.

    Args:
        parses: In CoNLL-U; a text without one, which is white space, has no tree.
        step: Called now and then; raises `Cancelled`.
    """
    parsed = {
        text: parse_of(parses[text]) if text in parses else () for text in dict.fromkeys(texts)
    }
    sentences = [sentence for parse in parsed.values() for sentence in parse]
    vectors = iter(encoder.encode([spanned(sentence) for sentence in sentences], step))
    return {
        text: tuple(ReadSentence(sentence, next(vectors)) for sentence in parse)
        for text, parse in parsed.items()
    }


class Forests:
    """Forests of some texts, each looked at once."""

    def __init__(self, read: ReadTexts, options: ForestOptions) -> None:
        """Makes no forest yet."""
        self._read = read
        self._options = options
        self._known: dict[str, list[Forest]] = {}
        self._joined: dict[tuple[str, ...], Forest] = {}

    def forest_of_text(self, text: Sequence[str]) -> Forest:
        """Returns the forest of a text, given as its sentences."""
        key = tuple(text)
        if key not in self._joined:
            self._joined[key] = joined(one for part in key for one in self._of_sentence(part))
        return self._joined[key]

    def _of_sentence(self, sentence: str) -> list[Forest]:
        if sentence not in self._known:
            self._known[sentence] = [
                forest_of(tree, vectors, self._options) for tree, vectors in self._read[sentence]
            ]
        return self._known[sentence]
