"""What commands read: CORPUS, and files of any format with the options that tell how.

CORPUS is an `.awase` file, a database URL, an Awase JSON file, or `-`. Reading takes no lock, so a
corpus can be scored while somebody annotates it.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from awase.cli.options import combined, format_option, read_aliases, sentences_option, topic_option
from awase.core.errors import EnvironmentProblem, InputError, Problem, in_source
from awase.storage.addresses import Location, is_url

if TYPE_CHECKING:
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.formats.registry import Format
    from awase.core.metrics.kit.signature import MetricRequest
    from awase.core.metrics.kit.supplies import Supplies
    from awase.core.records.corpus import Corpus
    from awase.jobs.subset import Subset
    from awase.storage.store import CorpusStore


_TELLING_BYTES = 256
_SQLITE = b"SQLite format 3\x00"
_AWASE_FILE, _DATABASE, JSON_FILE = "awase-file", "database", "awase-json"


def _no_supplies() -> "Supplies":
    from awase.core.metrics.kit.supplies import NO_SUPPLIES

    return NO_SUPPLIES


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedCorpus:
    """A corpus as it was when it was read."""

    kind: str  # `awase-file`, `database` or `awase-json`
    corpus: "Corpus"
    warnings: tuple[Problem, ...] = ()
    state: str = ""  # of the stored corpus, which every change makes another; empty for a JSON file
    supplies: "Supplies" = field(default_factory=_no_supplies)


def open_corpus(
    location: str, requests: "Sequence[MetricRequest]" = (), *, with_sources: bool = True
) -> OpenedCorpus:
    """Loads CORPUS, with the resources of the requested metrics.

    A stored one is loaded without source texts where they are not needed.
    """
    from awase.jobs.files.reading import STANDARD_INPUT, is_stream, read_argument

    path = Path(location)
    piped = None
    if not _is_named_as_stored(location) and is_stream(path):
        piped = read_argument(path)
    if location != STANDARD_INPUT and _is_stored(location, piped):
        kind = _DATABASE if is_url(location) else _AWASE_FILE
        return _stored(location, kind, requests, with_sources)
    source = Path("standard input") if location == STANDARD_INPUT else path
    return _json_corpus(source, read_argument(path) if piped is None else piped)


def store_to_read(location: Location) -> "CorpusStore":
    """Opens a stored corpus to read it; errors as `CorpusStore.open`."""
    from awase.storage.store import CorpusStore

    return CorpusStore.open(location, who="", read_only=True)


def opened_store(location: str, *, who: str, read_only: bool = False) -> "CorpusStore":
    """Opens a stored corpus, showing the progress of a migration; errors as `CorpusStore.open`."""
    from awase.cli.output.messages import ProgressBar
    from awase.storage.store import CorpusStore

    with ProgressBar("Opening") as bar:
        return CorpusStore.open(location, who=who, read_only=read_only, reporter=bar)


def as_opened(corpus: "Corpus", requests: "Sequence[MetricRequest]") -> OpenedCorpus | None:
    """Returns `open_corpus` of a file just created from `corpus`, without loading it.

    None = it must be loaded: a metric needs more than the corpus.
    """
    from awase.core.metrics.registry import metric_by_name

    if any("parses" in metric_by_name(one.name).needs_of(one) for one in requests):
        return None
    return OpenedCorpus(kind=_AWASE_FILE, corpus=corpus)


def read_corpus(location: str) -> "Corpus":
    """Loads CORPUS and prints its warnings; raises as `open_corpus`."""
    from awase.cli.output.messages import print_problems

    opened = open_corpus(location)
    print_problems("warning", opened.warnings)
    return opened.corpus


def is_corpus_file(location: str) -> bool:
    """Returns whether it is a corpus file or a database, by its address, ending or first bytes."""
    from awase.jobs.files.reading import is_plain

    path = Path(location)
    if _is_named_as_stored(location):
        return True
    try:
        return is_plain(path) and _beginning(path).startswith(_SQLITE)
    except OSError:  # reading reports why
        return False


def is_stored(location: str) -> bool:
    """Returns whether CORPUS is a corpus file or a database rather than Awase JSON or a pipe."""
    from awase.jobs.files.reading import is_stream

    return _is_named_as_stored(location) or (
        not is_stream(Path(location)) and _is_stored(location, None)
    )


def _is_named_as_stored(location: str) -> bool:
    return is_url(location) or Path(location).suffix.lower() == ".awase"


def _is_stored(location: str, piped: bytes | None) -> bool:
    return _is_named_as_stored(location) or not _is_json(Path(location), piped)


def _stored(
    location: str, kind: str, requests: "Sequence[MetricRequest]", with_sources: bool
) -> OpenedCorpus:
    from awase.cli.output.messages import print_problems
    from awase.storage.files.locks_and_backups import size_warnings
    from awase.storage.rows.reading import FileReader

    with ExitStack() as opened:
        store: CorpusStore | FileReader
        if is_url(location):
            store = opened.enter_context(store_to_read(location))
        else:
            store = FileReader(Path(location))
            print_problems("warning", size_warnings(Path(location)))
        # Before the corpus is loaded: a change in between makes it look older, not newer.
        state = store.state()
        corpus = opened.enter_context(store.snapshot(with_sources=with_sources))
        supplies = _no_supplies()
        if requests:
            from awase.jobs.supplies.gathering import supplies_of

            supplies = supplies_of(store, corpus, requests)
        if supplies is not _no_supplies():
            # The command reads parses from the store, which is closed when it is done.
            click.get_current_context().call_on_close(opened.pop_all().close)
        return OpenedCorpus(
            kind=kind, corpus=corpus, warnings=store.warnings, state=state, supplies=supplies
        )


def _is_json(path: Path, piped: bytes | None) -> bool:
    try:
        begin = _beginning(path) if piped is None else piped[:_TELLING_BYTES]
    except FileNotFoundError as error:
        raise EnvironmentProblem(
            "There is no file “{path}”.", "Check the name.", path=str(path)
        ) from error
    if path.suffix.lower() == ".json":
        return not begin.startswith(_SQLITE)
    return begin.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_TELLING_BYTES)


def _json_corpus(path: Path, content: bytes) -> OpenedCorpus:
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.formats.registry import format_by_id
    from awase.core.records.addition import merge
    from awase.core.records.corpus import Corpus
    from awase.core.text.encoding import decode

    with in_source(str(path)):
        text = decode(content, "utf-8").text
        read = format_by_id("awase-json").reader()
        result = read(ReadRequest(text=text, source=str(path)))
        corpus = merge(Corpus(), result.addition)
    return OpenedCorpus(kind=JSON_FILE, corpus=corpus, warnings=result.warnings)


def subset_for(
    corpus: "Corpus", topics: tuple[str, ...], systems: tuple[str, ...] = ()
) -> "Subset":
    """Returns the subset that `--topic` and `--system` choose."""
    from awase.jobs.subset import chosen_by_names

    subset = chosen_by_names(topics, systems)
    subset.check(corpus)
    return subset


_SINGULAR = {
    "topics": "topic",
    "documents": "document",
    "sentences": "sentence",
    "abstracts": "abstract",
    "abstract_sentences": "abstract sentence",
    "alignments": "alignment",
    "extracts": "extract",
    "texts": "text output",
    "human_scores": "human score",
}


def counts_text(numbers: Mapping[str, int]) -> str:
    """Formats the numbers of `CorpusCounts` as one phrase.

    >>> counts_text({"topics": 1, "documents": 1200, "texts": 0})
    '1 topic, 1,200 documents'
    """
    parts = [
        f"{number:,} {_SINGULAR[name]}{'' if number == 1 else 's'}"
        for name, number in numbers.items()
        if number
    ]
    return ", ".join(parts) or "nothing"


F = TypeVar("F", bound=Callable[..., object])

_COLUMNS: Final = {
    "--column": ("system", "Column of a table that contains outputs; repeatable."),
    "--reference-column": ("reference", "Column that contains references."),
    "--document-column": ("document", "Column that contains documents."),
    "--system-column": ("system name", "Column that names the system of a row."),
    "--id-column": ("id", "Column that names the item of a row."),
}
_TOLD: Final = ("topic", "abstract", "annotator", "part")
_PARAMETERS: Final = {option: option.removeprefix("--").replace("-", "_") for option in _COLUMNS}


def column_options() -> Callable[[F], F]:
    """Returns the options of columns, as `columns`: role to columns."""
    options = (
        click.option(
            option, _PARAMETERS[option], metavar="NAME", multiple=True,
            help=what if option == "--column" else f"{what}  [default: from its name]",
        )
        for option, (_, what) in _COLUMNS.items()
    )  # fmt: skip
    return combined("columns", _columns, *options)


def _columns(given: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    each = {role: given.pop(_PARAMETERS[option]) for option, (role, _) in _COLUMNS.items()}
    _check_form(each["system"])
    return {role: names for role, names in each.items() if names}


def _check_form(columns: Sequence[str]) -> None:
    """Refuses the old `--column ROLE=NAME`, with what it is called now."""
    options = {role: option for option, (role, _) in _COLUMNS.items()}
    for column in columns:
        role, equals, name = column.partition("=")
        if equals and role in options:
            raise click.UsageError(f"--column {column}: write it as {options[role]} {name}.")


def separators_option() -> Callable[[F], F]:
    """Returns `--separators`, as `separators`: `all` or `none`."""
    return click.option(
        "--separators", type=click.Choice(["all", "none"]), default="all", show_default=True,
        help="Whether tags separate sentences: <t> … </t>, <q>, <n>, </s>, <S_SEP>, [SEP].",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Settings of files to read."""

    request: "ReadRequest"  # of any file
    aliases: Mapping[str, str]  # name in the files to name of the system

    def requests(self, places: Sequence[Path]) -> "list[ReadRequest]":
        """Returns the read requests, reading a pipe now, as it cannot be reread.

        UsageError if a required setting is missing, or one has no effect.
        """
        requests = [self.request_of(place) for place in places]
        self.check_used([request.format_id for request in requests])
        return requests

    def check_used(self, format_ids: Sequence[str]) -> None:
        """Refuses settings that no file needs."""
        from awase.core.formats.registry import format_by_id

        formats = [format_by_id(one) for one in dict.fromkeys(format_ids)]
        unused = [
            f"--{name}"
            for name in _TOLD
            if getattr(self.request, name) and not any(name in one.asks for one in formats)
        ]
        if unused and formats:
            kinds, told = ", ".join(one.id for one in formats), ", ".join(unused)
            raise click.UsageError(f"Files of {kinds} contain this: leave {told} out.")

    def request_of(self, place: Path) -> "ReadRequest":
        """Returns the request of one path; raises likewise."""
        from awase.jobs.files.reading import is_stream, read_argument

        streamed = read_argument(place) if is_stream(place) else None
        return replace(
            self.request,
            path=place,
            data=streamed,
            source=str(place),
            format_id=self._format(place, streamed).id,
        )

    def _format(self, place: Path, streamed: bytes | None) -> "Format":
        from awase.core.formats.registry import FORMATS, format_by_id
        from awase.jobs.importing import format_of_place

        format_id = self.request.format_id
        try:
            named = format_by_id(format_id) if format_id else None
            entry = named or format_of_place(place, streamed)
        except InputError:
            table = FORMATS["text-table"]
            if (
                format_id
                or not self.request.columns
                or not place.name.lower().endswith(table.suffixes)
            ):
                raise
            entry = table  # named columns tell what no sign of a format does
        if not entry.reads:
            readable = ", ".join(known.id for known in FORMATS.values() if known.reads)
            raise InputError.of(
                "Format “{id}” can be written, not read.", "Use one of {readable}.",
                id=entry.id, readable=readable,
            )  # fmt: skip
        missing = [f"--{name}" for name in entry.needs if getattr(self.request, name) is None]
        if missing:
            raise click.UsageError(
                f"“{place}” is read as {entry.id}, which does not say everything: "
                f"give {', '.join(missing)}{self._or_another_format(place, entry)}."
            )
        return entry

    def _or_another_format(self, place: Path, entry: "Format") -> str:
        from awase.core.formats.registry import FORMATS

        if self.request.format_id:
            return ""
        others = [
            f"--format {other.id}"
            for other in FORMATS.values()
            if other is not entry and other.reads and place.name.lower().endswith(other.suffixes)
        ]
        return f"; or name another format: {', '.join(others)}" if others else ""


