"""Protocols of word vectors, as metrics use them."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # numpy is slow to import, and most scoring needs no vectors
    import numpy as np
    from numpy.typing import NDArray

_DIGITS_IN_LABEL = 12


class Labelled(Protocol):
    """Identity in signatures; `digest` is the SHA-256 of the source files, hexadecimal."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def digest(self) -> str: ...  # noqa: D102


class WordVectors(Protocol):
    """A table of word vectors; `digest` is the SHA-256 of the source file, hexadecimal."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def digest(self) -> str: ...  # noqa: D102

    def vectors_of(self, words: Iterable[str]) -> "Mapping[str, NDArray[np.float32]]":
        """Returns the (dimension,) vectors of those words that have one; they are all as long."""
        ...


def label_of(one: Labelled) -> str:
    """Returns the name and the begin of the digest, as signatures spell them."""
    return f"{one.name}@{one.digest[:_DIGITS_IN_LABEL]}"
