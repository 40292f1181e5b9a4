"""What other processes do to a corpus in the tests; they can be killed at any moment."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from pathlib import Path

from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.edits import AlignmentEdit, Edit
from awase.storage.store import CorpusStore
from tests.storage import sample

# A fork server forks in milliseconds and shares no open file with pytest.
_CONTEXT = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
if "forkserver" in get_all_start_methods():
    _CONTEXT.set_forkserver_preload(["awase.storage.store", "alembic.command"])


class Child:
    """A process that runs a function with one end of a pipe."""

    def __init__(self, work: Callable[..., None], *arguments: object) -> None:
        self.pipe, other_end = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=work, args=(other_end, *arguments), daemon=True)
        self._process.start()
        other_end.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def ask(self, what: object) -> object:
        self.pipe.send(what)
        return self.pipe.recv()

    def kill(self) -> list[object]:
        """Kills it with SIGKILL and returns what it had still said."""
        self._process.kill()
        self._process.join()
        said = list(_rest(self.pipe))
        self.pipe.close()
        return said


def _rest(pipe: Connection) -> Iterator[object]:
    try:
        while True:
            yield pipe.recv()
    except (EOFError, OSError):
        return


@contextmanager
def running(work: Callable[..., None], *arguments: object) -> Iterator[Child]:
    """Runs a child and kills it at the end, unless that was done."""
    child = Child(work, *arguments)
    try:
        yield child
    finally:
        if not child.pipe.closed:
            child.kill()


def annotate(pipe: Connection, path: Path, seed: int) -> None:
    """Makes random edits for ever; says each one before and after it is written."""
    generator = random.Random(seed)
    with CorpusStore.open(path, who="ann") as store:
        pipe.send(("open", None))
        while True:
            edit = _random_edit(store, generator)
            pipe.send(("about", edit))
            store.apply(edit, who="ann")
            pipe.send(("confirmed", edit))


def _random_edit(store: CorpusStore, generator: random.Random) -> Edit:
    abstract = generator.choice(store.topic("t1").abstracts)
    alignment = abstract.alignment_by("ann")
    n = generator.choice(sample.NUMBERS)
    old = alignment.of_sentence(n) if alignment else SentenceAlignment(n=n)
    members = tuple(generator.sample(sample.REFS, generator.randint(1, 3)))
    new = SentenceAlignment(
        n=n,
        state=generator.choice([AlignmentState.CONFIRMED, AlignmentState.FLAGGED]),
        alternatives=(Alternative(members),),
        note=str(generator.random()),
    )
    return AlignmentEdit(
        verb="link", topic="t1", abstract=abstract.id, annotator="ann", old=old, new=new
    )


def create(pipe: Connection, path: Path, topic_ids: list[str]) -> None:
    pipe.send("begins")
    with CorpusStore.create(
        path, name="new", who="ann", addition=sample.addition(*topic_ids)
    ) as store:
        pipe.send("done")
        pipe.recv()
        store.close()


def add(pipe: Connection, path: Path, topic_ids: list[str]) -> None:
    with CorpusStore.open(path, who="ann") as store:
        pipe.send("begins")
        store.add(sample.addition(*topic_ids), who="ann")
        pipe.send("done")
        pipe.recv()


def hold(pipe: Connection, path: Path, who: str) -> None:
    """Opens the corpus for writing, and makes every edit that it is sent until it gets None."""
    with CorpusStore.open(path, who=who) as store:
        pipe.send("open")
        while (edit := pipe.recv()) is not None:
            store.apply(edit, who=who)
            pipe.send("written")
    pipe.send("closed")


@contextmanager
def holding(path: Path, who: str = "ann") -> Iterator[Child]:
    """Lets another process have the corpus open for writing."""
    with running(hold, path, who) as holder:
        assert holder.pipe.recv() == "open"
        yield holder


def leave_unfinished(path: Path, edit: Edit) -> None:
    """Leaves what a program wrote that was killed: beside the file, not in it."""
    with holding(path) as holder:
        holder.ask(edit)
        holder.kill()


def read(pipe: Connection, path: Path) -> None:
    with CorpusStore.open(path, who="bob", read_only=True) as store:
        store.corpus()
    pipe.send("read")


def try_to_create(pipe: Connection, path: Path) -> None:
    """Waits for the word, then creates a corpus; says whether it could."""
    pipe.send("ready")
    pipe.recv()
    try:
        store = CorpusStore.create(path, name="new", who="ann")
    except Exception as error:  # whatever it is, the parent wants to know
        pipe.send(type(error).__name__)
        return
    pipe.send("created")
    pipe.recv()
    store.close()


def take_back(pipe: Connection, main: Path, files: list[Path]) -> None:
    """Joins files that were handed out, saying when it begins, at each step and when it is done."""
    from awase.jobs.team.copies import take_back as join

    with CorpusStore.open(main, who="lead") as store:
        pipe.send("begin")
        join(store, files, who="lead", names={}, reporter=_Told(pipe))
        pipe.send("done")


class _Told(Silent):
    """Says each step."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def advance(self, done: int, total: int, what: str = "") -> None:
        self._pipe.send("step")
