"""What a file of word vectors looks like inside, and where its words are.

| layout | first line | then |
|---|---|---|
| word2vec binary (`.bin`) | `N D` | word, blank, D floats of four bytes, mostly a line feed |
| word2vec or fastText text (`.vec`, `.txt`) | `N D` | word, blank, D numbers, one word a line |
| GloVe | none | word, blank, D numbers, one word a line |

The layout is told from the content, never from the name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap
from typing import NoReturn

from awase.core.errors import CorpusFormatError

BLANK = b" "
_LINE_END = b"\n"
_PADDING = b" \r"
_FLOAT_BYTES = 4
_LONGEST_WORD = 4_096
_LONGEST_LINE = 1 << 20
_LARGEST_DIMENSION = 100_000
_SAMPLE = 4_096
_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a file is to be read.

    Attributes:
        is_binary: Whether the numbers are floats of four bytes, the lower first.
        dimension: Numbers of each word.
        n_words: What the first line says; None when it says nothing.
        start: Offset of the first word.
    """

    is_binary: bool
    dimension: int
    n_words: int | None
    start: int


def layout_of(data: mmap | bytes) -> Layout:
    """Returns how the file is to be read.

    Raises:
        CorpusFormatError: It is no file of word vectors.
    """
    line_end = data.find(_LINE_END, 0, _LONGEST_LINE)
    first = data[: line_end if line_end >= 0 else min(len(data), _LONGEST_LINE)]
    fields = first.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        n_words, dimension = map(int, fields)
        if not 0 < dimension <= _LARGEST_DIMENSION:
            raise CorpusFormatError.of(
                "The first line says that each word has {dimension} numbers.",
                "It has to be the number of words and that of the numbers of each.",
                line=1,
                dimension=dimension,
            )
        start = len(first) + 1
        is_binary = not _is_text(data[start : start + _SAMPLE])
        return Layout(is_binary=is_binary, dimension=dimension, n_words=n_words, start=start)
    if len(fields) > 1 and all(map(_is_number, fields[1:])):
        return Layout(is_binary=False, dimension=len(fields) - 1, n_words=None, start=0)
    raise CorpusFormatError.of(
        "This is no file of word vectors: the first line is neither two whole numbers nor a word "
        "and its numbers.",
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


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def words_of(data: mmap | bytes, layout: Layout) -> Iterator[tuple[int, bytes]]:
    """Yields the offset of each word and the word, in the order of the file.

    Raises:
        CorpusFormatError: The file was cut, or a line has too few or too many numbers.
    """
    return _binary_words(data, layout) if layout.is_binary else _text_words(data, layout)


def _binary_words(data: mmap | bytes, layout: Layout) -> Iterator[tuple[int, bytes]]:
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
                "It was cut: get it again, whole.",
                byte=size,
                number=number,
                words=n_words,
            )
        yield offset, word
    if data[position:].strip():
        _refuse_binary(layout, n_words + 1, position)


def _refuse_binary(layout: Layout, number: int, position: int) -> NoReturn:
    raise CorpusFormatError.of(
        "The first line says {words} words of {dimension} numbers, which does not fit the file: "
        "at byte {byte}, word {number} is not as it should be.",
        "Get the file again, or correct its first line.",
        words=layout.n_words or 0,
        dimension=layout.dimension,
        byte=position,
        number=number,
    )


def _text_words(data: mmap | bytes, layout: Layout) -> Iterator[tuple[int, bytes]]:
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
            "The first line says {words} words, but the file has {found}.",
            "It was cut: get it again, whole."
            if n_found < layout.n_words
            else "Correct the first line.",
            line=1,
            words=layout.n_words,
            found=n_found,
        )


def _odd_word(row: bytes, dimension: int, line: int, *, is_cut: bool) -> bytes:
    """Returns the word of a line that has more or fewer blanks than numbers."""
    fields = row.split(BLANK)
    filled = [field for field in fields if field]
    if len(filled) == dimension + 1:
        return filled[0]
    # Some words of GloVe's Common Crawl have blanks in them.
    if len(filled) > dimension + 1 and not all(map(_is_number, filled[1:-dimension])):
        return BLANK.join(fields[:-dimension])
    raise CorpusFormatError.of(
        "The file ends in the middle of this line, which has {found} of {dimension} numbers."
        if is_cut
        else "This line has {found} numbers; the lines before have {dimension}.",
        "It was cut: get it again, whole." if is_cut else "Correct the line or remove it.",
        line=line,
        found=len(filled) - 1,
        dimension=dimension,
    )
