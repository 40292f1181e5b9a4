"""Import of files, read one by one and written in one transaction; the demonstration."""

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from awase.core.errors import (
    EnvironmentProblem,
    InputError,
    Listing,
    Problem,
    Reporter,
    Silent,
    in_source,
)
from awase.core.formats.importing import NO_ALIASES, FilesRead, format_of_text, read_files
from awase.core.formats.reading.requests import LEFT_OUT, FolderTexts, ReadRequest, TextFile
from awase.core.formats.reading.roles import TakenAs
from awase.core.formats.registry import Format, format_by_id, format_of_folder
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus
from awase.core.records.digests import Ownership
from awase.core.text.encoding import decode
from awase.jobs.files.reading import (
    LARGEST_BYTES,
    DiskFolder,
    Unpacked,
    is_packed,
    is_plain,
    read_argument,
    unpacked,
    unpacked_file,
    unreadable,
)

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.core.formats.tables.text_folder import SplitText
    from awase.core.records.edits import Changes
    from awase.core.records.score import ScoreTable, Selection
    from awase.core.team.handing_out import Copy
    from awase.storage.inserting import ParsesByModel
    from awase.storage.store import CorpusStore


# What mostly has whole records; a first line that is longer is read to its end.
_TELLING_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBeginning:
    """The first bytes of a file, whole lines where it has more."""

    data: bytes
    is_whole: bool = True

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Returns the beginning of loaded data."""
        if len(data) <= _TELLING_BYTES:
            return cls(data=data)
        end = data.rfind(b"\n", 0, _TELLING_BYTES)
        if end < 0 and _may_be_records(data):
            end = data.find(b"\n", _TELLING_BYTES)
            end = len(data) if end < 0 else end
        elif end < 0:
            end = _TELLING_BYTES - 1
        return cls(data=data[: end + 1], is_whole=end + 1 >= len(data))

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Reads the beginning of a file."""
        with path.open("rb") as opened:
            data = opened.read(_TELLING_BYTES + 1)
            if b"\n" not in data and _may_be_records(data):
                data += opened.readline(LARGEST_BYTES)
                data += opened.read(1)  # whether that is all of it
            return cls.of(data)

    def format(self, name: str) -> Format:
        """Returns the format of the file of this name."""
        try:
            text = decode(self.data, None).text
        except InputError:  # signs of formats are ASCII; reading reports the encoding
            text = self.data.decode("utf-8", "replace")
        return format_of_text(name, text)


def _may_be_records(data: bytes) -> bool:
    return data[:100].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


_NOTHING: Final = FileBeginning(data=b"")


def format_of_place(path: Path, streamed: bytes | None = None) -> Format:
    """Detects the format of a file or a folder by name and content.

    Unreadable files are detected by name, as reading them reports why; `streamed` is a pipe's
    content.
    """
    if streamed is not None:
        packed = unpacked(path.name, streamed)
        beginning = FileBeginning.of(packed.data)
        if packed.name != path.name:
            return beginning.format(packed.name)
        return beginning.format(path.name if path.suffix else f"-{_ending_of(beginning.data)}")
    if os.path.isdir(path):
        return format_of_folder(str(path), DiskFolder(path).names())
    try:
        name, beginning = beginning_of(path) if is_plain(path) else (path.name, _NOTHING)
    except OSError:
        name, beginning = path.name, _NOTHING
    if not os.path.exists(path):
        raise EnvironmentProblem("There is no file “{path}”.", "Check the name.", path=str(path))
    return beginning.format(name)


def beginning_of(path: Path) -> tuple[str, FileBeginning]:
    """Returns name and beginning of a file, decompressed."""
    if not is_packed(path.name):
        return path.name, FileBeginning.of_file(path)
    file = unpacked_file(path, most=_TELLING_BYTES + 1)
    if len(file.data) > _TELLING_BYTES and b"\n" not in file.data and _may_be_records(file.data):
        file = unpacked_file(path)
    return file.name, FileBeginning.of(file.data)


