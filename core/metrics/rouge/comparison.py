"""What is compared: the summaries of systems with the references of one topic, as numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.lexicon import Lexicon, NumberedTexts, Offsets
from awase.core.metrics.rouge.token_numbers import Summary, as_bytes

LocalIds = NDArray[np.int64]

FOREIGN = 0
"""Local id of every token that no reference of the topic has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Summaries to compare, each a sequence of sentences.

    Attributes:
        peers: Of the systems.
        models: The references; order matters to `-f B`, where the first of equals wins.
    """

    peers: Sequence[Summary]
    models: Sequence[Summary]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTexts:
    """Token ids of several texts, numbered within one comparison.

    Attributes:
        ids: (n_tokens,) `FOREIGN` or 1 to n_local.
        sentence_starts: (n_sentences + 1,) offsets into `ids`.
        text_starts: (n_texts + 1,) offsets into `sentence_starts`.
        token_starts: (n_texts + 1,) offsets of the texts into `ids`.
        lengths: (n_texts,) numbers of tokens.
        owners: (n_tokens,) the text that each token belongs to.
    """

    ids: LocalIds
    sentence_starts: Offsets
    text_starts: Offsets
    token_starts: Offsets
    lengths: Offsets
    owners: Offsets

    @property
    def n_texts(self) -> int:
        """Returns how many texts there are."""
        return len(self.lengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedComparison:
    """One comparison as ids; `running` and `apart` are the program's two readings of a text.

    Attributes:
        peers: Running texts of the systems.
        models: Running texts of the references.
        peers_apart: The systems' sentences for ROUGE-L and ROUGE-W.
        models_apart: The references' sentences for ROUGE-L and ROUGE-W.
        n_local: Largest local id.
    """

    peers: LocalTexts
    models: LocalTexts
    peers_apart: LocalTexts
    models_apart: LocalTexts
    n_local: int


def numbered(comparisons: Sequence[Comparison], lexicon: Lexicon) -> list[NumberedComparison]:
    """Returns the comparisons as ids, each numbered on its own."""
    texts = [
        [as_bytes(sentence) for sentence in summary]
        for comparison in comparisons
        for summary in (*comparison.models, *comparison.peers)
    ]
    running, apart = lexicon.read(texts)
    local_of = np.zeros(lexicon.n_ids, np.int64)
    result: list[NumberedComparison] = []
    first = 0
    for comparison in comparisons:
        split = first + len(comparison.models)
        last = split + len(comparison.peers)
        bounds = (first, split, last)
        for texts_of_models in (running, apart):
            local_of[_ids(texts_of_models, first, split)] = 1
        known = np.flatnonzero(local_of)
        local_of[known] = np.arange(1, len(known) + 1)
        models, peers = _local(running, bounds, local_of)
        models_apart, peers_apart = (
            (models, peers) if apart is running else _local(apart, bounds, local_of)
        )
        result.append(
            NumberedComparison(
                peers=peers,
                models=models,
                peers_apart=peers_apart,
                models_apart=models_apart,
                n_local=len(known),
            )
        )
        local_of[known] = FOREIGN
        first = last
    return result


def _ids(texts: NumberedTexts, first: int, last: int) -> NDArray[np.int32]:
    begin, end = texts.sentence_starts[texts.text_starts[[first, last]]]
    return texts.ids[begin:end]


def _local(
    texts: NumberedTexts, bounds: tuple[int, int, int], local_of: LocalIds
) -> tuple[LocalTexts, LocalTexts]:
    first, split, last = bounds
    return _cut(texts, first, split, local_of), _cut(texts, split, last, local_of)


def _cut(texts: NumberedTexts, first: int, last: int, local_of: LocalIds) -> LocalTexts:
    text_starts = texts.text_starts[first : last + 1]
    sentence_starts = texts.sentence_starts[text_starts[0] : text_starts[-1] + 1]
    ids = local_of[texts.ids[sentence_starts[0] : sentence_starts[-1]]]
    sentence_starts = sentence_starts - sentence_starts[0]
    text_starts = text_starts - text_starts[0]
    token_starts = sentence_starts[text_starts]
    lengths = token_starts[1:] - token_starts[:-1]
    return LocalTexts(
        ids=ids,
        sentence_starts=sentence_starts,
        text_starts=text_starts,
        token_starts=token_starts,
        lengths=lengths,
        owners=np.repeat(np.arange(len(lengths)), lengths),
    )


def histogram(units: LocalIds, owners: LocalIds, n_texts: int, n_units: int) -> LocalIds:
    """Returns (n_texts, n_units + 1) how often each text has each unit.

    Args:
        units: (n,) from 0 to `n_units`.
        owners: (n,) the text that each belongs to.
        n_texts: Number of texts.
        n_units: Largest unit.
    """
    cells = np.bincount(owners * (n_units + 1) + units, minlength=n_texts * (n_units + 1))
    return cells.reshape(n_texts, n_units + 1)
