"""SIGKILL at any moment of any work: what was confirmed is there, nothing is half done.

The work: annotating, an import, taking back files that were handed out, keeping scores, keeping
parses, converting an older file, making a corpus.
"""

import random
import shutil
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from awase.core.annotation.actions import alignment_edit
from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState, SentenceAlignment
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus, Person
from awase.core.records.edits import AlignmentEdit
from awase.core.records.score import Origin, Score, ScoreTable, Selection
from awase.jobs.team.copies import hand_out, take_back
from awase.storage.store import CorpusStore
from tests.storage import children
from tests.storage.sample import NUMBERS, REFS, addition, entry
from tests.stored import sql

Entries = dict[tuple[str, int], SentenceAlignment]

TOPIC_IDS = [f"new{number}" for number in range(40)]
PEOPLE = ("A1", "A2", "A3")
LONGEST_S = 0.25
"""All that is killed takes about as long."""
MERGE_STEPS = 28
"""What a merge says: that it begins; of each of three files that it is opened, five steps of the
look at it, and its two topics; the two topics that are written; that it is done."""


def keep_scores(pipe: Connection, path: Path) -> None:
    """Keeps scores for ever; says the title before, the number after each time."""
    with CorpusStore.open(path, who="ann") as store:
        for number in range(10**6):
            title = f"run {number}"
            pipe.send(("about", title))
            store.keep_scores(
                scores(number), title=title, who="ann", corpus_state=store.state(),
                selection=Selection(origin=Origin.COMPUTED, program="0"),
            )  # fmt: skip
            pipe.send(("confirmed", title))


def scores(number: int) -> ScoreTable:
    """Returns a table of some kilobytes that no other number has."""
    return ScoreTable(
        scores=tuple(
            Score(
                topic=f"t{topic}", length=None, system=f"s{number}", metric="precision",
                value=number / 7, signature="precision", provisional=False, n_topics=1,
            )
            for topic in range(60)
        )
    )  # fmt: skip


def keep_parses(pipe: Connection, path: Path) -> None:
    """Keeps parses for ever, a few texts at a time; says which before and after."""
    with CorpusStore.open(path, who="ann") as store:
        for number in range(10**6):
            texts = [f"text {number}.{part}" for part in range(30)]
            pipe.send(("about", texts))
            store.add_parses("m", {text: parse_of(text) for text in texts}, who="ann")
            pipe.send(("confirmed", texts))


def parse_of(text: str) -> str:
    return f"# text = {text}\n1\t{text}\t_\tNOUN\n" * 10


def convert(pipe: Connection, path: Path) -> None:
    """Opens an older file, which converts it; says when it begins and when it is done."""
    pipe.send(("begins", None))
    with CorpusStore.open(path, who="ann"):
        pipe.send(("done", None))
        pipe.recv()


def _said(child: children.Child, seconds: float) -> list[tuple[str, object]]:
    """Returns what the child said within the time, in which it is then killed."""
    until, said = time.monotonic() + seconds, []
    while (left := until - time.monotonic()) > 0 and child.pipe.poll(left):
        try:
            said.append(child.pipe.recv())
        except EOFError:
            break
    return [*said, *child.kill()]  # type: ignore[list-item]  # pairs are all that is sent


def _check_sound(path: Path) -> None:
    assert sql(path, "PRAGMA integrity_check") == [("ok",)]


def kill_annotating(path: Path, generator: random.Random) -> str:
    """Kills what annotates, while it opens the corpus or after some edits.

    Raises:
        AssertionError: A confirmed edit is gone, or another one is there than that under way; or
            what was done last cannot be undone.
    """
    work = path.with_name("annotated.awase")
    if not work.exists():
        CorpusStore.create(work, name="x", who="ann", addition=addition()).close()
    with CorpusStore.open(work, who="ann") as store:
        expected = _entries(store)
    child = children.Child(children.annotate, work, generator.randrange(10**9))
    said = _said_in_passing(child, generator)
    for word, edit in said:
        if word == "confirmed":
            expected = _with(expected, edit)
    begun = expected
    if said and said[-1][0] == "about":
        begun = _with(expected, said[-1][1])
    with CorpusStore.open(work, who="ann") as store:
        stored = _entries(store)
        assert stored in (expected, begun)
        if store.history("ann").done:
            store.undo(who="ann")
            store.redo(who="ann")
            assert _entries(store) == stored
        assert store.find_damage() == ()
    _check_sound(work)
    return "annotating"


