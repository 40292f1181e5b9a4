"""Streaming reader of texts: a text a line, JSON lines, or tables.

CSV, TSV, Parquet, Excel and ODS are detected by their endings; .gz is decompressed. Only workbooks
are loaded whole.
"""

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from io import BufferedReader, BytesIO, TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from awase.core.errors import CorpusFormatError, InputError, Listing, Missing
from awase.core.formats.reading.arrow import ArrowRows
from awase.core.formats.reading.records import NOT_JSON, csv_rows, json_records, unclosed_quote
from awase.core.formats.reading.roles import (
    Declared,
    PairColumns,
    TakenAs,
    column_for,
    declared_columns,
    is_plural,
    items_problem,
    keyed_columns,
    pair_columns,
    texts_in,
    with_separators,
)
from awase.core.records.source import GIVEN
from awase.core.text.script import Separators
from awase.core.text.sentences import Split, split_text
from awase.jobs.files.reading import STANDARD_INPUT, is_packed, open_argument, unpacked_file

_BYTES_AT_ONCE: Final = 1 << 16
_TABLES: Final = (".csv", ".tsv")
_decoded: Final = json.JSONDecoder().raw_decode

Record = Mapping[str, object]
_EMPTY: Final[Record] = {}
_HINT_SEVERAL: Final = (
    "Import the file into a corpus, and score that; or divide it, a file a system."
)

NO_TEXT: Final = Split((), GIVEN)


class Text(NamedTuple):
    """A record: output, references, and the item's id."""

    output: Split | None
    references: tuple[Split, ...] = ()
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFileLayout:
    """Columns and format of a file of texts."""

    has_systems: bool = True
    has_references: bool = False
    declared: Declared = field(default_factory=dict)
    # How texts become sentences, as `split_text` knows it; None = as is usual.
    way: str | None = None
    separates: bool = True
    encoding: str = "utf-8"


