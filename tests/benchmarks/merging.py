"""How long taking back takes, and how large a file is that was handed out.

Run: `python -m tests.benchmarks merging`. The goals: three files of 30 topics are taken back in
under 2 s, and a file of 10 topics has under 5 MB.
"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from awase.core.annotation.actions import alignment_edit
from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.addition import Addition
from awase.core.records.corpus import Person
from awase.core.records.source import SentenceRef
from awase.jobs.team.copies import hand_out, take_back
from awase.storage.store import CorpusStore
from tests.benchmarks.shared_server import N_SOURCES, addition

_PEOPLE = ("A1", "A2", "A3")
_WORDS = "The rescue teams reached the village on Tuesday after the river had fallen by a metre, "


def _content(n_topics: int) -> Addition:
    """Returns topics of 300 source sentences of news, 20 abstract sentences each."""
    made = addition(n_topics)
    topics = []
    for topic in made.topics:
        (document,) = topic.documents
        sentences = tuple(
            replace(one, text=f"{_WORDS}{one.n}: {one.text}") for one in document.sentences
        )
        topics.append(replace(topic, documents=(replace(document, sentences=sentences),)))
    return Addition(topics=tuple(topics), persons=tuple(Person(id=who) for who in _PEOPLE))


def _work(path: Path, who: str) -> None:
    with CorpusStore.open(path, who=who) as store:
        for topic in store.corpus().topics:
            (abstract,) = topic.abstracts
            for sentence in abstract.sentences:
                n = sentence.n
                refs = (SentenceRef("d", n), SentenceRef("d", N_SOURCES - n))
                entry = SentenceAlignment(
                    n=n, state=AlignmentState.CONFIRMED, alternatives=(Alternative(refs),)
                )
                edit = alignment_edit(topic.id, abstract, who, entry, verb="confirm")
                if edit is not None:
                    store.apply(edit, who=who, active_ms=9000)


def lines(folder: Path) -> Iterator[str]:
    main = folder / "main.awase"
    with CorpusStore.create(main, name="m", who="lead", addition=_content(30)) as store:
        files = [folder / f"{who}.awase" for who in _PEOPLE]
        for who, path in zip(_PEOPLE, files, strict=True):
            hand_out(store, who, path, who="lead", reporter=Silent())
            _work(path, who)
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        plan, _ = take_back(store, files, who="lead", names={}, reporter=Silent())
        wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
        n = len(plan.entries)
        yield f"three files of 30 topics, {n} entries: {wall_s:.2f} s, {cpu_s:.2f} CPU s"
    with CorpusStore.create(
        folder / "ten.awase", name="m", who="lead", addition=_content(10)
    ) as store:
        path = folder / "own.awase"
        hand_out(store, "A1", path, who="lead", reporter=Silent())
    yield f"a file of 10 topics: {path.stat().st_size / 1e6:.2f} MB"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for line in lines(Path(name)):
            print(line, flush=True)
