"""Word vectors in a file of word2vec, GloVe or fastText, of which only wanted words are read."""

import hashlib
import json
import os
import tempfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import CorpusFormatError, EnvironmentProblem, Reporter, Silent, in_source
from awase.core.language.stored_parses import WordVectors
from awase.core.text.script import is_number

Vector = NDArray[np.float32]
Spellings = tuple[str, ...]  # a word's lookup keys, in order


def spellings_of(word: str, surfaces: Iterable[str], lemma: str = "") -> Spellings:
    """Returns the spellings under which a word is looked up; its lemma last, unless that is empty.

    Of several `surfaces`, its forms in the texts, the last in code point order comes first, which
    is the one with small letters: `the` before `The` before `THE`.
    """
    tried = (*sorted(surfaces, reverse=True), word, lemma)
    return tuple(dict.fromkeys(spelling for spelling in tried if spelling))


def looked_up(spellings: Mapping[str, Spellings], vectors: WordVectors) -> dict[str, Vector]:
    """Returns the vector of each word that has one which is not zero."""
    every = (spelling for tried in spellings.values() for spelling in tried)
    found = {
        spelling: vector
        for spelling, vector in vectors.vectors_of(dict.fromkeys(every)).items()
        if vector.any()
    }
    known = {word: [one for one in tried if one in found] for word, tried in spellings.items()}
    return {word: found[tried[0]] for word, tried in known.items() if tried}


BLANK = b" "
_LINE_END = b"\n"
_PADDING = b" \r"
_FLOAT_BYTES = 4
_LONGEST_WORD = 4_096
_MOST_DIGITS = 19  # a longer number of words or numbers is as much too large
_LONGEST_LINE = 1 << 20
_LARGEST_DIMENSION = 100_000
_SAMPLE = 4_096
_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorLayout:
    """How a file is to be read."""

    is_binary: bool  # whether the numbers are floats of four bytes, the lower first
    dimension: int  # numbers of each word
    n_words: int | None  # from the first line; None without
    start: int  # offset of the first word


def layout_of(data: mmap | bytes) -> VectorLayout:
    """Detects the file's layout."""
    line_end = data.find(_LINE_END, 0, _LONGEST_LINE)
    first = data[: line_end if line_end >= 0 else min(len(data), _LONGEST_LINE)]
    fields = first.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        n_words, dimension = (int(field[:_MOST_DIGITS]) for field in fields)
        if not 0 < dimension <= _LARGEST_DIMENSION:
            raise CorpusFormatError.of(
                "The first line says that each word has {dimension} {dimension:number|numbers}.",
                "It must be the number of words and how many numbers each has.",
                line=1,
                dimension=dimension,
            )
        start = len(first) + 1
        is_binary = not _is_text(data[start : start + _SAMPLE])
        return VectorLayout(is_binary=is_binary, dimension=dimension, n_words=n_words, start=start)
    if len(fields) > 1 and all(map(is_number, fields[1:])):
        return VectorLayout(is_binary=False, dimension=len(fields) - 1, n_words=None, start=0)
    raise CorpusFormatError.of(
        "This is not a file of word vectors: the first line is neither two whole numbers nor a "
        "word and its numbers.",
        "Give a word2vec file (.bin, .vec, .txt), a GloVe file or a fastText .vec file, unpacked.",
        line=1,
    )


def _is_text(sample: bytes) -> bool:
    if _CONTROL.intersection(sample):
        return False
    try:
        sample.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3  # a character that the sample cuts
    return True


def _binary_words(data: mmap | bytes, layout: VectorLayout) -> Iterator[tuple[int, bytes]]:
    """Yields the offset of each word and the word, in the order of the file."""
    n_words, size = layout.n_words or 0, len(data)
    n_bytes = layout.dimension * _FLOAT_BYTES + 1
    position = layout.start
    for number in range(1, n_words + 1):
        blank = data.find(BLANK, position, position + _LONGEST_WORD)
        if blank < 0 and size - position >= _LONGEST_WORD:
            _refuse_binary(layout, number, position)
        word = data[position:blank]
        # word2vec ends each vector with a line feed, other programs do not.
        offset = position
        if word.startswith(_LINE_END):
            word, offset = word[1:], position + 1
        position = blank + n_bytes
        if blank < 0 or position > size:
            raise CorpusFormatError.of(
                "The file ends at byte {byte}, in the middle of word {number} of {words}.",
                "It was cut off: download it again.",
                byte=size,
                number=number,
                words=n_words,
            )
        yield offset, word
    if data[position:].strip():
        _refuse_binary(layout, n_words + 1, position)


