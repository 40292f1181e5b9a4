"""The power goes, anywhere: what was confirmed is there, and nothing is half done."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from awase.core.records.abstract import AlignmentState, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.storage.store import CorpusStore
from tests.proofs.recorded_disk import Step, left_by_a_cut, recorded
from tests.storage.sample import NUMBERS, REFS, addition, edit, entry

NAME = "c.awase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What a session did to the disk.

    Attributes:
        start: The files before it.
        steps: With a mark after each confirmed action: how many were confirmed.
        states: The corpus after so many actions.
        folder: Where the files were.
    """

    start: dict[str, bytes]
    steps: list[Step]
    states: list[Corpus]
    folder: Path


def record(folder: Path, *, n_actions: int, seed: int) -> Recording:
    """Returns a recorded session: edits, undo, imports, scores, parses, closing and opening again.

    Raises:
        NotWatchable: Python's SQLite cannot be watched here.
    """
    random = Random(seed)
    path = folder / NAME
    CorpusStore.create(path, name="x", who="ann", addition=addition()).close()
    start = {str(path.resolve()): path.read_bytes()}
    with recorded(folder) as steps:
        store = CorpusStore.open(path, who="ann")
        states = [store.corpus()]
        for number in range(n_actions):
            if number % 60 == 59:
                store.close()  # moves the side file into the corpus
                store = CorpusStore.open(path, who="ann")
            _act(store, random, number)
            states.append(store.corpus())
            steps.append(Step(kind="mark", mark=len(states) - 1))
        store.close()
    return Recording(start=start, steps=steps, states=states, folder=folder)


def _act(store: CorpusStore, random: Random, number: int) -> None:
    if random.random() < 0.1:
        store.add(addition(f"new{number}"), who="ann")
    elif random.random() < 0.15 and store.history("ann").done:
        store.undo(who="ann")
    else:
        abstract = random.choice(store.topic("t1").abstracts)
        alignment = abstract.alignment_by("ann")
        n = random.choice(NUMBERS)
        old = alignment.of_sentence(n) if alignment else SentenceAlignment(n=n)
        new = entry(
            n, tuple(random.sample(REFS, 2)), state=AlignmentState.FLAGGED,
            note=f"{number} " + "長い" * random.choice((1, 10, 4000)),
        )  # fmt: skip
        store.apply(edit(new, old=old, abstract=abstract.id), who="ann")


def check_cut(recording: Recording, number: int) -> str:
    """Cuts the power once and opens what is left.

    Returns:
        `last` or `next`: whether the action that was under way is not there, or is.

    Raises:
        AssertionError: A confirmed action is lost, or one is half done.
    """
    random = Random(number)
    at = random.randint(0, len(recording.steps))
    done = [step.mark for step in recording.steps[:at] if step.kind == "mark"]
    confirmed = done[-1] if done else 0
    assert isinstance(confirmed, int)
    with TemporaryDirectory() as folder:
        for name, content in left_by_a_cut(recording.start, recording.steps[:at], random).items():
            target = Path(folder) / Path(name).relative_to(recording.folder.resolve())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        with CorpusStore.open(Path(folder) / NAME, who="ann") as store:
            found = store.corpus()
            damage = store.find_damage()
    assert not damage, f"cut {number}: {damage[0]}"
    if found == recording.states[confirmed]:
        return "last"
    following = recording.states[confirmed + 1 : confirmed + 2]
    assert found in following, f"cut {number} at step {at} lost what was confirmed"
    return "next"


def run(n_cuts: int, *, n_actions: int = 200) -> Counter[str]:
    """Returns how many cuts left the last confirmed state, and the one under way.

    Raises:
        AssertionError: One lost something.
        NotWatchable: Python's SQLite cannot be watched here.
    """
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        recording = record(Path(folder), n_actions=n_actions, seed=n_actions)
        for number in range(n_cuts):
            counts[check_cut(recording, number)] += 1
    return counts
