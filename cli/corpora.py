"""CORPUS on the command line: an `.awase` file, a database URL, an Awase JSON file, or `-`.

Reading takes no lock, so a corpus can be scored while somebody annotates it.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.core.errors import EnvironmentProblem, Problem, in_source
from awase.storage.addresses import is_url

if TYPE_CHECKING:
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

    Args:
        with_sources: Whether source texts are needed; a stored corpus is loaded without them
            otherwise.
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


def opened_store(location: str, *, who: str, read_only: bool = False) -> "CorpusStore":
    """Opens a stored corpus, showing the progress of a migration; errors as `CorpusStore.open`."""
    from awase.cli.output.progress import ProgressBar
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
    from awase.storage.files.plain_files import size_warnings
    from awase.storage.reader import opened_to_read

    with ExitStack() as opened:
        store = opened.enter_context(opened_to_read(location))
        if not is_url(location):
            print_problems("warning", size_warnings(Path(location)))
        # Before the corpus is loaded: a change in between makes it look older, not newer.
        state = store.state()
        corpus = opened.enter_context(store.snapshot(with_sources=with_sources))
        supplies = _no_supplies()
        if requests:
            from awase.jobs.supplies.parses import supplies_of

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