def _composed(name: object) -> str | None:
    return None if name is None else unicodedata.normalize("NFC", str(name))


def reading_options() -> Callable[[F], F]:
    """Returns all options of files to read, as one `Reading`, `reading`."""
    return combined(
        "reading", _reading,
        format_option("Format of the files"),
        click.option("--encoding", metavar="NAME",
                     help="Encoding of the files; detected if left out."),
        topic_option("Topic of the files, if they do not say."),
        click.option("--abstract", metavar="ID", help="Abstract of the files, if they do not say."),
        click.option("--annotator", metavar="NAME", help="Who made the alignment."),
        click.option("--language", type=click.Choice(["ja", "en"]),
                     help="For splitting into sentences."),
        click.option("--part", metavar="NAME", help="Part of a folder, such as a language pair."),
        column_options(),
        sentences_option(),
        separators_option(),
        click.option("--aliases", type=click.Path(path_type=Path),
                     help="Aliases file: name in the files, tab, name of the system."),
        click.option("--allow-outside", is_flag=True,
                     help="Also read files outside the folder that FILES refer to."),
    )  # fmt: skip


def _reading(given: dict[str, Any]) -> Reading:
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.text.script import Separators

    if given["sentences"] is not None:
        from awase.core.text.sentences import check_split

        check_split(given["sentences"])
    names = ("encoding", "annotator", "language", "part", "columns", "sentences", "allow_outside")
    request = ReadRequest(
        source="",
        format_id=given.pop("format_id") or "",
        topic=_composed(given.pop("topic")),
        abstract=_composed(given.pop("abstract")),
        separators=Separators(is_on=given.pop("separators") == "all"),
        # A file may name others from where a program is started that reads it.
        started_in=Path.cwd(),
        **{name: given.pop(name) for name in names},
    )
    return Reading(request=request, aliases=read_aliases(given.pop("aliases")))
