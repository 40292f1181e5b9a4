"""Word vectors out of a language model: rows of its input embeddings, averaged over word pieces.

They do not depend on the words around; `transformers` is imported when a model is opened.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import EnvironmentProblem
from awase.core.vectors.lookup import Vector

_READ = frozenset([".safetensors", ".bin", ".json", ".txt", ".model", ".vocab", ".dic"])
_PLAIN_NAMES = ("model", "models")
_BLOCK = 1 << 24
_AT_ONCE = 4_096


class _Tokenizer(Protocol):
    """What is used of a tokenizer of `transformers`."""

    unk_token_id: int | None

    def __call__(
        self, text: list[str], *, add_special_tokens: bool
    ) -> Mapping[str, list[list[int]]]:
        """Returns the numbers of each text's pieces under `input_ids`."""
        ...


class EmbeddingMatrix:
    """The input embeddings of a model in a folder, as `transformers` saves it."""

    def __init__(
        self, name: str, digest: str, tokenizer: _Tokenizer, rows: NDArray[np.float32]
    ) -> None:
        """Takes what a model has; `open_folder` reads it.

        Args:
            name: What signatures call it.
            digest: SHA-256 of the model's files.
            tokenizer: Of the model.
            rows: (n_pieces, dimension).
        """
        self._name = name
        self._digest = digest
        self._tokenizer = tokenizer
        self._rows = rows

    @classmethod
    def open_folder(cls, folder: Path) -> "EmbeddingMatrix":
        """Returns the embeddings of the model in a folder; nothing is downloaded.

        Raises:
            EnvironmentProblem: `transformers` is not installed, or the folder has no model that it
                can read.
        """
        try:
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise EnvironmentProblem(
                "Vectors of a language model need transformers, which is not installed.",
                'Install it with: pip install "awase[embeddings]".',
            ) from error
        try:
            with without_bar():
                tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
                model = AutoModel.from_pretrained(folder, local_files_only=True)
            rows = model.get_input_embeddings().weight.detach().float().numpy()
        except (OSError, ValueError, KeyError, AttributeError, ImportError) as error:
            raise EnvironmentProblem(
                "“{path}” holds no model that transformers can read: {reason}",
                "Give the folder of a model with its config.json, weights and tokenizer.",
                path=str(folder),
                reason=" ".join(str(error).split()),
            ) from error
        return cls(name_of(folder), digest_of(folder), tokenizer, rows)

    @property
    def name(self) -> str:
        """Returns the name of the folder."""
        return self._name

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the model's files."""
        return self._digest

    def vectors_of(self, words: Iterable[str]) -> dict[str, Vector]:
        """Returns (dimension,) vectors of the words whose pieces the model knows."""
        distinct = [*dict.fromkeys(word for word in words if word)]
        found: dict[str, Vector] = {}
        for start in range(0, len(distinct), _AT_ONCE):
            some = distinct[start : start + _AT_ONCE]
            pieces = self._tokenizer(some, add_special_tokens=False)["input_ids"]
            for word, ids in zip(some, pieces, strict=True):
                if ids and self._tokenizer.unk_token_id not in ids:
                    found[word] = self._rows[ids].mean(axis=0)
        return found


@contextmanager
def without_bar() -> Iterator[None]:
    """Keeps transformers from drawing a progress bar of its own."""
    logging = import_module("transformers.utils.logging")  # not typed
    was_shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_shown:
            logging.enable_progress_bar()


def name_of(folder: Path) -> str:
    """Returns what signatures call the model in a folder: the folder's name."""
    folder = folder.resolve()
    return (folder.parent if folder.name in _PLAIN_NAMES else folder).name


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
