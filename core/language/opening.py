"""Opening of word vectors: a file, a model's folder, or `ja-ginza`."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import EnvironmentProblem, Reporter
from awase.core.language.stored_parses import WordVectors
from awase.core.language.vector_file import Vector, VectorFile
from awase.core.packages import check_installed

_READ = frozenset([".safetensors", ".bin", ".json", ".txt", ".model", ".vocab", ".dic"])
_CONFIGURATION = "config.json"
_PLAIN_NAMES = ("model", "models")
_BLOCK = 1 << 24


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model that was read."""

    name: str  # what signatures call it: the folder's name, or that of the folder around `model`
    digest: str  # SHA-256 of its files, in hexadecimal
    tokenizer: Any  # of `transformers`, which is not typed
    model: Any


def model_in(folder: Path, name: str = "") -> LoadedModel:
    """Loads the model in a folder; `name` overrides its name in signatures."""
    check_installed("transformers", extra="embeddings", needed_for=name or name_of(folder))
    from transformers import AutoModel, AutoTokenizer

    if not (folder / _CONFIGURATION).is_file():
        raise unreadable(folder, FileNotFoundError(f"it has no {_CONFIGURATION}."))
    try:
        with without_bar():
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModel.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # whatever a folder from a stranger makes these packages raise
        raise unreadable(folder, error) from error
    return LoadedModel(
        name=name or name_of(folder),
        digest=digest_of(folder.resolve()),
        tokenizer=tokenizer,
        model=model,
    )


def name_of(folder: Path) -> str:
    """Returns a model's name in signatures: the folder's, or that around `model`."""
    folder = folder.resolve()
    return (folder.parent if folder.name in _PLAIN_NAMES else folder).name


def unreadable(folder: Path, error: Exception) -> EnvironmentProblem:
    """Returns the error that a folder has no model, with the cause."""
    return EnvironmentProblem(
        "“{path}” holds no model that transformers can read: {reason}",
        "Give the folder of a model with its config.json, weights and tokenizer.",
        path=str(folder),
        reason=" ".join(str(error).split()),
    )


@contextmanager
def without_bar() -> Iterator[None]:
    """Disables the progress bar of transformers."""
    logging = import_module("transformers.utils.logging")  # not typed
    was_shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_shown:
            logging.enable_progress_bar()


def digest_of(folder: Path) -> str:
    """Returns the SHA-256 of the files of a model, in hexadecimal."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix in _READ:
            digest.update(path.name.encode() + b"\0")
            with path.open("rb") as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
    return digest.hexdigest()


_AT_ONCE = 4_096


class _Tokenizer(Protocol):
    """The interface used of a tokenizer of `transformers`."""

    unk_token_id: int | None

    def __call__(
        self, text: list[str], *, add_special_tokens: bool
    ) -> Mapping[str, list[list[int]]]:
        """Returns the ids of each text's pieces as `input_ids`."""
        ...


class EmbeddingMatrix:
    """The input embeddings of a model in a folder, as `transformers` saves it."""

    def __init__(
        self, name: str, digest: str, tokenizer: _Tokenizer, rows: NDArray[np.float32]
    ) -> None:
        """Takes a loaded model; `digest` is the SHA-256 of its files."""
        self.name: Final = name
        self.digest: Final = digest
        self._tokenizer = tokenizer
        self._rows = rows

    @classmethod
    def open_folder(cls, folder: Path) -> "EmbeddingMatrix":
        """Opens the embeddings of a model's folder; nothing is downloaded."""
        found = model_in(folder)
        try:
            rows = found.model.get_input_embeddings().weight.detach().float().numpy()
        except (AttributeError, NotImplementedError) as error:
            raise unreadable(folder, error) from error
        return cls(found.name, found.digest, found.tokenizer, rows)

    def vectors_of(self, words: Iterable[str]) -> dict[str, Vector]:
        """Returns (dimension,) vectors of the words whose pieces are in the vocabulary."""
        distinct = [*dict.fromkeys(word for word in words if word)]
        found: dict[str, Vector] = {}
        for start in range(0, len(distinct), _AT_ONCE):
            some = distinct[start : start + _AT_ONCE]
            pieces = self._tokenizer(some, add_special_tokens=False)["input_ids"]
            for word, ids in zip(some, pieces, strict=True):
                if ids and self._tokenizer.unk_token_id not in ids:
                    found[word] = self._rows[ids].mean(axis=0)
        return found


GINZA = "ja-ginza"


class _Table(Protocol):
    """The interface used of `spacy.vectors.Vectors`, which is untyped."""

    data: NDArray[np.float32]

    def find(self, *, keys: list[int]) -> Iterable[int]:
        """Returns the row of each key, -1 where it has none."""
        ...


class GinzaVectors:
    """The vectors of the installed ja-ginza."""

    def __init__(self, table: _Table, digest: str, version: str) -> None:
        self._table = table
        self.digest: Final = digest
        self.name: Final = f"{GINZA}-{version}"

    @classmethod
    def open_installed(cls) -> "GinzaVectors":
        """Returns the vectors of the installed ja-ginza."""
        check_installed("spacy", "ja_ginza", extra="ja-parse", needed_for="vectors=ja-ginza")
        import ja_ginza
        from spacy.vectors import Vectors

        version = ja_ginza.__version__
        folder = Path(ja_ginza.__file__).parent / f"ja_ginza-{version}" / "vocab"
        digest = hashlib.sha256()
        for name in ("key2row", "vectors"):
            digest.update((folder / name).read_bytes())
        return cls(Vectors().from_disk(folder), digest.hexdigest(), version)

    def vectors_of(self, words: Iterable[str]) -> dict[str, Vector]:
        """Returns (300,) vectors of the words in the table."""
        from spacy.strings import get_string_id

        distinct = [*dict.fromkeys(words)]
        rows = self._table.find(keys=[get_string_id(word) for word in distinct])
        return {
            word: self._table.data[row]
            for word, row in zip(distinct, rows, strict=True)
            if word and row >= 0
        }


def open_vectors(
    location: str, *, reporter: Reporter | None = None, cache: Path | None = None
) -> WordVectors:
    """Opens word vectors.

    Args:
        location: A file of word2vec, GloVe or fastText; the folder of a language model; or
            `ja-ginza`, unless a file of that name exists.
        cache: Folder for indices of large files; None = no cache.
    """
    path = Path(location)
    if os.path.isdir(path):
        return EmbeddingMatrix.open_folder(path)
    if location == GINZA and not os.path.exists(path):
        return GinzaVectors.open_installed()
    return VectorFile.open_file(path, reporter=reporter, cache=cache)