def _refuse_binary(layout: VectorLayout, number: int, position: int) -> NoReturn:
    raise CorpusFormatError.of(
        "The first line says {words} {words:word|words} of {dimension} "
        "{dimension:number|numbers}, which does not fit the file: at byte {byte}, word {number} "
        "is not as it should be.",
        "Download the file again, or correct its first line.",
        words=layout.n_words or 0,
        dimension=layout.dimension,
        byte=position,
        number=number,
    )


def _text_words(data: mmap | bytes, layout: VectorLayout) -> Iterator[tuple[int, bytes]]:
    """As `_binary_words`."""
    size, dimension = len(data), layout.dimension
    position = layout.start
    line = 1 if layout.n_words is None else 2
    n_found = 0
    while position < size:
        stop = data.find(_LINE_END, position)
        is_cut = stop < 0
        row = data[position : size if is_cut else stop].rstrip(_PADDING)
        if row:
            if row.count(BLANK) == dimension:
                word = row[: row.index(BLANK)]
            else:
                word = _odd_word(row, dimension, line, is_cut=is_cut)
            n_found += 1
            yield position, word
        position = size if is_cut else stop + 1
        line += 1
    if layout.n_words is not None and n_found != layout.n_words:
        raise CorpusFormatError.of(
            "The first line says {words} {words:word|words}, but the file has {found}.",
            "It was cut off: download it again."
            if n_found < layout.n_words
            else "Correct the first line.",
            line=1,
            words=layout.n_words,
            found=n_found,
        )


def _odd_word(row: bytes, dimension: int, line: int, *, is_cut: bool) -> bytes:
    """Returns the word of a line with more or fewer blanks than numbers."""
    fields = row.split(BLANK)
    filled = [field for field in fields if field]
    if len(filled) == dimension + 1:
        return filled[0]
    # Some words of GloVe's Common Crawl have blanks in them.
    if len(filled) > dimension + 1 and not all(map(is_number, filled[1:-dimension])):
        return BLANK.join(fields[:-dimension])
    raise CorpusFormatError.of(
        "The file ends in the middle of this line, which has {found} of {dimension} "
        "{dimension:number|numbers}."
        if is_cut
        else "This line has {found} {found:number|numbers}; the lines before have {dimension}.",
        "It was cut off: download it again." if is_cut else "Correct the line or remove it.",
        line=line,
        found=len(filled) - 1,
        dimension=dimension,
    )


_VERSION = 1
_BLOCK = 1 << 24
_WORDS_A_STEP = 50_000
LEAST_CACHED = 1 << 23  # size in bytes from which on an index is worth keeping


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordIndex:
    """The places of the words of one file."""

    layout: VectorLayout
    digest: str  # SHA-256 of the file, in hexadecimal
    # (n_words,) of the words, in ascending order, equal ones as in the file.
    checksums: NDArray[np.uint32]
    offsets: NDArray[np.uint64]

    def places(self, word: bytes) -> Iterator[int]:
        """Yields candidate offsets of the word, in the order of the file."""
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
    """Returns the index of a file, cached while the file is unchanged; `cache` None = no cache."""
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
    words_of = _binary_words if layout.is_binary else _text_words
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
            layout=VectorLayout(**facts["layout"]),
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


class VectorFile:
    """A file of word vectors; the first of duplicate words counts."""

    def __init__(self, name: str, data: mmap | bytes, index: WordIndex) -> None:
        self.name: Final = name
        self.digest: Final = index.digest
        self.dimension: Final = index.layout.dimension
        self._data = data
        self._index = index

    @classmethod
    def open_file(
        cls, path: Path, *, reporter: Reporter | None = None, cache: Path | None = None
    ) -> "VectorFile":
        """Opens a word2vec, GloVe or fastText file."""
        data = _mapped(path)
        with in_source(str(path)):
            index = index_of(path, data, reporter or Silent(), cache)
        return cls(path.name, data, index)

    def vectors_of(self, words: Iterable[str]) -> dict[str, Vector]:
        """Returns (dimension,) vectors of the words in the file."""
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
        """Parses the numbers from `behind` on; None when the word continues there."""
        dimension = self.dimension
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
            "The vector of “{word}” at byte {byte} contains something other than numbers.",
            "Download the file again, or remove the word.",
            source=self.name,
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
