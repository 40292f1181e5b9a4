"""Where in a file of word vectors each word stands, kept so that a file is gone through only once.

A word is known by 32 bits of a checksum; who looks one up reads it in the file to be sure. So the
index of three million words takes 36 MB, and the words themselves are never held.
"""

import hashlib
import json
import os
import tempfile
import zlib
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from mmap import mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from awase.core.progress import Reporter
from awase.core.vectors.layout import Layout, layout_of, words_of

_VERSION = 1
_BLOCK = 1 << 24
_WORDS_A_STEP = 50_000
LEAST_CACHED = 1 << 23
"""Size in bytes from which on an index is worth keeping."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordIndex:
    """The places of the words of one file.

    Attributes:
        layout: How the file is read.
        digest: SHA-256 of the file, in hexadecimal.
        checksums: (n_words,) of the words, in ascending order, equal ones as in the file.
        offsets: (n_words,) of the words in the file.
    """

    layout: Layout
    digest: str
    checksums: NDArray[np.uint32]
    offsets: NDArray[np.uint64]

    def places(self, word: bytes) -> Iterator[int]:
        """Yields the offsets at which the word may stand, in the order of the file."""
        checksum = np.uint32(zlib.crc32(word))
        place = int(np.searchsorted(self.checksums, checksum))
        while place < len(self.checksums) and self.checksums[place] == checksum:
            yield int(self.offsets[place])
            place += 1


def index_of(
    path: Path,
    data: mmap | bytes,
    reporter: Reporter,
    cache: Path | None,
) -> WordIndex:
    """Returns the index of a file, from the cache when the file has not changed since.

    Args:
        path: Of the file.
        data: The file.
        reporter: Told of the bytes that were gone through.
        cache: Folder in which indices are kept; None = keep none.

    Raises:
        CorpusFormatError: It is no file of word vectors, or a damaged one.
        Cancelled: The reporter asked to stop.
    """
    if cache is None or len(data) < LEAST_CACHED:
        return _made(data, reporter)
    state = os.stat(path)
    key = {"version": _VERSION, "size": state.st_size, "changed": state.st_mtime_ns}
    name = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    kept = cache / f"{name[:24]}.index"
    index = _read(kept, key)
    if index is None:
        index = _made(data, reporter)
        with suppress(OSError):  # a cache that cannot be written costs time only
            _write(kept, key, index)
    return index


def _made(data: mmap | bytes, reporter: Reporter) -> WordIndex:
    layout = layout_of(data)
    checksums, offsets = array("I"), array("Q")
    size = len(data)
    for number, (offset, word) in enumerate(words_of(data, layout)):
        if number % _WORDS_A_STEP == 0:
            reporter.advance(offset, 2 * size, "")
        checksums.append(zlib.crc32(word))
        offsets.append(offset)
    unsorted = np.frombuffer(checksums, np.uint32) if checksums else np.empty(0, np.uint32)
    order = np.argsort(unsorted, kind="stable")
    return WordIndex(
        layout=layout,
        digest=_digest(data, reporter),
        checksums=unsorted[order],
        offsets=(np.frombuffer(offsets, np.uint64) if offsets else np.empty(0, np.uint64))[order],
    )


def _digest(data: mmap | bytes, reporter: Reporter) -> str:
    digest, size = hashlib.sha256(), len(data)
    view = memoryview(data)
    try:
        for start in range(0, size, _BLOCK):
            reporter.advance(size + start, 2 * size, "")
            digest.update(view[start : start + _BLOCK])
    finally:
        view.release()
    reporter.advance(2 * size, 2 * size, "")
    return digest.hexdigest()


def _read(kept: Path, key: dict[str, int]) -> WordIndex | None:
    try:
        head, _, body = kept.read_bytes().partition(b"\n")
        facts = json.loads(head)
        n_words = facts["words"]
        if facts["key"] != key or facts["checksum"] != zlib.crc32(body):
            return None
        return WordIndex(
            layout=Layout(**facts["layout"]),
            digest=facts["digest"],
            checksums=np.frombuffer(body, "<u4", n_words),
            offsets=np.frombuffer(body, "<u8", n_words, 4 * n_words),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(kept: Path, key: dict[str, int], index: WordIndex) -> None:
    body = index.checksums.astype("<u4").tobytes() + index.offsets.astype("<u8").tobytes()
    facts = {
        "key": key,
        "words": len(index.checksums),
        "checksum": zlib.crc32(body),
        "digest": index.digest,
        "layout": asdict(index.layout),
    }
    kept.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=kept.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(json.dumps(facts).encode() + b"\n" + body)
        os.replace(draft, kept)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
