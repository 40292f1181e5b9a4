"""Vectors of words: from a file, a model's folder or `ja-ginza`, and in context by an encoder."""

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import EnvironmentProblem, Reporter
from awase.core.language.stored_parses import Labelled, WordVectors
from awase.core.language.vector_file import Vector, VectorFile
from awase.core.packages import check_installed
from awase.core.records.parse import ParsedSentence

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


class Tokenizer(Protocol):
    """The interface used of a tokenizer of `transformers`."""

    is_fast: bool
    model_max_length: int
    pad_token_id: int | None
    unk_token_id: int | None

    # What comes back depends on the arguments.
    def __call__(self, text: str | list[str], **options: bool) -> Mapping[str, Any]:
        """Returns the ids of the pieces of the text, or texts, as `input_ids`, and more."""
        ...


class EmbeddingMatrix:
    """The input embeddings of a model in a folder, as `transformers` saves it."""

    def __init__(
        self, name: str, digest: str, tokenizer: Tokenizer, rows: NDArray[np.float32]
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


Floats32 = NDArray[np.float32]
Step = Callable[[], None]  # called now and then; raises `Cancelled` when the work is to stop

MOST_BYTES: Final = 256 << 20


class SpannedWords(NamedTuple):
    """A sentence and the offsets of its words."""

    text: str
    # Offsets of each word's first character and behind its last one.
    spans: tuple[tuple[int, int], ...]


class WordEncoder(Labelled, Protocol):
    """A model that embeds each word of a sentence."""

    def encode(self, sentences: Sequence[SpannedWords], step: Step) -> Sequence[Floats32]:
        """Returns (n_words, dimension) vectors of each sentence's words."""
        ...


def spanned(sentence: ParsedSentence) -> SpannedWords:
    """Returns a parse's words with offsets in its text, joined by blanks if there is none."""
    spans = [word.span for word in sentence.words if word.span is not None]
    if sentence.text and len(spans) == len(sentence.words):
        return SpannedWords(sentence.text, tuple(spans))
    forms = [word.form for word in sentence.words]
    ends = np.cumsum([len(form) + 1 for form in forms]).tolist()
    return SpannedWords(
        " ".join(forms),
        tuple((end - 1 - len(form), end - 1) for form, end in zip(forms, ends, strict=True)),
    )


class RememberingEncoder:
    """An encoder with a thread-safe LRU cache by sentence."""

    def __init__(self, encoder: WordEncoder) -> None:
        self._encoder = encoder
        self.name: Final = encoder.name
        self.digest: Final = encoder.digest
        self._n_bytes = 0
        self._kept: OrderedDict[SpannedWords, Floats32] = OrderedDict()
        self._lock = Lock()

    def encode(self, sentences: Sequence[SpannedWords], step: Step) -> Sequence[Floats32]:
        """Returns (n_words, dimension) vectors of each sentence, computing those not cached."""
        with self._lock:
            wanted = [one for one in dict.fromkeys(sentences) if one not in self._kept]
            for one, vectors in zip(wanted, self._encoder.encode(wanted, step), strict=True):
                self._kept[one] = vectors
                self._n_bytes += vectors.nbytes
            for one in sentences:
                self._kept.move_to_end(one)
            found = [self._kept[one] for one in sentences]
            while self._n_bytes > MOST_BYTES and self._kept:
                self._n_bytes -= self._kept.popitem(last=False)[1].nbytes
            return found


_NO_LIMIT = 100_000
_USUAL_LIMIT = 512
_POSITIONS_BEFORE_FIRST = 2
_ANY_TEXT = "a"


class Pieces(NamedTuple):
    """A sentence cut into pieces."""

    ids: list[int]
    # Positions of each word's pieces; empty for words without pieces, or with the unknown one only.
    of_words: list[list[int]]


class Window(NamedTuple):
    """A window of pieces that a model reads together."""

    start: int
    stop: int
    counted: tuple[int, int]  # the part that counts: start, end


def pieces_of(sentence: SpannedWords, tokenizer: Tokenizer) -> Pieces:
    """Returns the pieces of a sentence, each assigned to every word that it overlaps.

    A tokenizer without offsets is applied word by word.
    """
    cut = _cut_whole if tokenizer.is_fast else _cut_by_words
    ids, of_words = cut(sentence, tokenizer)
    known = [one != tokenizer.unk_token_id for one in ids]
    return Pieces(
        ids, [places if any(known[place] for place in places) else [] for places in of_words]
    )


def _cut_by_words(sentence: SpannedWords, tokenizer: Tokenizer) -> Pieces:
    ids: list[int] = []
    of_words: list[list[int]] = []
    for start, stop in sentence.spans:
        found = tokenizer(sentence.text[start:stop], add_special_tokens=False)["input_ids"]
        of_words.append([*range(len(ids), len(ids) + len(found))])
        ids += found
    return Pieces(ids, of_words)


def _cut_whole(sentence: SpannedWords, tokenizer: Tokenizer) -> Pieces:
    # Long sentences are read in windows: the tokenizer's warning is irrelevant.
    encoded = tokenizer(
        sentence.text, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    owners: list[list[int]] = [[] for _ in sentence.text]
    for word_idx, (start, stop) in enumerate(sentence.spans):
        for letter in range(start, stop):
            owners[letter].append(word_idx)
    of_words: list[list[int]] = [[] for _ in sentence.spans]
    for place, (start, stop) in enumerate(encoded["offset_mapping"]):
        for word_idx in sorted({one for letter in owners[start:stop] for one in letter}):
            of_words[word_idx].append(place)
    return Pieces([*encoded["input_ids"]], of_words)


def windows_of(n_pieces: int, size: int) -> Iterator[Window]:
    """Yields windows of up to `size` pieces, overlapping by half.

    Each piece counts in the window in whose middle half it is, so that it has at least a quarter of
    a window of context, where the sentence has that.

    >>> [*windows_of(3, 8)]
    [Window(start=0, stop=3, counted=(0, 3))]
    >>> [tuple(window) for window in windows_of(13, 8)]
    [(0, 8, (0, 6)), (4, 12, (6, 10)), (8, 13, (10, 13))]
    """
    half, quarter = max(size // 2, 1), size // 4
    start = counted = 0
    while True:
        stop = min(start + size, n_pieces)
        until = n_pieces if stop == n_pieces else stop - quarter
        yield Window(start, stop, (counted, until))
        if stop == n_pieces:
            return
        start, counted = start + half, until


def around(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Returns the special pieces before and after every text."""
    bare = [*tokenizer(_ANY_TEXT, add_special_tokens=False)["input_ids"]]
    whole = [*tokenizer(_ANY_TEXT, add_special_tokens=True)["input_ids"]]
    for start in range(len(whole) - len(bare) + 1):
        if bare and whole[start : start + len(bare)] == bare:
            return whole[:start], whole[start + len(bare) :]
    return [], []


def longest_text(tokenizer: Tokenizer, positions: Sequence[int | None]) -> int:
    """Returns a model's maximal length in pieces, special ones included."""
    # RoBERTa counts positions from 2 on, so that two of those that it has are never used.
    known = [one - _POSITIONS_BEFORE_FIRST for one in positions if one and one > 0]
    if 0 < tokenizer.model_max_length < _NO_LIMIT:
        known.append(tokenizer.model_max_length)
    elif not known:
        known.append(_USUAL_LIMIT)
    return min(known)


_PIECES_AT_ONCE = 1_024
_MOST_AT_ONCE = 8
_STEP = 16  # lengths are rounded up to a multiple of it, so that few shapes serve all sentences
_POSITIONS = ("max_position_embeddings", "n_positions", "n_ctx")


class _Job(NamedTuple):
    """A window of a sentence, waiting to be read."""

    sentence_idx: int
    window: Window
    ids: list[int]


class TransformerEncoder:
    """A model of `transformers`, on the GPU where there is one."""

    def __init__(self, loaded: LoadedModel) -> None:
        self._tokenizer = loaded.tokenizer
        self.name: Final = loaded.name
        self.digest: Final = loaded.digest
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

    def encode(self, sentences: Sequence[SpannedWords], step: Step) -> list[Floats32]:
        """Returns (n_words, dimension) vectors of each sentence's words; 0 for unknown words.

        Sentences that are too long are read in windows that overlap by half; `step` is called
        before each batch.
        """
        cut = [pieces_of(sentence, self._tokenizer) for sentence in sentences]
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
        """Returns the last layer's vectors of each window's pieces."""
        # Padding depends on the window's own length alone: the last digits of a matrix product
        # depend on the shape, and must not on what else is in the batch.
        import torch

        texts = [[*self._before, *job.ids, *self._behind] for job in jobs]
        length = min(_rounded(len(texts[0])), self._longest)
        texts += texts[:1] * (_at_once(length) - len(texts))
        padding = self._tokenizer.pad_token_id or 0
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
    """Opens the encoder at a location; nothing is downloaded."""
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
            "There is no model “{name}”: neither a folder nor a downloaded model.",
            "Check the name, or download the model first (hf download NAME).",
            name=name,
        ) from error


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _batches(jobs: Sequence[_Job], n_around: int) -> Iterator[Sequence[_Job]]:
    """Yields batches of jobs with equal rounded lengths."""
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
