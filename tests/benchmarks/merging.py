"""How long taking back takes; the goal: three files of 30 topics in under 2 s."""

import tempfile
import time
from pathlib import Path

from awase.core.annotation.actions import alignment_edit
from awase.core.errors import Silent
from awase.core.records.addition import Addition
from awase.core.records.corpus import Person
from awase.jobs.team.copies import hand_out, take_back
from awase.storage.store import CorpusStore
from tests import building
from tests.benchmarks.shared_server import N_SENTENCES, N_SOURCES

_PEOPLE = ("A1", "A2", "A3")
_WORDS = "The rescue teams reached the village on Tuesday after the river had fallen by a metre, "


def _content(n_topics: int) -> Addition:
    """Returns topics of 300 source sentences of news, 20 abstract sentences each."""
    sources = [f"{_WORDS}{n}: 文{n}。" for n in range(1, N_SOURCES + 1)]
    abstract = building.abstract("long", texts=[f"要約{n}。" for n in range(1, N_SENTENCES + 1)])
    topics = (building.topic(f"t{n}", docs=sources, abstracts=[abstract]) for n in range(n_topics))
    return Addition(topics=tuple(topics), persons=tuple(Person(id=who) for who in _PEOPLE))


def _work(path: Path, who: str) -> None:
    with CorpusStore.open(path, who=who) as store:
        for topic in store.corpus().topics:
            (abstract,) = topic.abstracts
            for sentence in abstract.sentences:
                entry = building.entry(sentence.n, f"s{sentence.n}&s{N_SOURCES - sentence.n}")
                edit = alignment_edit(topic.id, abstract, who, entry, verb="confirm")
                if edit is not None:
                    store.apply(edit, who=who, active_ms=9000)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
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
        print(f"three files of 30 topics, {n} entries: {wall_s:.2f} s, {cpu_s:.2f} CPU s")
