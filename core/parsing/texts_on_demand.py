"""The different texts of a corpus larger than the memory, asked for anew when they are needed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import Final

from awase.core.batches import batches

AllTexts = Callable[[], Iterable[str]]
"""Gives the texts, equal ones as often as they stand, anew each time."""

AT_ONCE: Final = 500
"""So many texts are held at a time."""


class TextsOnDemand(Collection[str]):
    """Texts, each once, in the order in which they first stand; eight bytes of each are held.

    What was changed since it was made is left out. Texts whose digests begin with the same eight
    bytes count as one: among ten million texts that happens once in 300,000 corpora.
    """

    def __init__(self, all_texts: AllTexts, wanted: Iterable[str] | None = None) -> None:
        """Goes through the texts once.

        Args:
            all_texts: Gives them.
            wanted: Those of them that count; None = all.
        """
        import numpy as np  # scoring a file does without it

        self._all_texts: Final = all_texts
        keys = map(key_of, all_texts() if wanted is None else wanted)
        self._keys: Final = np.unique(np.fromiter(keys, np.uint64))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        is_given = bytearray(len(self))
        for some in batches(self._all_texts(), AT_ONCE):
            for text, place in zip(some, self._places([*map(key_of, some)]), strict=True):
                if place is not None and not is_given[place]:
                    is_given[place] = True
                    yield text

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self._places([key_of(text)]) != [None]

    def has_digest(self, digest: str) -> bool:
        """Returns whether a text with this SHA-256 of its UTF-8, in hexadecimals, is there."""
        return self._places([int(digest[:16], 16)]) != [None]

    def portions(self) -> Iterator[list[str]]:
        """Yields the texts, some hundreds at a time."""
        return batches(self, AT_ONCE)

    def where(self, chosen: Callable[[Sequence[str]], Iterable[str]]) -> "TextsOnDemand":
        """Returns those texts that `chosen` returns of some hundreds at a time."""
        return TextsOnDemand(self._all_texts, chain.from_iterable(map(chosen, self.portions())))

    def _places(self, keys: Sequence[int]) -> list[int | None]:
        """Returns where among the texts those with these keys are; None = not there."""
        import numpy as np

        asked = np.array(keys, np.uint64)
        places = self._keys.searchsorted(asked)
        is_there = np.zeros(len(asked), bool)
        within = places < len(self._keys)
        is_there[within] = self._keys[places[within]] == asked[within]
        return [
            place if found else None
            for place, found in zip(places.tolist(), is_there.tolist(), strict=True)
        ]


def key_of(text: str) -> int:
    """Returns a number of eight bytes that other texts hardly ever have."""
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def n_different(keys: Iterable[int]) -> int:
    """Returns how many numbers of `key_of` there are, each counted once."""
    import numpy as np

    return len(np.unique(np.fromiter(keys, np.uint64)))
