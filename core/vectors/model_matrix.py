"""Word vectors out of a language model: rows of its input embeddings, averaged over word pieces.

They do not depend on the words around; `transformers` is imported when a model is opened.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from awase.core.vectors.lookup import Vector
from awase.core.vectors.model_folder import model_in, unreadable

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
        found = model_in(folder)
        try:
            rows = found.model.get_input_embeddings().weight.detach().float().numpy()
        except (AttributeError, NotImplementedError) as error:
            raise unreadable(folder, error) from error
        return cls(found.name, found.digest, found.tokenizer, rows)

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
