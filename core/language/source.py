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
        """Returns the vectors, all (dimension,), of the words in the table."""
        ...


def label_of(one: Labelled) -> str:
    """Returns name and first digits of the digest, as in signatures."""
    return f"{one.name}@{one.digest[:_DIGITS_IN_LABEL]}"