class TextsOfFile:
    """Streams the texts of a file; opens it on construction."""

    def __init__(self, place: str, opened: ExitStack, layout: TextFileLayout) -> None:
        """Opens the file; `-` is standard input."""
        self.name = "standard input" if place == STANDARD_INPUT else place
        self._layout = layout
        self._separators = Separators(is_on=layout.separates)
        self._pair: PairColumns | None = None
        self._system: str | None = None
        self._columns: tuple[str, ...] | None = None
        self._id_column: str | None = None
        self._size, self._n_rows = 0, 0
        self._n_lines = 0  # of plain text, a text each
        self._table: ArrowRows | None = None
        self._raw: BinaryIO = sys.stdin.buffer
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
        """Returns (bytes read, total), 0 of 0 if unknown."""
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

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Translates errors within a compressed file."""
        try:
            yield
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise CorpusFormatError.of(
                "The file is damaged: {reason}.", "Download it again.",
                source=self.name, reason=str(error),
            ) from error  # fmt: skip

    def _of_rows(self, table: ArrowRows) -> Iterator[Text]:
        pair = self._take_columns(table.columns)
        wanted = (pair.system, pair.reference, pair.roles.id, pair.roles.system_name)
        for rows in table.portions([*dict.fromkeys(one for one in wanted if one is not None)]):
            for row in rows:
                self._n_rows += 1
                yield self._text_of(row, self._n_rows, pair)

    def _of_cells(self) -> Iterator[Text]:
        """Yields the texts of a table separated by tabs, commas or semicolons."""
        try:
            stream = self._decoded()
            first = stream.readline()
            reader = csv_rows(chain([first], stream), first)
            columns = [name.strip() for name in next(reader, [])]
            pair = self._take_columns(columns)
            for number, cells in enumerate(reader, start=2):
                if any(cells):
                    yield self._text_of(dict(zip(columns, cells, strict=False)), number, pair)
        except csv.Error as error:
            raise CorpusFormatError([unclosed_quote(error).in_source(self.name)]) from error
        except UnicodeDecodeError as error:
            raise self._undecoded() from error

    def _decoded(self) -> TextIOWrapper:
        encoding = self._layout.encoding
        is_plain = encoding.lower().replace("_", "-") in ("utf-8", "utf8")
        try:
            # A reference, as it would close the file when collected.
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
        number, pair, is_list = 1, None, self._ending == ".json"
        blocks = self._blocks()
        for lines in blocks:
            if number == 1:
                is_list |= _begins_a_list(lines)
                if is_list:
                    yield from self._of_records([*lines, *chain.from_iterable(blocks)])
                    return
                pair = self._columns_of_json(lines[0])
            if pair is not None:
                for at, line in enumerate(lines, start=number):
                    if line and not line.isspace():
                        yield self._text_of(self._record(line, at), at, pair)
            else:
                for line in lines:
                    yield self._of_line(line)
                self._n_lines += len(lines)
            number += len(lines)

    def _of_line(self, line: str) -> Text:
        sentences = self._sentences(line)
        return Text(sentences) if self._layout.has_systems else Text(None, (sentences,))

    def _of_records(self, lines: Sequence[str]) -> Iterator[Text]:
        """Yields the texts of JSON objects in a list or over several lines each."""
        pair: PairColumns | None = None
        for at, value in json_records("\n".join(lines)):
            if value is NOT_JSON or not isinstance(value, dict):
                raise CorpusFormatError.of(
                    "The record is not a JSON object.",
                    "Write a list of objects, or one object per line.",
                    source=self.name, line=at,
                )  # fmt: skip
            if pair is None:
                _check_no_corpus(value, self.name)
                pair = self._take_columns([*value], value)
            yield self._text_of(value, at, pair)

    def _blocks(self) -> Iterator[list[str]]:
        """Yields batches of lines."""
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

    def _columns_of_json(self, first: str) -> PairColumns | None:
        """Returns the columns of JSON lines; None = plain lines."""
        record = _record_in(first)
        if record:
            _check_no_corpus(record, self.name)
            return self._take_columns([*record], record)
        layout = self._layout
        if layout.has_systems and layout.has_references:
            raise no_reference(self.name)
        named = declared_columns(layout.declared)
        if named:
            raise CorpusFormatError.of(
                "Column “{column}” was requested, but the file is not JSON lines.",
                "Leave the column out: every line is a text.",
                source=self.name,
                column=next(iter(named.values()))[0],
            )
        return None

    def _take_columns(self, columns: Sequence[str], first: Record = _EMPTY) -> PairColumns:
        """Selects the columns to score; `first` is the first record, if it is an object."""
        layout = self._layout
        keyed = keyed_columns(first) if layout.has_systems else ()
        try:
            pair = self._pair = pair_columns(
                columns, layout.declared, self.name,
                has_systems=layout.has_systems, has_references=layout.has_references,
            )  # fmt: skip
        except InputError as error:
            if keyed and error.problems[0].missing is Missing.COLUMN_OF_OUTPUTS:
                raise self._of_several_systems(keyed[0], first) from error
            raise
        if pair.system in keyed:
            raise self._of_several_systems(pair.system, first)
        return pair

    def _of_several_systems(self, column: str, first: Record) -> CorpusFormatError:
        return CorpusFormatError.of(
            "“{column}” holds an output of each system: {systems}.",
            _HINT_SEVERAL,
            source=self.name,
            column=column,
            systems=Listing(cast(Record, first[column]), most=6),
        )

    def taken_as(self) -> TakenAs | None:
        """Returns what was taken for what, once all was read; None = nothing was to be told."""
        roles = () if self._pair is None else (self._pair.taken_as(self.name),)
        if self._n_lines > 1:
            roles = (TakenAs(source=self.name, n_lines=self._n_lines),)
        return next(iter(with_separators(roles, self.name, self._separators)), None)

    def _text_of(self, record: Record, number: int, pair: PairColumns) -> Text:
        output: Split | None = None
        references: tuple[Split, ...] = ()
        if pair.system is not None and pair.reference is not None:
            problem = items_problem(record, pair.system, pair.reference)
            if problem is not None:
                raise CorpusFormatError([replace(problem, source=self.name, line=number)])
        if pair.system is not None:
            self._check_one_system(record, number, pair)
            value = record.get(pair.system)
            output = self._sentences_in(value)
            if output is None:
                output = next(iter(self._texts(value, pair.system, number)), NO_TEXT)
        if pair.reference is not None:
            value = record.get(pair.reference)
            one = None if is_plural(pair.reference) else self._sentences_in(value)
            references = self._texts(value, pair.reference, number) if one is None else (one,)
        return Text(output, references, self._id_in(record))

    def _texts(self, value: object, column: str, number: int) -> tuple[Split, ...]:
        texts = None if value is None else texts_in(value, is_plural=is_plural(column))
        if texts is None:
            raise CorpusFormatError.of(
                "There is no text in “{column}”.", "A text is a string or a list of sentences.",
                source=self.name, line=number, column=column,
            )  # fmt: skip
        return tuple(self._sentences(one[0] if len(one) == 1 else one) for one in texts)

    def _check_one_system(self, record: Record, number: int, pair: PairColumns) -> None:
        """Raises for a table with rows of several systems, which would be scored as one."""
        if pair.roles.system_name is None:
            return
        system = str(record.get(pair.roles.system_name))
        if self._system is None:
            self._system = system
        elif system != self._system:
            raise CorpusFormatError.of(
                "The rows are of several systems: “{first}”, “{second}”.",
                _HINT_SEVERAL,
                source=self.name, line=number, first=self._system, second=system,
            )  # fmt: skip

    def _record(self, line: str, number: int) -> Record:
        """Parses a line to an object; anything else has no text, which is reported elsewhere."""
        try:
            record, end = _decoded(line, 0) if line.startswith("{") else (None, -1)
            if end != len(line):
                record = json.loads(line)
            return record if isinstance(record, dict) else {}
        except ValueError as error:
            raise CorpusFormatError.of(
                "The line is not a JSON object ({reason}).",
                "Write one object per line.",
                source=self.name,
                line=number,
                reason=str(error),
            ) from error

    def _sentences_in(self, value: object) -> Split | None:
        """Returns the sentences of a single text, the usual case; None = anything else."""
        if isinstance(value, str):
            return self._sentences(value)
        if isinstance(value, list) and len(value) > 1 and {*map(type, value)} == {str}:
            return self._sentences(value)
        return None

    def _id_in(self, record: Record) -> str | None:
        columns = tuple(record)
        if columns != self._columns:
            self._columns, self._id_column = columns, column_for("id", columns)
        id_ = None if self._id_column is None else record[self._id_column]
        return str(id_) if isinstance(id_, str | int) else None

    def _sentences(self, text: str | Sequence[str]) -> Split:
        return split_text(text, self._layout.way, separators=self._separators)


def no_reference(source: str) -> CorpusFormatError:
    """Returns the error that there are no references."""
    return CorpusFormatError.of(
        "There is no reference to score the texts against.",
        source=source, missing=Missing.REFERENCES,
    )  # fmt: skip


def _begins_a_list(lines: Sequence[str]) -> bool:
    """Returns whether lines begin a JSON list of objects or a long object."""
    start = "".join(islice((line.strip() for line in lines if not line.isspace()), 2))
    return start.startswith("[{") or (start.startswith('{"') and lines[0].strip() == "{")


def _check_no_corpus(columns: Iterable[str], source: str) -> None:
    if "awase" in columns:
        raise CorpusFormatError.of(
            "This is a corpus, not a table of texts.", "Score it as a corpus.",
            source=source,
        )  # fmt: skip


def _record_in(line: str) -> Record:
    """Returns a JSON object; empty for anything else."""
    if not line.lstrip().startswith("{"):
        return _EMPTY
    try:
        record = json.loads(line)
    except ValueError:
        return _EMPTY
    return record if isinstance(record, dict) else _EMPTY