def _said_in_passing(
    child: children.Child, generator: random.Random
) -> list[tuple[str, AlignmentEdit]]:
    if generator.random() < 0.2:
        return _said(child, generator.uniform(0, LONGEST_S))  # type: ignore[return-value]
    said = [child.pipe.recv() for _ in range(generator.randint(1, 25))]
    return said + child.kill()


def _entries(store: CorpusStore) -> Entries:
    return {
        (abstract.id, entry.n): entry
        for abstract in store.topic("t1").abstracts
        for alignment in abstract.alignments
        for entry in alignment.sentences
    }


def _with(entries: Entries, edit: AlignmentEdit) -> Entries:
    return entries | {(edit.abstract, edit.new.n): edit.new}


def kill_merging(path: Path, generator: random.Random) -> str:
    """Kills the taking back of three people's files: of their work and of their logs.

    Raises:
        AssertionError: A part of it is there, or it was confirmed and is not; or it cannot be done
            again.
    """
    folder, work = path.with_name("handed"), path.with_name("joined.awase")
    files = [folder / f"{name}.awase" for name in PEOPLE]
    if not folder.exists():
        _hand_out(folder)
    shutil.copy(folder / "main.awase", work)
    child = children.Child(children.take_back, work, files)
    said = [child.pipe.recv() for _ in range(generator.randint(1, MERGE_STEPS))]
    said += _said(child, generator.uniform(0, LONGEST_S / 2))
    untouched, joined = _joined(folder / "main.awase"), _joined(folder / "main.awase", *files)
    with CorpusStore.open(work, who="lead") as store:
        found = _work_and_log(store)
        assert found in (untouched, joined)
        assert found == joined or "done" not in said
        if found == untouched:
            take_back(store, files, who="lead", names={}, reporter=Silent())
        assert _work_and_log(store) == joined
        assert store.find_damage() == ()
    _check_sound(work)
    for left in path.parent.glob("joined.awase*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    return "merges, done" if found == joined else "merges, not begun"


def _hand_out(folder: Path) -> None:
    folder.mkdir()
    content = Addition(
        topics=addition("t1", "t2").topics, persons=tuple(Person(id=name) for name in PEOPLE)
    )
    main = folder / "main.awase"
    with CorpusStore.create(main, name="team", who="lead", addition=content) as store:
        for name in PEOPLE:
            hand_out(store, name, folder / f"{name}.awase", who="lead", reporter=Silent())
    for number, name in enumerate(PEOPLE):
        with CorpusStore.open(folder / f"{name}.awase", who=name) as store:
            for topic in ("t1", "t2"):
                for abstract in store.topic(topic).abstracts:
                    for n in NUMBERS:
                        new = entry(n, (REFS[number],), state=AlignmentState.CONFIRMED, note=name)
                        made = alignment_edit(topic, abstract, name, new, verb="confirm")
                        store.apply(made, who=name, active_ms=1000)


def _work_and_log(store: CorpusStore) -> tuple[Corpus, int]:
    return store.corpus(), len(store.logged_times())


@cache
def _joined(main: Path, *files: Path) -> tuple[Corpus, int]:
    with TemporaryDirectory() as folder:
        copy = Path(folder, "joined.awase")
        shutil.copy(main, copy)
        with CorpusStore.open(copy, who="lead") as store:
            if files:
                take_back(store, files, who="lead", names={}, reporter=Silent())
            return _work_and_log(store)


def kill_keeping(path: Path, generator: random.Random) -> str:
    """Kills what keeps scores.

    Raises:
        AssertionError: Confirmed scores are gone, or others than those kept are read.
    """
    said = _said(children.Child(keep_scores, path), generator.uniform(0, LONGEST_S))
    confirmed = [value for word, value in said if word == "confirmed"]
    with CorpusStore.open(path, who="ann") as store:
        runs = {run.title: run.id for run in store.score_runs()}
        assert set(confirmed) <= runs.keys()
        for title, id_ in runs.items():
            assert store.score_run(id_).table == scores(int(title.split()[1]))
        for id_ in runs.values():
            store.remove_score_run(id_)
        assert store.find_damage() == ()
    _check_sound(path)
    return "kept scores"


def kill_parsing(path: Path, generator: random.Random) -> str:
    """Kills what keeps parses.

    Raises:
        AssertionError: Confirmed parses are gone, or a group was kept in part.
    """
    said = _said(children.Child(keep_parses, path), generator.uniform(0, LONGEST_S))
    with CorpusStore.open(path, who="ann") as store:
        for word, texts in said:
            assert isinstance(texts, list)
            found = store.parses("m", texts)
            if word == "confirmed":
                assert len(found) == len(texts)
            assert len(found) in (0, len(texts))
            assert all(found[text] == parse_of(text) for text in found)
        assert store.find_damage() == ()
        if store.parse_models():
            store.remove_parses("m", who="ann")
    _check_sound(path)
    return "parses"


def kill_import(path: Path, generator: random.Random) -> str:
    """Kills an import.

    Raises:
        AssertionError: A part of it is there, or it was confirmed and is not.
    """
    fresh = path.with_name("import.awase")
    fresh.unlink(missing_ok=True)
    CorpusStore.create(fresh, name="x", who="ann", addition=addition()).close()
    child = children.Child(children.add, fresh, TOPIC_IDS)
    said = [*_said(child, generator.uniform(0, LONGEST_S))]
    with CorpusStore.open(fresh, who="ann") as store:
        topic_ids = [topic.id for topic in store.corpus().topics]
        assert store.find_damage() == ()
    assert topic_ids in (["t1"], ["t1", *TOPIC_IDS])
    assert topic_ids != ["t1"] or "done" not in said
    _check_sound(fresh)
    return "imports"


def kill_converting(path: Path, generator: random.Random) -> str:
    """Kills the conversion of an older file.

    Raises:
        AssertionError: The file is neither the old one nor the new one.
    """
    old, work = path.with_name("old.awase"), path.with_name("converted.awase")
    if not old.exists():  # the golden file of format 1.3, which every version has to open
        golden = Path(__file__).parents[1] / "storage" / "golden" / "golden-1.3.awase"
        shutil.copy(golden, old)
    for left in path.parent.glob("converted.awase*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    shutil.copy(old, work)
    _said(children.Child(convert, work), generator.uniform(0, 2 * LONGEST_S))
    with CorpusStore.open(work, who="ann") as store:
        assert len(store.corpus().topics) > 0
        converted = store.corpus()
    shutil.copy(old, work.with_name("whole.awase"))
    with CorpusStore.open(work.with_name("whole.awase"), who="ann") as store:
        assert store.corpus() == converted
    _check_sound(work)
    return "conversions"


def kill_making(path: Path, generator: random.Random) -> str:
    """Kills the making of a corpus.

    Raises:
        AssertionError: Half a corpus has its name.
    """
    folder = path.with_name("new")
    folder.mkdir()
    try:
        child = children.Child(children.create, folder / "new.awase", TOPIC_IDS)
        _said(child, generator.uniform(0, LONGEST_S))
        if (folder / "new.awase").exists():
            with CorpusStore.open(folder / "new.awase", who="ann") as store:
                assert [topic.id for topic in store.corpus().topics] == TOPIC_IDS
        else:
            CorpusStore.create(folder / "new.awase", name="new", who="ann").close()
            left = {file.name for file in folder.iterdir()}
            assert left == {"new.awase", "new.awase-lock"}
    finally:
        shutil.rmtree(folder)
    return "new corpora"


KILLS: tuple[Callable[[Path, random.Random], str], ...] = (
    kill_annotating, kill_merging, kill_keeping, kill_parsing, kill_import, kill_converting,
    kill_making,
)  # fmt: skip


def run(n_kills: int, *, seed: int = 1) -> Counter[str]:
    """Returns how often each kind of work was killed; raises as they do."""
    generator, counts = random.Random(seed), Counter[str]()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.awase"
        CorpusStore.create(path, name="x", who="ann", addition=addition()).close()
        for number in range(n_kills):
            counts[KILLS[number % len(KILLS)](path, generator)] += 1
    return counts
