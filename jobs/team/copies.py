"""Copies: hand-out, preview and merging."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from awase.core.errors import AwaseError, EnvironmentProblem, InputError, Reporter
from awase.core.formats.awase_json.corpus import corpus_uid_in
from awase.core.formats.reading.requests import ReadRequest
from awase.core.records.corpus import Corpus
from awase.core.records.edits import Changes
from awase.core.team.merging import MergePlan
from awase.core.text.encoding import decode
from awase.jobs.files.reading import read_file
from awase.jobs.files.writing import check_corpus_name
from awase.jobs.importing import create_copy, create_with, read_all
from awase.storage.changing import Incoming
from awase.storage.files.corpus_file import CORPUS_ENDING, copy_with_neighbours
from awase.storage.store import CorpusStore


@contextmanager
def read_copies(paths: Sequence[Path], reporter: Reporter) -> Iterator[tuple[Incoming, ...]]:
    """Yields the contents of returned files, validated first, loaded lazily inside the block."""
    found = []
    with ExitStack() as opened:
        for idx, path in enumerate(paths):
            reporter.advance(idx, len(paths), path.name)
            store = opened.enter_context(_opened_copy(path, reporter))
            if store.find_damage(reporter):
                raise EnvironmentProblem(
                    "“{path}” is damaged; nothing was taken back.",
                    "Ask for a new copy, or save what can be read of it first.",
                    path=str(path),
                )
            found.append(Incoming(name=path.name, copy=store.copy(), log=store.each_log_row))
        yield tuple(found)


@contextmanager
def _opened_copy(path: Path, reporter: Reporter) -> Iterator[CorpusStore]:
    """Opens a copy of the file: one of an older version has to be converted to be read."""
    with tempfile.TemporaryDirectory() as folder:
        if path.suffix.lower() == JSON_SUFFIX:
            with _store_of_json(path, Path(folder, "copy.awase"), reporter) as store:
                yield store
            return
        own = Path(folder, path.name)
        copy_with_neighbours(path, own)
        try:
            store = CorpusStore.open(own if own.exists() else path, who="")
        except EnvironmentProblem as error:
            # The user knows the file by its own name.
            fields = {
                key: str(path) if value == str(own) else value
                for key, value in error.problem.fields.items()
            }
            raise EnvironmentProblem.about(error.problem, **fields) from error
        with store:
            store.cancel_backup()  # our own copy has no other writers
            yield store


def _store_of_json(path: Path, own: Path, reporter: Reporter) -> CorpusStore:
    file = ReadRequest(path=path, format_id="awase-json", source=path.name, encoding="utf-8")
    read = read_all(Corpus(), [file], reporter)
    ownership = read.addition.ownership
    if ownership is None or not ownership.corpus:
        raise InputError.of(
            "“{name}” does not say which corpus it is a copy of.",
            "Import it, or ask for an export with what copies need.",
            name=path.name,
        )
    create_with(str(own), read, name="", source=path.name, who="", reporter=reporter)
    return CorpusStore.open(own, who="")


def preview(
    store: CorpusStore, paths: Sequence[Path], *, names: Mapping[str, str], reporter: Reporter
) -> MergePlan:
    """Returns the merge plan; nothing is changed."""
    with read_copies(paths, reporter) as copies:
        return store.plan_merge(copies, names=names, reporter=reporter)


def take_back(
    store: CorpusStore,
    paths: Sequence[Path],
    *,
    who: str,
    names: Mapping[str, str],
    reporter: Reporter,
) -> tuple[MergePlan, Changes]:
    """Merges returned files into the main file in one transaction, after a backup; undoable."""
    with read_copies(paths, reporter) as copies:
        store.back_up()
        return store.merge(copies, who=who, names=names, reporter=reporter)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOut:
    """A file that was handed out."""

    path: Path
    n_topics: int
    n_sentences: int


def hand_out(
    store: CorpusStore, person: str, target: Path, *, who: str, reporter: Reporter
) -> HandedOut:
    """Writes a person's topics and their own alignments into a new file, without anything else."""
    check_corpus_name(target)
    copy = store.copy_for(person)
    create_copy(target, copy, who=who, reporter=reporter)
    topics = copy.corpus.topics
    n_sentences = sum(len(part.sentences) for topic in topics for part in topic.abstracts)
    return HandedOut(path=target, n_topics=len(topics), n_sentences=n_sentences)


JSON_SUFFIX = ".json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Files by what can be done with them."""

    # Copies of the open corpus, to be merged; damaged files, too, as merging reports what is wrong.
    copies: tuple[Path, ...] = ()
    corpora: tuple[Path, ...] = ()
    texts: tuple[Path, ...] = ()


def sorted_out(paths: Sequence[Path], uid: str) -> Arrived:
    """Classifies files by their relation to the corpus with this uid."""
    copies: list[Path] = []
    corpora: list[Path] = []
    texts: list[Path] = []
    for path in paths:
        suffix = path.suffix.lower()
        if suffix == CORPUS_ENDING:
            (copies if _uid_of_corpus(path) in (uid, None) else corpora).append(path)
        elif suffix == JSON_SUFFIX and _uid_of_json(path) == uid:
            copies.append(path)
        else:
            texts.append(path)
    return Arrived(copies=tuple(copies), corpora=tuple(corpora), texts=tuple(texts))


def _uid_of_corpus(path: Path) -> str | None:
    """Returns the corpus id of a file; None = unreadable."""
    try:
        with CorpusStore.open(path, who="", read_only=True) as store:
            return store.bare_ownership().corpus
    except AwaseError:
        return None


def _uid_of_json(path: Path) -> str | None:
    try:
        return corpus_uid_in(decode(read_file(path)).text)
    except (AwaseError, OSError):
        return None
