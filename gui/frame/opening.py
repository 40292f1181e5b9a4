"""Functions for jobs that open corpora; no widgets, slow imports inside."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from awase.core.errors import EnvironmentProblem, InputError, Problem
from awase.core.progress import Reporter
from awase.gui.kit.i18n import mark
from awase.gui.kit.jobs.memory import undisturbed
from awase.storage.addresses import is_url

if TYPE_CHECKING:
    from awase.core.records.addition import Addition
    from awase.core.records.corpus import Corpus
    from awase.storage.store import CorpusStore

_N_STEPS: Final = 3
_CORPUS_MARK: Final = b"SQLite format 3\0"
DEMONSTRATION_ANNOTATOR: Final = "A1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """A bundled corpus."""

    language: str  # of its texts; names its file
    title: str


DEMONSTRATIONS: Final = (
    Demonstration(language="ja", title=mark("Demonstration in Japanese")),
    Demonstration(language="en", title=mark("Demonstration in English")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A corpus just opened; the receiver closes the store."""

    store: "CorpusStore"  # read-only, with its holder, when locked by somebody else
    corpus: "Corpus"
    who: str
    remarks: tuple[Problem, ...] = ()


def look_at_corpus(location: str, password: str) -> None:
    """Raises unless there is a corpus at `location`, before the open one is closed."""
    from awase.storage.reader import opened_to_read
    from awase.storage.store import CorpusStore

    if is_url(location):
        CorpusStore.open(location, who="", read_only=True, password=password).close()
    else:
        with opened_to_read(location):
            return


def restore_corpus(location: str, backup: Path | None, who: str, reporter: Reporter) -> Opened:
    """Restores a backup and opens it; None = the newest undamaged one."""
    from awase.jobs.checking import restore

    done = restore(Path(location), backup, reporter)
    return replace(open_corpus(location, who, reporter), remarks=(done,))


def open_corpus(location: str, who: str, reporter: Reporter, password: str = "") -> Opened:
    """Opens the corpus at `location`, with a server's password."""
    reporter.advance(0, _N_STEPS)
    from awase.storage.store import CorpusStore

    reporter.advance(1, _N_STEPS)
    store = CorpusStore.open_or_read_only(location, who=who, password=password, reporter=reporter)
    return _read(store, who, reporter)


def create_corpus(
    location: str, name: str, who: str, source: Path | None, reporter: Reporter
) -> Opened:
    """Creates a corpus, from the Awase JSON file `source` if given; atomic."""
    reporter.advance(0, _N_STEPS)
    from awase.jobs.files.reading import read_file
    from awase.storage.store import CorpusStore

    addition = None if source is None else _read_json(read_file(source), source.name)
    reporter.advance(1, _N_STEPS)
    store = CorpusStore.create(
        location,
        name=name,
        who=who,
        addition=addition,
        source=source.name if source else "",
        reporter=reporter,
    )
    return _read(store, who, reporter)


def open_demonstration(language: str, folder: Path, reporter: Reporter) -> Opened:
    """Opens the demonstration in `language` as its first annotator, created if missing."""
    reporter.advance(0, _N_STEPS)
    from awase.jobs.demonstration import make_demonstration

    who = DEMONSTRATION_ANNOTATOR
    path = make_demonstration(language, folder, who=who, reporter=reporter)
    return open_corpus(str(path), who, reporter)


def demonstration_file(language: str, folder: Path) -> Path:
    """Returns the path of the demonstration in `language`."""
    from awase.jobs.demonstration import demonstration_file

    return demonstration_file(language, folder)


def json_name(path: Path) -> str:
    """Returns the corpus name in an Awase JSON file; empty without."""
    from awase.jobs.files.reading import read_file

    try:
        stored = json.loads(read_file(path).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError, EnvironmentProblem):
        return ""
    name = stored.get("name") if isinstance(stored, dict) else None
    return name if isinstance(name, str) else ""


def becomes_corpus(path: Path) -> bool:
    """Returns whether a path is importable, not a corpus."""
    if path.suffix.lower() == ".json":
        return True
    try:
        if not path.is_file() or _has_mark(path):
            return False
        from awase.jobs.importing import format_of_place  # every format: a corpus needs none

        return bool(format_of_place(path).reads)
    except (OSError, InputError, EnvironmentProblem):
        return False


def _has_mark(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_CORPUS_MARK)) == _CORPUS_MARK


def is_own_json(path: Path) -> bool:
    """Returns whether a JSON file is Awase JSON, the default without another format's signs."""
    from awase.jobs.importing import format_of_place

    try:
        return format_of_place(path).id == "awase-json"
    except (InputError, EnvironmentProblem):
        return True


def _read(store: "CorpusStore", who: str, reporter: Reporter) -> Opened:
    try:
        reporter.advance(2, _N_STEPS)
        with undisturbed():
            corpus = store.corpus()
        # A handed-out copy is edited under its owner's name; and a server accepts the role's own
        # work only.
        who = store.person() or store.handed_to() or who
        _make_ready(store, corpus, who)
        # A dropped job stops here; nobody would close its result.
        reporter.advance(_N_STEPS, _N_STEPS)
        return Opened(store=store, corpus=corpus, who=who)
    except BaseException:
        store.close()
        raise


def _make_ready(store: "CorpusStore", corpus: "Corpus", who: str) -> None:
    """Warms caches for the first page."""
    from awase.core.annotation.candidates import TopicIndex
    from awase.core.annotation.suggesters import ADDED

    ADDED.names()
    done = store.history(who).done
    last = corpus.topic(done[-1].edit.topic) if done else None
    for topic in (*corpus.topics[:1], *([last] if last else [])):
        TopicIndex(topic)  # caches the slow parts


def _read_json(data: bytes, name: str) -> "Addition":
    from awase.core.formats.reading.requests import ReadRequest
    from awase.core.formats.registry import format_by_id
    from awase.core.text.encoding import decode

    text = decode(data, "utf-8").text
    return format_by_id("awase-json").reader()(ReadRequest(text=text, source=name)).addition
