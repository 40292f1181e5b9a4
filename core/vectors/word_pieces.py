"""Sentences as a language model reads them: word pieces, the words that they are of, windows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from awase.core.vectors.contextual import SpannedWords

_NO_LIMIT = 100_000
_USUAL_LIMIT = 512
_POSITIONS_BEFORE_FIRST = 2
_ANY_TEXT = "a"


class Tokenizer(Protocol):
    """What is used of a tokenizer of `transformers`."""

    is_fast: bool
    model_max_length: int
    pad_token_id: int | None
    unk_token_id: int | None

    # What comes back depends on the arguments.
    def __call__(self, text: str, **options: bool) -> Mapping[str, Any]:
        """Returns the numbers of a text's pieces under `input_ids`, and what else is asked for."""
        ...


class Pieces(NamedTuple):
    """A sentence cut into pieces.

    Attributes:
        ids: Their numbers.
        of_words: Places of each word's pieces among them; none of a word that has no piece, or no
            other than the one that stands for what the model does not know.
    """

    ids: list[int]
    of_words: list[list[int]]


class Window(NamedTuple):
    """A stretch of a sentence's pieces that a model reads at once.

    Attributes:
        start: The first.
        stop: Behind the last.
        counted: The part of it whose vectors count: from, to behind the last.
    """

    start: int
    stop: int
    counted: tuple[int, int]


def pieces_of(sentence: SpannedWords, tokenizer: Tokenizer) -> Pieces:
    """Returns the pieces of a sentence.

    They are those of the whole sentence, and each is of every word whose letters it has. A
    tokenizer that cannot tell where pieces stand is given the words one by one.
    """
    cut = _cut_whole if tokenizer.is_fast else _cut_by_words
    ids, of_words = cut(sentence, tokenizer)
    known = [one != tokenizer.unk_token_id for one in ids]
    return Pieces(
        ids, [places if any(known[place] for place in places) else [] for places in of_words]
    )


def _cut_by_words(sentence: SpannedWords, tokenizer: Tokenizer) -> Pieces:
    ids: list[int] = []
    of_words: list[list[int]] = []
    for start, stop in sentence.spans:
        found = tokenizer(sentence.text[start:stop], add_special_tokens=False)["input_ids"]
        of_words.append([*range(len(ids), len(ids) + len(found))])
        ids += found
    return Pieces(ids, of_words)


def _cut_whole(sentence: SpannedWords, tokenizer: Tokenizer) -> Pieces:
    # Said to be too long, a sentence is read in windows: nobody needs the tokenizer's warning.
    encoded = tokenizer(
        sentence.text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    owners: list[list[int]] = [[] for _ in sentence.text]
    for word_idx, (start, stop) in enumerate(sentence.spans):
        for letter in range(start, stop):
            owners[letter].append(word_idx)
    of_words: list[list[int]] = [[] for _ in sentence.spans]
    for place, (start, stop) in enumerate(encoded["offset_mapping"]):
        for word_idx in sorted({one for letter in owners[start:stop] for one in letter}):
            of_words[word_idx].append(place)
    return Pieces([*encoded["input_ids"]], of_words)


def windows_of(n_pieces: int, size: int) -> Iterator[Window]:
    """Yields windows of up to `size` pieces, each half over the one before.

    Each piece counts in the window in whose middle half it is, so that it is read with at least a
    quarter of a window around it, where the sentence has that.

    >>> [*windows_of(3, 8)]
    [Window(start=0, stop=3, counted=(0, 3))]
    >>> [tuple(window) for window in windows_of(13, 8)]
    [(0, 8, (0, 6)), (4, 12, (6, 10)), (8, 13, (10, 13))]
    """
    half, quarter = max(size // 2, 1), size // 4
    start = counted = 0
    while True:
        stop = min(start + size, n_pieces)
        until = n_pieces if stop == n_pieces else stop - quarter
        yield Window(start, stop, (counted, until))
        if stop == n_pieces:
            return
        start, counted = start + half, until


def around(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Returns the numbers of the pieces that a model wants before and behind every text."""
    bare = [*tokenizer(_ANY_TEXT, add_special_tokens=False)["input_ids"]]
    whole = [*tokenizer(_ANY_TEXT, add_special_tokens=True)["input_ids"]]
    for start in range(len(whole) - len(bare) + 1):
        if bare and whole[start : start + len(bare)] == bare:
            return whole[:start], whole[start + len(bare) :]
    return [], []


def longest_text(tokenizer: Tokenizer, positions: Sequence[int | None]) -> int:
    """Returns how many pieces a model reads at once, those around a text counted.

    Args:
        tokenizer: Which may say so.
        positions: How many the model itself says it has, under any of several names.
    """
    # RoBERTa counts positions from 2 on, so that two of those that it has are never used.
    known = [one - _POSITIONS_BEFORE_FIRST for one in positions if one and one > 0]
    if 0 < tokenizer.model_max_length < _NO_LIMIT:
        known.append(tokenizer.model_max_length)
    elif not known:
        known.append(_USUAL_LIMIT)
    return min(known)
