"""Vectors of words in their sentence, as metrics see them: where they come from, kept for reuse."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from awase.core.records.parse import ParsedSentence

Floats32 = NDArray[np.float32]
Step = Callable[[], None]
"""Called now and then; raises `Cancelled` when the work is to stop."""

_MOST_BYTES: Final = 256 << 20


class SpannedWords(NamedTuple):
    """A sentence and where its words stand in it.

    Attributes:
        text: The sentence.
        spans: Offsets of each word's first character and behind its last one.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


class WordEncoder(Protocol):
    """A model that gives each word of a sentence a vector.

    Attributes:
        name: What signatures call it.
        digest: SHA-256 of what it was read from, in hexadecimal.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def digest(self) -> str: ...  # noqa: D102

    def encode(self, sentences: Sequence[SpannedWords], step: Step) -> Sequence[Floats32]:
        """Returns (n_words, dimension) vectors of each sentence's words.

        Raises:
            Cancelled: `step` asked to stop.
        """
        ...


def spanned(sentence: ParsedSentence) -> SpannedWords:
    """Returns the words of a parse in their text; with blanks between where that is not known."""
    spans = [word.span for word in sentence.words if word.span is not None]
    if sentence.text and len(spans) == len(sentence.words):
        return SpannedWords(sentence.text, tuple(spans))
    return _spelled_out(sentence)


def _spelled_out(sentence: ParsedSentence) -> SpannedWords:
    forms = [word.form for word in sentence.words]
    ends = np.cumsum([len(form) + 1 for form in forms]).tolist()
    return SpannedWords(
        " ".join(forms),
        tuple((end - 1 - len(form), end - 1) for form, end in zip(forms, ends, strict=True)),
    )


class RememberingEncoder:
    """An encoder that keeps the vectors of the sentences met last; threads may share it."""

    def __init__(self, encoder: WordEncoder, most_bytes: int = _MOST_BYTES) -> None:
        """Keeps vectors of `encoder`, no more than `most_bytes` of them once it has answered."""
        self._encoder = encoder
        self._most_bytes = most_bytes
        self._n_bytes = 0
        self._kept: OrderedDict[SpannedWords, Floats32] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Returns the name of the encoder."""
        return self._encoder.name

    @property
    def digest(self) -> str:
        """Returns the digest of the encoder."""
        return self._encoder.digest

    def encode(self, sentences: Sequence[SpannedWords], step: Step) -> Sequence[Floats32]:
        """Returns (n_words, dimension) vectors of each sentence, computing those not kept.

        Arguments and errors are those of `WordEncoder.encode`.
        """
        with self._lock:
            wanted = [one for one in dict.fromkeys(sentences) if one not in self._kept]
            for one, vectors in zip(wanted, self._encoder.encode(wanted, step), strict=True):
                self._kept[one] = vectors
                self._n_bytes += vectors.nbytes
            for one in sentences:
                self._kept.move_to_end(one)
            found = [self._kept[one] for one in sentences]
            while self._n_bytes > self._most_bytes and self._kept:
                self._n_bytes -= self._kept.popitem(last=False)[1].nbytes
            return found
