"""What is compared: the summaries of systems with the references of one topic, as numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.tokens.lexicon import (
    Lexicon,
    Offsets,
    TokenizedTexts,
    compiled_numbers,
    starts_of,
)
from awase.core.metrics.rouge.tokens.token_numbers import DROPPED, END, Summary

Ids = NDArray[np.int64]

FOREIGN = 0
"""Id of every token that no reference of the topic has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeComparison:
    """Summaries to compare, each a sequence of sentences; a plain string is one sentence.

    Attributes:
        models: The references; order matters to `-f B`, where the first of equals wins.
    """

    peers: Sequence[Summary]
    models: Sequence[Summary]

    def __post_init__(self) -> None:
        for name, texts in (("peers", self.peers), ("models", self.models)):
            if isinstance(texts, str | bytes):
                raise TypeError(f"{name} is a single text; give a list of texts.")


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Token ids of one side of several comparisons, one comparison after the other.

    Attributes:
        ids: (n_tokens,) `FOREIGN`, or an id that no other comparison has.
        sentence_starts: (n_sentences + 1,) offsets into `ids`.
        text_starts: (n_texts + 1,) offsets into `sentence_starts`.
        starts: (n_comparisons + 1,) offsets of the comparisons into the texts.
        token_starts: (n_texts + 1,) offsets of the texts into `ids`.
        comparisons: (n_texts,) the comparison that each text belongs to.
        slots: (n_texts,) the place of each text in its comparison.
    """

    ids: Ids
    sentence_starts: Offsets
    text_starts: Offsets
    starts: Offsets
    token_starts: Offsets
    lengths: Offsets
    comparisons: Ids
    slots: Ids

    @cached_property
    def owners(self) -> Ids:
        """Returns (n_tokens,) the text that each token belongs to."""
        return np.repeat(np.arange(self.n_texts), self.lengths)

    @property
    def n_texts(self) -> int:
        """Returns how many texts there are."""
        return len(self.lengths)

    @property
    def n_slots(self) -> int:
        """Returns how many texts the comparison with the most of them has."""
        return int(np.diff(self.starts).max(initial=0))

    def part(self, comparisons: slice, first_id: int) -> "Texts":
        """Returns the texts of some comparisons, with ids that are lower by `first_id`."""
        starts = self.starts[comparisons.start : comparisons.stop + 1]
        part = _cut(self.ids, self.sentence_starts, self.text_starts, starts)
        return replace(part, ids=np.maximum(part.ids - first_id, FOREIGN))


def _cut(ids: Ids, sentence_starts: Offsets, text_starts: Offsets, starts: Offsets) -> Texts:
    """Returns the texts from `starts[0]` to `starts[-1]` of all."""
    text_starts = text_starts[starts[0] : starts[-1] + 1]
    sentence_starts = sentence_starts[text_starts[0] : text_starts[-1] + 1]
    ids = ids[sentence_starts[0] : sentence_starts[-1]]
    starts, text_starts, sentence_starts = (
        offsets - offsets[0] for offsets in (starts, text_starts, sentence_starts)
    )
    token_starts = sentence_starts[text_starts]
    lengths = np.diff(token_starts)
    comparisons = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return Texts(
        ids=ids,
        sentence_starts=sentence_starts,
        text_starts=text_starts,
        starts=starts,
        token_starts=token_starts,
        lengths=lengths,
        comparisons=comparisons,
        slots=np.arange(len(lengths)) - starts[comparisons],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Comparisons side by side; `running` and `apart` are the program's two readings of a text.

    Attributes:
        id_starts: (n_comparisons + 1,) the ids of comparison c are `id_starts[c] + 1` to
            `id_starts[c + 1]`.
    """

    peers: Texts
    models: Texts
    peers_apart: Texts
    models_apart: Texts
    id_starts: Offsets

    @property
    def n_comparisons(self) -> int:
        """Returns how many comparisons there are."""
        return len(self.id_starts) - 1

    @property
    def n_ids(self) -> int:
        """Returns the largest id."""
        return int(self.id_starts[-1])

    def parts(self, costs: NDArray[np.int64], most: int) -> Iterator["Batch"]:
        """Yields batches of consecutive comparisons that cost up to `most` if they can."""
        begin, total = 0, 0
        for index, cost in enumerate(costs.tolist()):
            if begin < index and total + cost > most:
                yield self._part(slice(begin, index))
                begin, total = index, 0
            total += cost
        yield self._part(slice(begin, len(costs)))

    def _part(self, comparisons: slice) -> "Batch":
        if comparisons == slice(0, self.n_comparisons):
            return self
        id_starts = self.id_starts[comparisons.start : comparisons.stop + 1]
        first_id = int(id_starts[0])
        peers, models = (side.part(comparisons, first_id) for side in (self.peers, self.models))
        is_one = self.peers_apart is self.peers
        return replace(
            self,
            peers=peers,
            models=models,
            peers_apart=peers if is_one else self.peers_apart.part(comparisons, first_id),
            models_apart=models if is_one else self.models_apart.part(comparisons, first_id),
            id_starts=id_starts - first_id,
        )


