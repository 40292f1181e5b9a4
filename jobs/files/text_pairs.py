"""Texts of systems beside their references, read from files as they are scored, none kept.

A file holds a text a line, or a JSON object a line; a folder holds a file a text, a sentence a
line. Whatever ends first, or names another item, is told; nothing is paired that does not belong
together.
"""

import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from awase.core.errors import CorpusFormatError, InputError
from awase.core.formats.reading.columns import column_for, is_plural, texts_in
from awase.core.metrics.rouge.streaming import Item, RougeStream
from awase.core.progress import Reporter
from awase.core.records.score import Score
from awase.core.text.sentences import split_sentences
from awase.jobs.files.folders import DiskFolder
from awase.jobs.files.reading import STANDARD_INPUT, read_file

_ITEMS_AT_ONCE: Final = 1_000
_LETTERS_AT_ONCE: Final = 1 << 21
_BYTES_AT_ONCE: Final = 1 << 16
_decoded: Final = json.JSONDecoder().raw_decode

Sentences = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPairs:
    """What is read.

    Attributes:
        systems: Name to a file or a folder; `-` is standard input.
        references: Files, each with a reference for every item; or folders.
        column: Of the systems' texts in JSON lines; empty = told by the names of the columns.
        reference_column: Of the references, likewise.
        splits: Whether texts are split into sentences; else a text is one sentence, unless it has
            tags `<t> … </t>` or is a list.
        encoding: Of files of lines.
    """

    systems: Mapping[str, str]
    references: tuple[str, ...]
    column: str = ""
    reference_column: str = ""
    splits: bool = False
    encoding: str = "utf-8"


class _Text(NamedTuple):
    """A text, or the references that one record holds, and the id that it gives its item."""

    texts: tuple[Sentences, ...]
    id: str | None = None


def items_of(pairs: TextPairs, reporter: Reporter) -> Iterator[Item]:
    """Yields the items in the order of the files; those of folders by their names.

    Raises:
        InputError: The files do not belong together, or a line is not what it should be.
        EnvironmentProblem: A folder cannot be read.
        OSError: A file cannot be read.
    """
    places = [*pairs.systems.values(), *pairs.references]
    if places.count(STANDARD_INPUT) > 1:
        raise InputError.of(
            "Standard input can be read once, and is named {n} times.",
            "Save it as a file, and name that.",
            n=places.count(STANDARD_INPUT),
        )
    folders = [place != STANDARD_INPUT and Path(place).is_dir() for place in places]
    if any(folders) and not all(folders):
        raise InputError.of(
            "Some of these are folders and some are files: {places}.",
            "Name folders only, or files only.",
            places=", ".join(places),
        )
    return _of_folders(pairs, places) if all(folders) else _of_files(pairs, places, reporter)


def scored_pairs(stream: RougeStream, items: Iterator[Item]) -> Iterator[Score]:
    """Yields every item's scores; afterwards the stream has the means."""
    for some in portions(items):
        yield from stream.scores_of(some)


def portions(items: Iterator[Item]) -> Iterator[list[Item]]:
    """Yields as many items at once as are counted well together and held easily."""
    some: list[Item] = []
    n_letters = 0
    for item in items:
        some.append(item)
        n_letters += sum(len(s) for text in (*item.texts, *item.references) for s in text)
        if len(some) >= _ITEMS_AT_ONCE or n_letters >= _LETTERS_AT_ONCE:
            yield some
            some, n_letters = [], 0
    if some:
        yield some


def _of_files(pairs: TextPairs, places: Sequence[str], reporter: Reporter) -> Iterator[Item]:
    n_systems = len(pairs.systems)
    with ExitStack() as opened:
        files = [
            _Lines(place, opened, pairs, is_reference=at >= n_systems)
            for at, place in enumerate(places)
        ]
        seen: set[str] = set()
        for number, texts in enumerate(zip_longest(*files), start=1):
            if number % _ITEMS_AT_ONCE == 1:
                done, total = files[0].progress()
                reporter.advance(done, total, f"{number - 1} items")
            ids = {text.id for text in texts if text is not None and text.id is not None}
            _check_together(number, texts, ids, files)
            if ids:
                _check_new(next(iter(ids)), seen, number, files[0].name)
            yield _item(next(iter(ids), str(number)), texts, n_systems)


