"""The different texts of a corpus larger than the memory, and their parses, asked for anew."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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


LookUp = Callable[[Sequence[str]], Mapping[str, str]]
"""Returns those of some hundred texts that have a parse, with it in CoNLL-U."""


class ParsesOnDemand(Mapping[str, str]):
    """Texts to their parses, none of which is held.

    Whoever needs many asks for them with `parses_of`.
    """

    def __init__(self, all_texts: AllTexts, look_up: LookUp) -> None:
        """Looks nothing up yet.

        Args:
            all_texts: Gives the texts that may have a parse.
            look_up: Finds their parses.
        """
        self._all_texts = all_texts
        self._look_up = look_up

    def of(self, texts: Iterable[str]) -> dict[str, str]:
        """Returns those of the texts that have a parse, with it."""
        found: dict[str, str] = {}
        for some in batches(dict.fromkeys(texts), AT_ONCE):
            found |= self._look_up(some)
        return found

    def __getitem__(self, text: str) -> str:
        return self._look_up([text])[text]

    def __iter__(self) -> Iterator[str]:
        for some in TextsOnDemand(self._all_texts).portions():
            yield from self._look_up(some)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(self._look_up(some) for some in batches(self._all_texts(), AT_ONCE))


def parses_of(parses: Mapping[str, str], texts: Iterable[str]) -> Mapping[str, str]:
    """Returns the parses of the texts that have one, and maybe those of others."""
    return parses.of(texts) if isinstance(parses, ParsesOnDemand) else parses
