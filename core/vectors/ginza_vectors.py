"""The word vectors inside the Japanese model ja-ginza: 300 numbers each, made from chiVe.

Its 480,000 words share 20,000 vectors, so that some different words have the same one.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from awase.core.extras import check_installed
from awase.core.vectors.lookup import Vector

NAME = "ja-ginza"


class _Table(Protocol):
    """What is used of `spacy.vectors.Vectors`, which is not typed."""

    data: NDArray[np.float32]

    def find(self, *, keys: list[int]) -> Iterable[int]:
        """Returns the row of each key, -1 where it has none."""
        ...


class GinzaVectors:
    """The vectors of the installed ja-ginza."""

    def __init__(self, table: _Table, digest: str, version: str) -> None:
        """Takes spaCy's table; `open_installed` reads it."""
        self._table = table
        self._digest = digest
        self._version = version

    @classmethod
    def open_installed(cls) -> "GinzaVectors":
        """Returns the vectors of the installed ja-ginza.

        Raises:
            EnvironmentProblem: It is not installed.
        """
        check_installed("spacy", "ja_ginza", extra="ja-parse", needed_for="vectors=ja-ginza")
        import ja_ginza
        from spacy.vectors import Vectors

        version = ja_ginza.__version__
        folder = Path(ja_ginza.__file__).parent / f"ja_ginza-{version}" / "vocab"
        digest = hashlib.sha256()
        for name in ("key2row", "vectors"):
            digest.update((folder / name).read_bytes())
        return cls(Vectors().from_disk(folder), digest.hexdigest(), version)

    @property
    def name(self) -> str:
        """Returns the package's name and version."""
        return f"{NAME}-{self._version}"

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the vectors and of which word has which."""
        return self._digest

    def vectors_of(self, words: Iterable[str]) -> dict[str, Vector]:
        """Returns (300,) vectors of those words that have one."""
        from spacy.strings import get_string_id

        distinct = [*dict.fromkeys(words)]
        rows = self._table.find(keys=[get_string_id(word) for word in distinct])
        return {
            word: self._table.data[row]
            for word, row in zip(distinct, rows, strict=True)
            if word and row >= 0
        }