def _ending_of(data: bytes) -> str:
    """Returns the ending for this content, as a pipe has no name."""
    first = next(
        (line for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()), b""
    )
    start = first.lstrip()[:1]
    if (
        start == b"["
        or (start == b"{" and not first.rstrip().endswith(b"}"))
        or b'"awase"' in first
    ):
        return ".json"
    endings = {b"{": ".jsonl", b"<": ".xml"}
    if start in endings:
        return endings[start]
    return ".tsv" if b"\t" in first else ".csv" if b"," in first else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """Result of an import."""

    changes: "Changes"
    warnings: tuple[Problem, ...]
    taken_as: tuple[TakenAs, ...]


def read_all(
    corpus: Corpus,
    files: Sequence[ReadRequest],
    reporter: Reporter,
    *,
    aliases: Mapping[str, str] = NO_ALIASES,
    n_steps_after: int = 0,
) -> FilesRead:
    """Loads the files, each merging into those before."""
    return read_files(corpus, _contents(files), reporter, len(files) + n_steps_after, aliases)


def import_files(
    store: "CorpusStore",
    files: Sequence[ReadRequest],
    who: str,
    reporter: Reporter,
    *,
    allow_outside: bool = False,
) -> Imported:
    """Merges files into the corpus in one transaction.

    Lists may name files outside their folders if allowed; else `OutsideFiles`.
    """
    with store.snapshot() as corpus:
        asked = [replace(file, allow_outside=allow_outside) for file in files]
        read = read_all(corpus, asked, reporter, n_steps_after=1)
    changes = store.add(read.addition, who=who, source=sources(files), reporter=reporter)
    return Imported(changes=changes, warnings=read.warnings, taken_as=read.taken_as)


def create_with_files(
    location: str, name: str, files: Sequence[ReadRequest], who: str, reporter: Reporter
) -> tuple[Problem, ...]:
    """Creates a corpus of the files, or nothing on errors; returns warnings.

    `location` is the new file, or the URL of an empty database.
    """
    read = read_all(Corpus(), files, reporter, n_steps_after=1)
    create_with(location, read, name=name, source=sources(files), who=who, reporter=reporter)
    return (*(line for one in read.taken_as for line in one.problems()), *read.warnings)


def create_with(
    location: str,
    read: FilesRead,
    *,
    name: str,
    source: str,
    who: str,
    reporter: Reporter,
) -> None:
    """Creates a corpus of loaded files at `location`; a copy of another where they say so."""
    from awase.core.team.handing_out import Copy

    named = replace(read.corpus, name=name or read.corpus.name)
    copy = Copy(corpus=named, ownership=read.addition.ownership or Ownership())
    create_copy(location, copy, who=who, source=source, reporter=reporter)


def create_copy(
    location: str | Path,
    copy: "Copy",
    *,
    who: str,
    source: str = "",
    parses: "ParsesByModel" = (),
    reporter: Reporter,
) -> None:
    """Creates and closes a corpus with a copy's contents, topic by topic; all of it may be lazy."""
    from awase.storage.addresses import is_url
    from awase.storage.files.locks_and_backups import create_and_close
    from awase.storage.inserting import filled_with

    fill = filled_with(
        copy, name=copy.corpus.name, who=who, source=source, parses=parses, reporter=reporter
    )
    if not is_url(location):
        create_and_close(Path(location), who, fill)
        return
    from awase.storage.postgresql.servers import create_on_server

    create_on_server(str(location), fill).close()


def sources(files: Sequence[ReadRequest]) -> str:
    """Returns the log's name for the files."""
    return ", ".join(file.path.name for file in files if file.path is not None)


