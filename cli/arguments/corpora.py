"""CORPUS on the command line: an `.awase` file, a database URL or an Awase JSON file.

Reading takes no lock, so a corpus can be scored while somebody annotates it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from awase.core.errors import CorpusFormatError, EnvironmentProblem, InputError, Problem
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.registry import need_all_systems
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.jobs.file_contents import is_stream, read_argument, read_file
from awase.storage.opening.addresses import is_url

_TELLING_BYTES = 256
_SQLITE = b"SQLite format 3\x00"
_AWASE_FILE, _DATABASE, JSON_FILE = "awase-file", "database", "awase-json"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedCorpus:
    """A corpus as it was when it was read.

    Attributes:
        kind: `awase-file`, `database` or `awase-json`.
        corpus: Everything in it.
        warnings: What was noticed while reading.
        state: Of the stored corpus, which every change makes another; empty for a JSON file.
        supplies: What it has for the metrics that were asked for.
    """

    kind: str
    corpus: Corpus
    warnings: tuple[Problem, ...] = ()
    state: str = ""
    supplies: Supplies = NO_SUPPLIES


def open_corpus(location: str, requests: Sequence[MetricRequest] = ()) -> OpenedCorpus:
    """Returns what CORPUS holds, with what metrics that are asked for need of it.

    Raises:
        InputError: It is a JSON file that is not an Awase corpus.
        EnvironmentProblem: It is missing, damaged, of a newer version or something else.
    """
    if is_url(location):
        return _stored(location, _DATABASE, requests)
    path = Path(location)
    if path.suffix.lower() == ".awase":
        return _stored(location, _AWASE_FILE, requests)
    piped = read_argument(path) if is_stream(path) else None
    if not _is_json(path, piped):
        return _stored(location, _AWASE_FILE, requests)
    return _json_corpus(path, read_file(path) if piped is None else piped)


def read_corpus(location: str) -> Corpus:
    """Returns what CORPUS holds, telling its warnings; raises as `open_corpus` does."""
    from awase.cli.output.failures import tell_problems

    opened = open_corpus(location)
    tell_problems("warning", opened.warnings)
    return opened.corpus


def is_stored(location: str) -> bool:
    """Returns whether CORPUS is a corpus file or a database rather than Awase JSON or a pipe."""
    path = Path(location)
    if is_url(location) or path.suffix.lower() == ".awase":
        return True
    return not is_stream(path) and not _is_json(path, None)


def _stored(location: str, kind: str, requests: Sequence[MetricRequest]) -> OpenedCorpus:
    from awase.storage.store import CorpusStore

    with CorpusStore.open(location, who="", read_only=True) as store:
        # Told before the corpus is read: what changes in between makes it look older, not newer.
        state = store.state()
        corpus = store.corpus()
        supplies = NO_SUPPLIES
        if requests:
            from awase.jobs.supplies import supplies_of

            supplies = supplies_of(store, corpus, requests)
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
    from awase.core.formats.registry import ReadRequest, format_by_id
    from awase.core.records.addition import merge
    from awase.core.text.encoding import decode

    try:
        text = decode(content, "utf-8").text
        read = format_by_id("awase-json").reader()
        result = read(ReadRequest(text=text, source=str(path)))
        corpus = merge(Corpus(), result.addition)
    except CorpusFormatError as error:
        raise in_source(error, str(path)) from error
    return OpenedCorpus(kind=JSON_FILE, corpus=corpus, warnings=result.warnings)


def in_source(error: CorpusFormatError, source: str) -> CorpusFormatError:
    """Returns the error with every problem naming the file that it is in."""
    return CorpusFormatError(problem.in_source(source) for problem in error.problems)


def with_topics(corpus: Corpus, topics: tuple[str, ...]) -> Corpus:
    """Returns the corpus with these topics only, in its own order; all when none is named.

    Raises:
        InputError: It has no such topic; tells all that it lacks.
    """
    if not topics:
        return corpus
    check_known("topic", topics, [topic.id for topic in corpus.topics])
    return replace(
        corpus,
        topics=tuple(topic for topic in corpus.topics if topic.id in topics),
        human_scores=tuple(score for score in corpus.human_scores if score.topic in topics),
    )


def with_systems(corpus: Corpus, systems: tuple[str, ...]) -> Corpus:
    """Returns the corpus with these systems' outputs only; all when none is named.

    Raises:
        InputError: It has no such system; tells all that it lacks.
    """
    if not systems:
        return corpus
    known = dict.fromkeys(output.system for topic in corpus.topics for output in topic.outputs)
    check_known("system", systems, [*known])
    topics = (
        replace(topic, outputs=tuple(o for o in topic.outputs if o.system in systems))
        for topic in corpus.topics
    )
    return replace(corpus, topics=tuple(topics))


def scored_part(
    corpus: Corpus, systems: tuple[str, ...], requests: Iterable[MetricRequest]
) -> Corpus:
    """Returns what is to be scored when only `systems` are asked for; see `only_systems`.

    Raises:
        InputError: There is no such system.
    """
    chosen = with_systems(corpus, systems)
    return corpus if need_all_systems(requests) else chosen


def only_systems(table: ScoreTable, systems: tuple[str, ...]) -> ScoreTable:
    """Returns the scores of these systems; all when none is named."""
    if not systems:
        return table
    kept = tuple(score for score in table.scores if score.system in systems)
    return replace(table, scores=kept)


def check_known(what: str, asked: tuple[str, ...], known: list[str]) -> None:
    """Does nothing when all that was asked for exists.

    Raises:
        InputError: With a problem for each name that does not.
    """
    names = dict.fromkeys(known)
    unknown = [name for name in asked if name not in names]
    if unknown:
        raise InputError(_unknown(what, name, [*names]) for name in unknown)


def _unknown(what: str, name: str, known: list[str]) -> Problem:
    close = next(iter(get_close_matches(name, known, n=1)), "")
    return Problem(
        what="The corpus has no {what} “{name}”.",
        hint="Did you mean “{close}”?"
        if close
        else "It has: {known}."
        if known
        else "It has none.",
        fields={
            "what": what,
            "name": name,
            "close": close,
            "known": ", ".join(known[:20]) + (", …" if len(known) > 20 else ""),
        },
    )
