"""Vectors of words in their sentence, by a language model: its last layer, averaged over pieces.

Pieces around the text, such as [CLS], take part in reading and in no average. `transformers` and
`torch` are imported when a model is opened.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from awase.core.errors import EnvironmentProblem
from awase.core.extras import check_installed
from awase.core.vectors.contextual import Floats32, RememberingEncoder, SpannedWords, Step
from awase.core.vectors.model_folder import LoadedModel, model_in
from awase.core.vectors.word_pieces import Window, around, longest_text, pieces_of, windows_of

_PIECES_AT_ONCE = 1_024
_MOST_AT_ONCE = 8
_STEP = 16
"""Lengths are rounded up to a multiple of it, so that few shapes serve all sentences."""
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx")


class _Job(NamedTuple):
    """A window of a sentence, waiting to be read."""

    sentence_idx: int
    window: Window
    ids: list[int]


class TransformerEncoder:
    """A model of `transformers`, on the GPU where there is one."""

    def __init__(self, loaded: LoadedModel) -> None:
        """Takes a model that was read; `open_encoder` reads it."""
        self._loaded = loaded
        model = loaded.model
        if model.config.is_encoder_decoder:
            model = model.get_encoder()
        self._device = _device()
        self._model = model.to(self._device).float().eval()
        self._dimension = int(model.config.hidden_size)
        self._before, self._behind = around(loaded.tokenizer)
        positions = [getattr(model.config, name, None) for name in _POSITIONS]
        longest = longest_text(loaded.tokenizer, positions)
        self._n_around = len(self._before) + len(self._behind)
        self._window = max(longest - self._n_around, 1)
        self._longest = self._window + self._n_around

    @property
    def name(self) -> str:
        """Returns the name of the model."""
        return self._loaded.name

    @property
    def digest(self) -> str:
        """Returns the SHA-256 of the model's files."""
        return self._loaded.digest

    def encode(self, sentences: Sequence[SpannedWords], step: Step) -> list[Floats32]:
        """Returns (n_words, dimension) vectors of each sentence's words.

        A sentence that is too long for the model is read in windows that overlap by half. A word
        that the model does not know any piece of has the vector 0.

        Args:
            sentences: Each is read alone.
            step: Called before each batch.
        """
        cut = [pieces_of(sentence, self._loaded.tokenizer) for sentence in sentences]
        read = [np.zeros((len(pieces.ids), self._dimension), np.float32) for pieces in cut]
        jobs = [
            _Job(sentence_idx, window, pieces.ids[window.start : window.stop])
            for sentence_idx, pieces in enumerate(cut)
            for window in windows_of(len(pieces.ids), self._window)
            if pieces.ids
        ]
        for batch in _batches(jobs, self._n_around):
            step()
            for job, vectors in zip(batch, self._read(batch), strict=True):
                first, until = job.window.counted
                begin = job.window.start
                read[job.sentence_idx][first:until] = vectors[first - begin : until - begin]
        return [
            _averaged(vectors, pieces.of_words) for vectors, pieces in zip(read, cut, strict=True)
        ]

    def _read(self, jobs: Sequence[_Job]) -> list[Floats32]:
        """Returns the last layer's vectors of each window's pieces.

        What is read together always has the shape that its own length asks for: the last digits of
        a matrix product depend on the shape of all of it, and must not on what else is read.
        """
        import torch

        texts = [[*self._before, *job.ids, *self._behind] for job in jobs]
        length = min(_rounded(len(texts[0])), self._longest)
        texts += texts[:1] * (_at_once(length) - len(texts))
        padding = self._loaded.tokenizer.pad_token_id or 0
        padded = [text + [padding] * (length - len(text)) for text in texts]
        is_text = [[1] * len(text) + [0] * (length - len(text)) for text in texts]
        with torch.inference_mode():
            layer = self._model(
                input_ids=torch.tensor(padded, device=self._device),
                attention_mask=torch.tensor(is_text, device=self._device),
            ).last_hidden_state.cpu()
        first = len(self._before)
        vectors: Floats32 = layer.numpy()
        return [vectors[idx, first : first + len(job.ids)] for idx, job in enumerate(jobs)]


def open_encoder(location: str) -> RememberingEncoder:
    """Returns the encoder that a user names; nothing is downloaded.

    Args:
        location: The folder of a model, or the name of one that Hugging Face's cache holds.

    Raises:
        EnvironmentProblem: There is none, it cannot be read, or what reads it is not installed.
    """
    path = Path(location)
    if os.path.isdir(path):
        return RememberingEncoder(TransformerEncoder(model_in(path)))
    if os.path.exists(path):
        raise EnvironmentProblem(
            "“{path}” is a file, not the folder of a model.",
            "Give the folder of a model with its config.json, weights and tokenizer.",
            path=location,
        )
    return RememberingEncoder(TransformerEncoder(model_in(_cached(location), name=location)))


def _cached(name: str) -> Path:
    check_installed("transformers", "huggingface_hub", extra="embeddings", needed_for=name)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            "There is no model “{name}”: neither a folder, nor a model that was downloaded.",
            "Check the name, or download the model first (hf download NAME).",
            name=name,
        ) from error


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _batches(jobs: Sequence[_Job], n_around: int) -> Iterator[Sequence[_Job]]:
    """Yields jobs whose lengths are rounded to the same, few enough to be read at once."""
    by_length: dict[int, list[_Job]] = {}
    for job in sorted(jobs, key=lambda job: len(job.ids), reverse=True):
        by_length.setdefault(_rounded(len(job.ids) + n_around), []).append(job)
    for length, alike in by_length.items():
        for begin in range(0, len(alike), _at_once(length)):
            yield alike[begin : begin + _at_once(length)]


def _rounded(length: int) -> int:
    return -(-length // _STEP) * _STEP


def _at_once(length: int) -> int:
    return max(min(_PIECES_AT_ONCE // length, _MOST_AT_ONCE), 1)


def _averaged(vectors: Floats32, of_words: Sequence[Sequence[int]]) -> Floats32:
    """Returns (n_words, dimension) means over each word's pieces; 0 without any."""
    found = np.zeros((len(of_words), vectors.shape[1]), np.float32)
    for word_idx, places in enumerate(of_words):
        if places:
            found[word_idx] = vectors[places].mean(axis=0)
    return found
