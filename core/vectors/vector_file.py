"""Word vectors in a file of word2vec, GloVe or fastText, of which only wanted words are read."""

from collections.abc import Iterable
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import CorpusFormatError, EnvironmentProblem
from awase.core.progress import Reporter, Silent
from awase.core.vectors.layout import BLANK
from awase.core.vectors.word_index import WordIndex, index_of

Vector = NDArray[np.float32]


class VectorFile:
    """A file of word vectors; of a word that stands there twice the first vector counts."""

    def __init__(self, name: str, data: mmap | bytes, index: WordIndex) -> None:
        """Takes a file and its index; `open_file` makes both.

        Args:
            name: What signatures call it.
            data: The file.
            index: Where its words are.
        """
        self._name = name
        self._data = data
        self._index = index

    @classmethod
    def open_file(
        cls, path: Path, *, reporter: Reporter | None = None, cache: Path | None = None
    ) -> "VectorFile":
        """Returns the vectors of a file.

        Args:
            path: Of a word2vec, GloVe or fastText file.
            reporter: Told of the progress when the file has to be gone through.
            cache: Folder in which the places of the words are kept for the next time.

        Raises:
            CorpusFormatError: It is no file of word vectors, or a damaged one.
            EnvironmentProblem: It cannot be read.
            Cancelled: The reporter asked to stop.
        """
        data = _mapped(path)
        try:
            index = index_of(path, data, reporter or Silent(), cache)
        except CorpusFormatError as error:
            raise CorpusFormatError(p.in_source(str(path)) for p in error.problems) from error
        return cls(path.name, data, index)

    @property
    def name(self) -> str:
        """Returns the file's name."""
        return self._name

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the file."""
        return self._index.digest

    @property
    def dimension(self) -> int:
        """Returns how many numbers each vector has."""
        return self._index.layout.dimension

    def vectors_of(self, words: Iterable[str]) -> dict[str, Vector]:
        """Returns (dimension,) vectors of those words that have one.

        Raises:
            CorpusFormatError: What stands behind a word are not numbers.
        """
        found: dict[str, Vector] = {}
        for word in dict.fromkeys(words):
            vector = self._vector(word.encode("utf-8", "surrogatepass"))
            if vector is not None:
                found[word] = vector
        return found

    def _vector(self, word: bytes) -> Vector | None:
        for offset in self._index.places(word):
            behind = offset + len(word) + 1
            if self._data[offset:behind] == word + BLANK:
                vector = self._read(word, offset, behind)
                if vector is not None:
                    return vector
        return None

    def _read(self, word: bytes, offset: int, behind: int) -> Vector | None:
        """Returns the numbers from `behind` on; None when the word goes on there."""
        dimension = self._index.layout.dimension
        if self._index.layout.is_binary:
            vector = np.frombuffer(self._data, "<f4", dimension, behind).astype(np.float32)
        else:
            stop = self._data.find(b"\n", behind)
            fields = self._data[behind : stop if stop >= 0 else len(self._data)].split()
            if len(fields) != dimension:
                return None
            try:
                vector = np.array(fields, dtype=np.float32)
            except ValueError:
                vector = np.full(1, np.nan, np.float32)
        if not np.isfinite(vector).all():
            self._refuse(word, offset)
        return vector

    def _refuse(self, word: bytes, offset: int) -> None:
        is_binary = self._index.layout.is_binary
        raise CorpusFormatError.of(
            "The vector of “{word}” at byte {byte} has something else than numbers in it.",
            "Get the file again, or remove the word.",
            source=self._name,
            line=None if is_binary else self._data[:offset].count(b"\n") + 1,
            word=word.decode("utf-8", "replace"),
            byte=offset,
        )


def _mapped(path: Path) -> mmap | bytes:
    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                return b""
            return mmap(file.fileno(), 0, access=ACCESS_READ)
    except FileNotFoundError as error:
        raise EnvironmentProblem(
            "There is no file “{path}”.", "Check the name.", path=str(path)
        ) from error
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read: {reason}.",
            "Check that it is a file and that you may read it.",
            path=str(path),
            reason=getattr(error, "strerror", None) or str(error),
        ) from error