def _item(id_: str, texts: Sequence[_Text], n_systems: int) -> Item:
    return Item(
        id=id_,
        texts=tuple(text.texts[0] if text.texts else () for text in texts[:n_systems]),
        references=tuple(one for text in texts[n_systems:] for one in text.texts),
    )


def _check_together(
    number: int, texts: Sequence[_Text | None], ids: set[str], files: Sequence["_Lines"]
) -> None:
    ended = [file.name for file, text in zip(files, texts, strict=True) if text is None]
    if ended:
        longer = next(f.name for f, text in zip(files, texts, strict=True) if text is not None)
        raise CorpusFormatError.of(
            "“{ended}” has {n} items, and “{longer}” has more.",
            "Every file needs a line for each item, an empty one where there is no text.",
            ended=ended[0],
            n=number - 1,
            longer=longer,
        )
    if len(ids) > 1:
        raise CorpusFormatError.of(
            "The files disagree on what line {n} is about: {ids}.",
            "Bring them into one order.",
            n=number,
            ids=", ".join(sorted(ids)),
        )


def _check_new(id_: str, seen: set[str], number: int, source: str) -> None:
    if id_ in seen:
        raise CorpusFormatError.of(
            "There are two items “{id}”.", "Give each its own id.",
            source=source, line=number, id=id_,
        )  # fmt: skip
    seen.add(id_)


class _Lines:
    """The texts of a file, one after the other."""

    def __init__(
        self, place: str, opened: ExitStack, pairs: TextPairs, *, is_reference: bool
    ) -> None:
        self.name = "standard input" if place == STANDARD_INPUT else place
        self._pairs = pairs
        self._role = "reference" if is_reference else "system"
        self._column = pairs.reference_column if is_reference else pairs.column
        if place == STANDARD_INPUT:
            raw: BinaryIO = sys.stdin.buffer
            self._size = 0
        else:
            raw = opened.enter_context(open(place, "rb"))  # noqa: SIM115  (the stack closes it)
            self._size = Path(place).stat().st_size
        self._raw = raw
        self._n_read = 0
        self._columns: tuple[str, ...] | None = None
        self._id_column: str | None = None

    def progress(self) -> tuple[int, int]:
        """Returns how much of how much was read; 0 of 0 where nobody knows."""
        return (self._n_read, self._size) if self._size else (0, 0)

    def __iter__(self) -> Iterator[_Text]:
        number, is_json = 1, False
        for lines in self._blocks():
            if number == 1:
                is_json = self._is_json(lines[0])
            if is_json:
                yield from self._of_json_lines(lines, number)
            else:
                for line in lines:
                    yield _Text((self._sentences(line),))
            number += len(lines)

    def _is_json(self, first: str) -> bool:
        is_json = first.lstrip().startswith("{") and _is_object(first)
        if is_json:
            self._column = self._column or self._guessed(first)
        elif self._column:
            raise CorpusFormatError.of(
                "Column “{column}” is asked for, and the file is not JSON lines.",
                "Leave the column out: every line is a text.",
                source=self.name,
                column=self._column,
            )
        return is_json

    def _blocks(self) -> Iterator[list[str]]:
        """Yields some lines at a time."""
        number, encoding = 1, self._pairs.encoding
        while raw := self._raw.readlines(_BYTES_AT_ONCE):
            self._n_read += sum(map(len, raw))
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

    def _guessed(self, first: str) -> str:
        columns = [*json.loads(first)]
        found = column_for(self._role, columns)
        if found is None and self._role == "system":
            found = next((one for one in columns if one in ("summary", "text")), None)
        if found is None and self._role == "reference":
            found = column_for("system", columns)
        if found is None:
            raise CorpusFormatError.of(
                "No column tells by its name that it holds the {thing}: {columns}.",
                "Name the columns of the texts and of the references.",
                source=self.name,
                thing="references" if self._role == "reference" else "texts",
                columns=", ".join(columns),
            )
        return found

    def _of_json_lines(self, lines: Sequence[str], number: int) -> Iterator[_Text]:
        column, several = self._column, self._role == "reference" and is_plural(self._column)
        for at, line in enumerate(lines, start=number):
            if not line or line.isspace():
                continue
            record = self._record(line, at)
            value = record.get(column)
            sentences = None if several else self._sentences_in(value)
            if sentences is None:
                yield self._of_record(record, at)
                continue
            yield _Text((sentences,), self._id_in(record))

    def _record(self, line: str, number: int) -> dict[str, object]:
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

    def _of_record(self, record: dict[str, object], number: int) -> _Text:
        value = record.get(self._column)
        several = self._role == "reference" and is_plural(self._column)
        texts = None if value is None else texts_in(value, is_plural=several)
        if texts is None:
            raise CorpusFormatError.of(
                "There is no text in “{column}”.",
                "A text is a string or a list of sentences.",
                source=self.name,
                line=number,
                column=self._column,
            )
        sentences = (
            self._sentences(one[0]) if len(one) == 1 else tuple(filter(None, one)) for one in texts
        )
        return _Text(tuple(sentences), self._id_in(record))

    def _sentences_in(self, value: object) -> Sentences | None:
        """Returns the sentences of a field that holds one text, as most do; None = look closer."""
        if isinstance(value, str):
            return self._sentences(value)
        if isinstance(value, list) and len(value) > 1 and {*map(type, value)} == {str}:
            return tuple(filter(None, value))
        return None

    def _id_in(self, record: dict[str, object]) -> str | None:
        columns = tuple(record)
        if columns != self._columns:
            self._columns, self._id_column = columns, column_for("id", columns)
        id_ = None if self._id_column is None else record[self._id_column]
        return str(id_) if isinstance(id_, str | int) else None

    def _sentences(self, text: str) -> Sentences:
        return sentences_of(text, splits=self._pairs.splits)