def numbered(comparisons: Sequence[RougeComparison], lexicon: Lexicon) -> Batch:
    """Returns the comparisons as ids."""
    models = [summary for comparison in comparisons for summary in comparison.models]
    peers = [summary for comparison in comparisons for summary in comparison.peers]
    starts_of_models = np.cumsum([0, *(len(comparison.models) for comparison in comparisons)])
    starts_of_peers = np.cumsum([0, *(len(comparison.peers) for comparison in comparisons)])
    starts_of_peers += len(models)
    reading = lexicon.read([*models, *peers])
    ids, sentence_starts, id_starts = compiled_numbers(
        reading, starts_of_models, starts_of_peers
    ) or _numbers(reading, starts_of_models, starts_of_peers)
    n_texts = len(models) + len(peers)
    sides = [
        [
            _cut(ids, sentence_starts, reading.text_starts, starts + reading_idx * n_texts)
            for starts in (starts_of_models, starts_of_peers)
        ]
        for reading_idx in range(reading.n_readings)
    ]
    return Batch(
        models=sides[0][0],
        peers=sides[0][1],
        models_apart=sides[-1][0],
        peers_apart=sides[-1][1],
        id_starts=id_starts,
    )


def _numbers(
    reading: TokenizedTexts, starts_of_models: Offsets, starts_of_peers: Offsets
) -> tuple[Ids, Offsets, Offsets]:
    """Returns what `compiled_numbers` returns, ids being in another order."""
    marks = reading.words[reading.kinds]
    marks = marks[marks != DROPPED]
    lengths = np.diff(np.flatnonzero(marks == END), prepend=-1) - 1
    words, sentence_starts = marks[marks != END], starts_of(lengths)
    n_comparisons, n_words = len(starts_of_models) - 1, int(reading.words.max(initial=0)) + 1
    comparison_of = np.repeat(
        np.tile(np.arange(n_comparisons), 2),
        np.concatenate([np.diff(starts_of_models), np.diff(starts_of_peers)]),
    )
    is_model = np.arange(len(comparison_of)) < starts_of_models[-1]
    lengths = np.diff(sentence_starts[reading.text_starts])
    # One table for all of them: a row for each comparison, a column for each word.
    cells = words + np.repeat(np.tile(comparison_of * n_words, reading.n_readings), lengths)
    id_of = np.zeros(n_comparisons * n_words, np.int64)
    id_of[cells[np.repeat(np.tile(is_model, reading.n_readings), lengths)]] = 1
    known = np.flatnonzero(id_of)
    id_of[known] = np.arange(1, len(known) + 1)
    id_starts = np.searchsorted(known, np.arange(n_comparisons + 1) * n_words)
    return id_of[cells], sentence_starts, id_starts


def histogram(units: Ids, owners: Ids, n_texts: int, n_units: int) -> Ids:
    """Returns (n_texts, n_units + 1) how often each text has each unit.

    Args:
        units: (n,) from 0 to `n_units`.
        owners: (n,) the text that each belongs to.
    """
    cells = np.bincount(owners * (n_units + 1) + units, minlength=n_texts * (n_units + 1))
    return cells.reshape(n_texts, n_units + 1)
