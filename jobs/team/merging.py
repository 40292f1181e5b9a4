"""Taking back files that were handed out."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.formats.reading.requests import ReadRequest
from awase.core.merging.plan import MergePlan
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.jobs.importing import create_with, read_all
from awase.jobs.team.arriving import JSON_SUFFIX
from awase.storage.changing.adding import Incoming
from awase.storage.databases.side_files import SIDE_SUFFIXES
from awase.storage.rows.changes import Changes
from awase.storage.store import CorpusStore


@contextmanager
def read_copies(paths: Sequence[Path], reporter: Reporter) -> Iterator[tuple[Incoming, ...]]:
    """Gives what is in files that come back; the files stay as they are.

    All of it is looked at before any is given. It is read when it is needed, as long as the caller
    is in here.

    Raises:
        EnvironmentProblem: One is missing, damaged, of a newer version or not a corpus.
        Cancelled: The reporter asked to stop.
    """
    found = []
    with ExitStack() as opened:
        for idx, path in enumerate(paths):
            reporter.advance(idx, len(paths), path.name)
            store = opened.enter_context(_opened_copy(path, reporter))
            copy = store.sound_copy(reporter)
            if copy is None:
                raise EnvironmentProblem(
                    "“{path}” is damaged; nothing was taken back.",
                    "Have it copied again, or save what can be read of it first.",
                    path=str(path),
                )
            found.append(Incoming(name=path.name, copy=copy, log=store.each_log_row))
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
        for suffix in ("", *SIDE_SUFFIXES):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{path}{suffix}", f"{own}{suffix}")
        try:
            store = CorpusStore.open(own if own.exists() else path, who="")
        except EnvironmentProblem as error:
            # The user knows the file by its own name.
            fields = {
                key: str(path) if value == str(own) else value
                for key, value in error.problem.fields.items()
            }
            raise EnvironmentProblem(error.problem.what, error.problem.hint, **fields) from error
        with store:
            store.give_up_backup()  # of our own copy, which nobody writes to
            yield store


def _store_of_json(path: Path, own: Path, reporter: Reporter) -> CorpusStore:
    file = ReadRequest(path=path, format_id="awase-json", source=path.name, encoding="utf-8")
    read = read_all(Corpus(), [file], reporter)
    ownership = read.addition.ownership
    if ownership is None or not ownership.corpus:
        raise InputError.of(
            "“{name}” does not say which corpus it is a copy of.",
            "Import it, or have it exported again with what copies need.",
            name=path.name,
        )
    create_with(
        str(own), read, name="", source=path.name, who="", reporter=reporter, ownership=ownership
    )
    return CorpusStore.open(own, who="")


def preview(
    store: CorpusStore, paths: Sequence[Path], *, names: Mapping[str, str], reporter: Reporter
) -> MergePlan:
    """Returns what taking the files back would do; nothing is changed.

    Args:
        store: The main file.
        paths: Files that come back.
        names: Annotators who go by another name in the files: theirs to ours.
        reporter: Told of each file and topic.

    Raises:
        InputError: A file is a copy of another corpus, or of a person who is not of the project.
        EnvironmentProblem: A file cannot be read.
        Cancelled: The reporter asked to stop.
    """
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
    """Joins files that were handed out to the main file: all of them or nothing, after a backup.

    Args:
        store: The main file, open for writing.
        paths: The files.
        who: Who takes them back; they can undo it.
        names: Annotators who go by another name in the files: theirs to ours.
        reporter: Told of each file and topic.

    Raises:
        InputError: A file is a copy of another corpus, or of a person who is not of the project.
        EnvironmentProblem: A file cannot be read, or the corpus or its backup not be written.
        Cancelled: The reporter asked to stop.
    """
    with read_copies(paths, reporter) as copies:
        store.back_up()
        return store.merge(copies, who=who, names=names, reporter=reporter)
