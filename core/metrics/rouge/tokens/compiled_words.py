"""What is counted in the place of each kind of token, by the compiled kernel where it is there."""

from collections.abc import Collection
from functools import cache
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.arrays import Array, passed
from awase.core.kernel.binding import kernel
from awase.core.metrics.rouge.tokens.preparation import SHORTEST_STEMMED, Preparation
from awase.core.metrics.rouge.tokens.stop_words import WordLists, own_lists
from awase.core.text.tokens.kinds import TokenKinds

_Words = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Letters of words, one after the other, and (n + 1,) offsets into them."""


def compiled_words(found: TokenKinds, preparation: Preparation) -> NDArray[np.int64] | None:
    """Returns (n_kinds,) the number of what is counted for each kind, from 1 on, or `DROPPED`.

    That of `SENTENCE_END` means nothing.

    Args:
        found: Tokens of ASCII.
        preparation: Stems or stop words, or both.

    Returns:
        None where the kernel is not there.
    """
    library = kernel()
    if library is None:
        return None
    irregular, dropped = _own() if preparation.lists is None else _packed(preparation.lists)
    text = np.frombuffer(found.text, np.uint8)
    spans, words = np.ascontiguousarray(found.bounds), np.empty(found.n_kinds, np.int64)
    dropped = dropped if preparation.drops_stop_words else _joined(())
    shortest = SHORTEST_STEMMED if preparation.stem else 0
    library.call(
        "awase_words", passed(text, "uint8"), passed(spans, "int64"), *_lists(irregular),
        *_lists(dropped), shortest, passed(words, "int64"),
    )  # fmt: skip
    return words


def _lists(words: _Words) -> tuple[Array, Array]:
    letters, starts = words
    return passed(letters, "uint8"), passed(starts, "int64")


@cache
def _own() -> tuple[_Words, _Words]:
    return _packed(own_lists())


def _packed(lists: WordLists) -> tuple[_Words, _Words]:
    return _joined([*chain.from_iterable(lists.exceptions.items())]), _joined(lists.stop_words)


def _joined(words: Collection[str]) -> _Words:
    encoded = [word.encode() for word in words]
    starts = np.array([0, *accumulate(map(len, encoded))], np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), starts
