"""The texts of one file, read some at a time: a text a line, JSON lines, or the rows of a table.

CSV, TSV, Parquet, Excel and ODS files are told by their endings; what ends in .gz is read as what
is in it. All but workbooks, which a sheet bounds, may be longer than the memory is large.
"""

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader, BytesIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from awase.core.errors import CorpusFormatError, Listing
from awase.core.formats.reading.text_columns import column_for, is_plural, texts_in
from awase.core.formats.tables.arrow import ArrowRows
from awase.core.text.sentences import split_sentences
from awase.jobs.files.packed import is_packed, unpacked_file
from awase.jobs.files.reading import STANDARD_INPUT, open_argument

_BYTES_AT_ONCE: Final = 1 << 16
_TABLES: Final = (".csv", ".tsv")
_decoded: Final = json.JSONDecoder().raw_decode

Sentences = tuple[str, ...]
Record = dict[str, object]


class Text(NamedTuple):
    """A text, or the references that one record holds, and the id that it gives its item."""

    texts: tuple[Sentences, ...]
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a file holds its texts.

    Attributes:
        role: `system` or `reference`.
        column: Of the texts; empty = told by the names of the columns.
        splits: Whether texts are split into sentences; else a text is one sentence, unless it has
            tags `<t> … </t>` or is a list.
        encoding: Of files of lines.
    """

    role: str
    column: str = ""
    splits: bool = False
    encoding: str = "utf-8"


class TextsOfFile:
    """The texts of a file, one after the other; it is opened at once."""

    def __init__(self, place: str, opened: ExitStack, layout: Layout) -> None:
        """Opens the file.

        Args:
            place: Its name; `-` is standard input.
            opened: Closes it.
            layout: How it holds its texts.

        Raises:
            OSError: It cannot be read.
            InputError: It is no such table.
            EnvironmentProblem: A package is missing that reads it.
        """
        self.name = "standard input" if place == STANDARD_INPUT else place
        self._layout = layout
        self._column = layout.column
        self._columns: tuple[str, ...] | None = None
        self._id_column: str | None = None
        self._size, self._n_rows = 0, 0
        self._table: ArrowRows | None = None
        self._raw: BinaryIO = sys.stdin.buffer
        self._several = False
        self._ending = ""
        if place != STANDARD_INPUT:
            self._open(Path(place), opened)

    def _open(self, path: Path, opened: ExitStack) -> None:
        name = path.name.lower()
        file: BinaryIO = opened.enter_context(open_argument(path))
        self._on_disk, self._size = file, path.stat().st_size
        self._raw = file
        if name.endswith(".parquet"):
            self._table = ArrowRows(file, self.name, needed_for=".parquet")
            self._size = self._table.n_rows or 0
        elif name.endswith(".gz"):
            self._raw = opened.enter_context(BufferedReader(gzip.GzipFile(fileobj=file)))
            name = name.removesuffix(".gz")
        elif is_packed(name):
            found = unpacked_file(path)
            name, self._raw = found.name, BytesIO(found.data)
        self._ending = Path(name).suffix

    def progress(self) -> tuple[int, int]:
        """Returns how much of how much was read; 0 of 0 where nobody knows."""
        if not self._size:
            return 0, 0
        return (self._n_rows if self._table else self._on_disk.tell()), self._size

    def __iter__(self) -> Iterator[Text]:
        with self._told():
            if self._table is not None:
                yield from self._of_rows(self._table)
            elif self._ending in _TABLES:
                yield from self._of_cells()
            else:
                yield from self._of_lines()

    @property
    def _is_table(self) -> bool:
        """Whether every row has the same columns."""
        return self._table is not None or self._ending in _TABLES

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tells of what is wrong within a file that is compressed."""
        try:
            yield
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise CorpusFormatError.of(
                "The file is damaged: {reason}.", "Fetch it again.",
                source=self.name, reason=str(error),
            ) from error  # fmt: skip

    def _of_rows(self, table: ArrowRows) -> Iterator[Text]:
        self._take_columns(table.columns)
        id_column = column_for("id", table.columns)
        wanted = dict.fromkeys(one for one in (self._column, id_column) if one is not None)
        for rows in table.portions([*wanted]):
            for row in rows:
                self._n_rows += 1
                yield self._text_of(row, self._n_rows)

    def _of_cells(self) -> Iterator[Text]:
        """Yields the texts of a table whose cells are parted by tabs, commas or semicolons."""
        try:
            stream = self._decoded()
            first = stream.readline()
            separator = next((mark for mark in "\t,;" if mark in first), ",")
            reader = csv.reader(chain([first], stream), delimiter=separator, strict=True)
            columns = [name.strip() for name in next(reader, [])]
            self._take_columns(columns)
            for number, cells in enumerate(reader, start=2):
                if any(cells):
                    yield self._text_of(dict(zip(columns, cells, strict=False)), number)
        except csv.Error as error:
            raise CorpusFormatError.of(
                "The table cannot be read: {reason}.", "Is a quotation mark never closed?",
                source=self.name, reason=str(error),
            ) from error  # fmt: skip
        except UnicodeDecodeError as error:
            raise self._undecoded() from error

    def _decoded(self) -> TextIOWrapper:
        encoding = self._layout.encoding
        is_plain = encoding.lower().replace("_", "-") in ("utf-8", "utf8")
        try:
            # Kept, as it would close the file when it is gone.
            self._stream = TextIOWrapper(
                self._raw, "utf-8-sig" if is_plain else encoding, newline=""
            )
        except LookupError as error:
            raise self._undecoded() from error
        return self._stream

    def _undecoded(self) -> CorpusFormatError:
        return CorpusFormatError.of(
            "The file is not {encoding}.",
            "Name the encoding of the files, or convert them to UTF-8.",
            source=self.name,
            encoding=self._layout.encoding,
        )

    def _of_lines(self) -> Iterator[Text]:
        number, is_json = 1, False
        for lines in self._blocks():
            if number == 1:
                is_json = self._is_json(lines[0])
            if is_json:
                for at, line in enumerate(lines, start=number):
                    if line and not line.isspace():
                        yield self._text_of(self._record(line, at), at)
            else:
                for line in lines:
                    yield Text((self._sentences(line),))
            number += len(lines)

    def _blocks(self) -> Iterator[list[str]]:
        """Yields some lines at a time."""
        number, encoding = 1, self._layout.encoding
        while raw := self._raw.readlines(_BYTES_AT_ONCE):
            lines: list[str] = []
            try:
                lines += (line.decode(encoding) for line in raw)
            except (UnicodeDecodeError, LookupError) as error:
                raise CorpusFormatError.of(
                    "The line is not {encoding}.",
                    "Name the encoding of the files, or convert them to UTF-8.",
                    source=self.name,
                    line=number + len(lines),
                    encoding=encoding,
                ) from error
            if number == 1:
                lines[0] = lines[0].removeprefix("\ufeff")
            yield [line.rstrip("\r\n") for line in lines]
            number += len(raw)

    def _is_json(self, first: str) -> bool:
        columns = _columns_of(first)
        if columns:
            self._take_columns(columns)
        elif self._column:
            raise CorpusFormatError.of(
                "Column “{column}” is asked for, and the file is not JSON lines.",
                "Leave the column out: every line is a text.",
                source=self.name,
                column=self._column,
            )
        return bool(columns)

    def _take_columns(self, columns: Sequence[str]) -> None:
        """Finds out which column holds the texts, and which the items' ids.

        Raises:
            CorpusFormatError: None tells, or the one that was named is not there.
        """
        role = self._layout.role
        found: str | None = self._column or column_for(role, columns)
        if found is None and role == "system":
            found = next((one for one in columns if one in ("summary", "text")), None)
        if found is None and role == "reference":
            found = column_for("system", columns)
        if found is None:
            raise CorpusFormatError.of(
                "No column tells by its name that it holds the {thing}: {columns}.",
                "Name the columns of the texts and of the references.",
                source=self.name,
                thing="references" if role == "reference" else "texts",
                columns=Listing(columns),
            )
        if self._is_table and found not in columns:
            raise CorpusFormatError.of(
                "There is no column “{name}”.", "There are: {known}.",
                source=self.name, name=found, known=Listing(columns),
            )  # fmt: skip
        self._column, self._several = found, role == "reference" and is_plural(found)

    def _text_of(self, record: Record, number: int) -> Text:
        value = record.get(self._column)
        sentences = None if self._several else self._sentences_in(value)
        if sentences is not None:
            return Text((sentences,), self._id_in(record))
        texts = None if value is None else texts_in(value, is_plural=self._several)
        if texts is None:
            raise CorpusFormatError.of(
                "There is no text in “{column}”.",
                "A text is a string or a list of sentences.",
                source=self.name,
                line=number,
                column=self._column,
            )
        found = (
            self._sentences(one[0]) if len(one) == 1 else tuple(filter(None, one)) for one in texts
        )
        return Text(tuple(found), self._id_in(record))

    def _record(self, line: str, number: int) -> Record:
        """Returns the object of a line; one that is none has no text, which is told elsewhere."""
        try:
            record, end = _decoded(line, 0)
            if end != len(line):
                record = json.loads(line)
        except ValueError:
            record = self._loaded(line, number)
        return record if isinstance(record, dict) else {}

    def _loaded(self, line: str, number: int) -> object:
        try:
            return json.loads(line)
        except ValueError as error:
            raise CorpusFormatError.of(
                "The line is no JSON object ({reason}).",
                "Write an object a line.",
                source=self.name,
                line=number,
                reason=str(error),
            ) from error

    def _sentences_in(self, value: object) -> Sentences | None:
        """Returns the sentences of a field that holds one text, as most do; None = look closer."""
        if isinstance(value, str):
            return self._sentences(value)
        if isinstance(value, list) and len(value) > 1 and {*map(type, value)} == {str}:
            return tuple(filter(None, value))
        return None

    def _id_in(self, record: Record) -> str | None:
        columns = tuple(record)
        if columns != self._columns:
            self._columns, self._id_column = columns, column_for("id", columns)
        id_ = None if self._id_column is None else record[self._id_column]
        return str(id_) if isinstance(id_, str | int) else None

    def _sentences(self, text: str) -> Sentences:
        return sentences_of(text, splits=self._layout.splits)


def sentences_of(text: str, *, splits: bool) -> Sentences:
    """Returns the sentences of a text: those in tags `<t>`, those that rules find, or one."""
    if "<t>" in text:
        from awase.core.formats.folders.parallel_files import sentences_of_line

        return sentences_of_line(text, None)
    if splits:
        return tuple(sentence.text for sentence in split_sentences(text))
    return (text,)


def _columns_of(line: str) -> tuple[str, ...]:
    """Returns the columns of a line of JSON; none = it is no object."""
    if not line.lstrip().startswith("{"):
        return ()
    try:
        record = json.loads(line)
    except ValueError:
        return ()
    return tuple(record) if isinstance(record, dict) else ()
