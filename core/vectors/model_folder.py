"""A language model in a folder, as `transformers` saves it; nothing is ever downloaded."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from awase.core.errors import EnvironmentProblem
from awase.core.extras import check_installed

_READ = frozenset([".safetensors", ".bin", ".json", ".txt", ".model", ".vocab", ".dic"])
_CONFIGURATION = "config.json"
_PLAIN_NAMES = ("model", "models")
_BLOCK = 1 << 24
_UNREADABLE = (OSError, ValueError, KeyError, AttributeError, ImportError, RuntimeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model that was read.

    Attributes:
        name: What signatures call it: the folder's name, or that of the folder around `model`.
        digest: SHA-256 of its files, in hexadecimal.
        tokenizer: Of `transformers`, which is not typed.
        model: Likewise.
    """

    name: str
    digest: str
    tokenizer: Any
    model: Any


def model_in(folder: Path, name: str = "") -> LoadedModel:
    """Returns the model in a folder.

    Args:
        folder: With configuration, weights and tokenizer.
        name: What signatures are to call it; empty = after the folder.

    Raises:
        EnvironmentProblem: `transformers` is not installed, or the folder has no model that it can
            read.
    """
    check_installed("transformers", extra="embeddings", needed_for=name or name_of(folder))
    from transformers import AutoModel, AutoTokenizer

    if not (folder / _CONFIGURATION).is_file():
        raise unreadable(folder, FileNotFoundError(f"it has no {_CONFIGURATION}."))
    try:
        with without_bar():
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModel.from_pretrained(folder, local_files_only=True)
    except _UNREADABLE as error:
        raise unreadable(folder, error) from error
    return LoadedModel(
        name=name or name_of(folder),
        digest=digest_of(folder.resolve()),
        tokenizer=tokenizer,
        model=model,
    )


def name_of(folder: Path) -> str:
    """Returns what signatures call the model in a folder: its name, or that around `model`."""
    folder = folder.resolve()
    return (folder.parent if folder.name in _PLAIN_NAMES else folder).name


def unreadable(folder: Path, error: Exception) -> EnvironmentProblem:
    """Returns the error that tells that there is no model in the folder, and why."""
    return EnvironmentProblem(
        "“{path}” holds no model that transformers can read: {reason}",
        "Give the folder of a model with its config.json, weights and tokenizer.",
        path=str(folder),
        reason=" ".join(str(error).split()),
    )


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