def _contents(files: Iterable[ReadRequest]) -> Iterator[ReadRequest]:
    """Loads the files lazily, in order."""
    for file in files:
        path = file.path or Path(file.source)
        is_folder = os.path.isdir(path)
        asked = format_by_id(file.format_id).asks
        yield replace(
            file,
            path=path.resolve(),
            data=None if is_folder else _bytes_of(path, file.data),
            is_folder=is_folder,
            folder=DiskFolder(path) if is_folder else DiskFolder(path.parent, also=file.started_in),
            topic=file.topic if "topic" in asked else None,
            abstract=file.abstract if "abstract" in asked else None,
            annotator=file.annotator if "annotator" in asked else None,
        )


def _bytes_of(path: Path, streamed: bytes | None) -> bytes:
    try:
        if streamed is not None:
            return unpacked(path.name, streamed).data
        return unpacked_file(path).data
    except OSError as error:
        raise InputError.of(
            "{reason}.",
            "Check the name, the permissions and the free disk space.",
            source=str(path),
            reason=error.strerror or str(error),
        ) from error


LANGUAGES = ("ja", "en")
_MODEL, _TEXT = "# model = ", "# text = "


def demonstration_file(language: str, folder: Path) -> Path:
    """Returns the path in `folder` of the demonstration in `language`."""
    return folder / f"demo-{language}.awase"


def demonstration(language: str) -> Addition:
    """Returns the demonstration corpus in `language`."""
    if language not in LANGUAGES:
        raise InputError.of(
            "There is no demonstration in “{language}”.",
            "Use one of {known}.",
            language=language,
            known=Listing(LANGUAGES),
        )
    name = f"{language}.json"
    text = files("awase.resources").joinpath("demo", name).read_text("utf-8")
    return format_by_id("awase-json").reader()(ReadRequest(text=text, source=name)).addition


def demonstration_parses(language: str) -> dict[str, dict[str, str]]:
    """Returns the demonstration's parses: model to text to CoNLL-U."""
    text = files("awase.resources").joinpath("demo", f"{language}.conllu").read_text("utf-8")
    head, *blocks = text.split("\n\n")
    model = head.partition("\n")[0].removeprefix(_MODEL)
    return {model: {_text_of(block): f"{block}\n\n" for block in blocks if block}}


def _text_of(block: str) -> str:
    return block.partition("\n")[0].removeprefix(_TEXT)


def make_demonstration(
    language: str, folder: Path, *, who: str, reporter: Reporter | None = None
) -> Path:
    """Writes the demonstration into `folder`, unless it is there already, and returns its path."""
    from awase.storage.inserting import copy_of

    path = demonstration_file(language, folder)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        addition = demonstration(language)
        create_copy(
            path,
            copy_of(addition, addition.name),
            who=who,
            source=f"{language}.json",
            parses=[
                (model, by_text.items())
                for model, by_text in demonstration_parses(language).items()
            ],
            reporter=reporter or Silent(),
        )
    return path


def table_of_scores(path: Path, corpus: Corpus | None) -> "ScoreTable":
    """Loads the scores of a file, with warnings; `corpus` checks topics and systems."""
    from awase.core.formats.scores.score_lines import read_scores

    try:
        text = _text_with_mark(unpacked(path.name, read_argument(path)))
    except OSError as error:
        raise unreadable(path, error, "Check the name and the permissions.") from error
    return read_scores(text, str(path), corpus)


def _text_with_mark(file: Unpacked) -> str:
    """Returns the text with its byte order mark, which indicates a spreadsheet's table."""
    text = decode(file.data).text
    return f"\ufeff{text}" if file.data.startswith(BOM_UTF8) else text


def selection_of_imported() -> "Selection":
    """Returns the `Selection` of imported scores."""
    from awase.core.packages import version_of_code
    from awase.core.records.score import Origin, Selection

    return Selection(origin=Origin.IMPORTED, program=version_of_code())


