"""Lazy lookup of parses: those of 2,000 topics are half a GB, of which metrics need a tenth."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from awase.core.batches import batches

AT_ONCE: Final = 500  # so many texts are looked up together
# Returns those of some hundred texts that have a parse, with it in CoNLL-U.
LookUp = Callable[[Sequence[str]], Mapping[str, str]]


class StoredParses(Mapping[str, str]):
    """Lazy mapping of texts to parses; use `parses_of` for many."""

    def __init__(self, all_texts: Callable[[], Iterable[str]], look_up: LookUp) -> None:
        """`all_texts` yields the texts that may have a parse."""
        self._all_texts = all_texts
        self._look_up = look_up

    def of(self, texts: Iterable[str]) -> dict[str, str]:
        """Returns the parses of those texts that have one."""
        found: dict[str, str] = {}
        for some in batches(dict.fromkeys(texts), AT_ONCE):
            found |= self._look_up(some)
        return found

    def __getitem__(self, text: str) -> str:
        return self._look_up([text])[text]

    def __iter__(self) -> Iterator[str]:
        for some in batches(dict.fromkeys(self._all_texts()), AT_ONCE):
            yield from self._look_up(some)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(self._look_up(some) for some in batches(self._all_texts(), AT_ONCE))


def parses_of(parses: Mapping[str, str], texts: Iterable[str]) -> Mapping[str, str]:
    """Returns a mapping with the texts' parses, and maybe others."""
    return parses.of(texts) if isinstance(parses, StoredParses) else parses