def sentences_of(text: str, *, splits: bool) -> Sentences:
    """Returns the sentences of a text: those in tags `<t>`, those that rules find, or one."""
    if "<t>" in text:
        from awase.core.formats.folders.parallel_files import sentences_of_line

        return sentences_of_line(text, None)
    if splits:
        return tuple(sentence.text for sentence in split_sentences(text))
    return (text,)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _of_folders(pairs: TextPairs, places: Sequence[str]) -> Iterator[Item]:
    folders = [_names(place) for place in places]
    ids = sorted(folders[0])
    for place, names in zip(places[1:], folders[1:], strict=True):
        lacking = [id_ for id_ in ids if id_ not in names]
        surplus = [id_ for id_ in names if id_ not in folders[0]]
        if lacking or surplus:
            raise CorpusFormatError.of(
                "“{place}” has not the same files as “{first}”: {names}.",
                "A text and its references have one name; only their endings may differ.",
                place=place,
                first=places[0],
                names=", ".join([*islice((*lacking, *surplus), 5)]),
            )
    for id_ in ids:
        texts = [
            _Text((_file_sentences(Path(place) / names[id_], pairs),))
            for place, names in zip(places, folders, strict=True)
        ]
        yield _item(id_, texts, len(pairs.systems))


def _names(place: str) -> dict[str, str]:
    """Returns the files of a folder by their names without endings."""
    result: dict[str, str] = {}
    for name in DiskFolder(Path(place)).names():
        stem = str(Path(name).with_suffix(""))
        if stem in result:
            raise CorpusFormatError.of(
                "“{first}” and “{second}” differ in their endings only.",
                "Leave one of them out.",
                source=place,
                first=result[stem],
                second=name,
            )
        result[stem] = name
    return result


def _file_sentences(path: Path, pairs: TextPairs) -> Sentences:
    from awase.core.text.encoding import decode

    text = decode(read_file(path), None if pairs.encoding == "utf-8" else pairs.encoding).text
    if pairs.splits:
        return sentences_of(text, splits=True)
    return tuple(line.strip() for line in io.StringIO(text) if line.strip())