def metric_scores(files: Sequence[Path], format_id: str | None, length: str | None) -> "ScoreTable":
    """Loads metrics' scores; `format_id` None = detect by contents or ending."""
    from awase.core.formats.scores.score_lines import format_of_scores, metric_scores_of_file
    from awase.core.records.score import ScoreTable

    table = ScoreTable()
    for file in files:
        with in_source(str(file)):
            content = unpacked(file.name, read_argument(file))
            text = _text_with_mark(content)
            known = format_id or format_of_scores(content.name, text)
            read = metric_scores_of_file(text, str(file), known)
        scores = (
            one if one.length is not None else replace(one, length=length) for one in read.scores
        )
        table += replace(read, scores=tuple(scores))
    return table


TEXT_FOLDER = "text-folder"
_TEXT_SUFFIXES = (".txt", ".text")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedTexts:
    """Texts in a folder."""

    folder: Path  # the folder from which their names go on
    name: str
    files: tuple[TextFile, ...]
    # Their sentences, by name; a file that cannot be read as a text is not there.
    texts: "Mapping[str, SplitText]"
    problems: Mapping[str, Problem]  # why it cannot, by name

    def has_text(self, name: str) -> bool:
        """Returns whether a file can be read and has a sentence."""
        return name in self.texts and bool(self.texts[name].sentences)

    def to_import(self, files: Sequence[TextFile], language: str | None = None) -> ReadRequest:
        """Returns the import request for these files, with the user's corrections."""
        return ReadRequest(
            path=self.folder,
            format_id=TEXT_FOLDER,
            source=self.name,
            language=language,
            texts=tuple(file for file in files if file.role != LEFT_OUT),
        )


def are_texts(paths: Sequence[Path]) -> bool:
    """Returns whether these are plain texts, or folders of them in no other format."""
    return bool(paths) and all(map(_is_of_texts, paths))


def look_at(paths: Sequence[Path], language: str | None, reporter: Reporter) -> ScannedTexts:
    """Returns the texts in files, and in folders of topics or of one, with their sentences."""
    from awase.core.formats.tables.text_folder import files_of, split_file

    folder, names = _names_below(paths)
    files = files_of(names, folder.name or "1")
    if not files:
        raise InputError.of(
            "There is no plain text in “{place}”.",
            "Choose files whose names end in .txt, or a folder of them.",
            place=str(folder),
        )
    reading = FolderTexts(DiskFolder(folder), "")
    texts: dict[str, SplitText] = {}
    problems: dict[str, Problem] = {}
    for idx, file in enumerate(files):
        reporter.advance(idx, len(files), file.name)
        try:
            texts[file.name] = split_file(reading.text(file.name) or "", language, file.role)
        except InputError as error:
            problems[file.name] = error.problems[0]
    return ScannedTexts(
        folder=folder, name=folder.name or "texts", files=files, texts=texts, problems=problems
    )


def _names_below(paths: Sequence[Path]) -> tuple[Path, list[str]]:
    """Returns the common folder, and relative names of the texts, sorted."""
    from awase.core.formats.tables.text_folder import is_text

    real = [Path(os.path.abspath(path)) for path in paths]
    if len(real) == 1 and real[0].is_dir():
        return real[0], [name for name in DiskFolder(real[0]).names() if is_text(name)]
    folder = Path(os.path.commonpath([path.parent for path in real]))
    names: list[str] = []
    for path in real:
        start = path.relative_to(folder).as_posix()
        if path.is_dir():
            names += [f"{start}/{name}" for name in DiskFolder(path).names() if is_text(name)]
        else:
            names.append(start)
    return folder, sorted(names)


def _is_of_texts(path: Path) -> bool:
    if not os.path.isdir(path):
        return path.suffix.lower() in _TEXT_SUFFIXES and os.path.isfile(path)
    try:
        return format_of_place(path).id == TEXT_FOLDER
    except InputError:
        return any(name.lower().endswith(_TEXT_SUFFIXES) for name in DiskFolder(path).names())
