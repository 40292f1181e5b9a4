"""How long an edit takes on one server when a team writes at once, and whether any is lost.

Run: `python -m tests.benchmarks shared-server [SECONDS]`. It needs PostgreSQL's programs. The goal:
8 writers, 5 edits a second each, for 60 s, no edit lost, and 95 of 100 done within 100 ms. Every
writer is a process of its own, as windows are.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from awase.core.records.abstract import Alternative, SentenceAlignment
from awase.core.records.addition import Addition
from awase.core.records.edits import AlignmentEdit
from awase.core.records.source import SentenceRef
from awase.storage.store import CorpusStore
from tests import building

N_SENTENCES = 20
N_SOURCES = 300


@dataclass(frozen=True)
class Measured:
    """What came of it: how long edits took, and how many were confirmed and are not there.

    `n_late` is how many began later than their writer's next one should have; `cpu_ms` is what an
    edit took of a writer's processor, whatever else the machine did.
    """

    durations_s: list[float]
    n_lost: int
    n_late: int
    cpu_ms: float

    def percentile_ms(self, percent: int) -> float:
        ordered = sorted(self.durations_s)
        return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] * 1000


def addition(n_topics: int = 4) -> Addition:
    """Returns topics of the size of TSC-3's."""
    sources = [f"文{n}。" for n in range(1, N_SOURCES + 1)]
    abstract = building.abstract("long", texts=[f"要約{n}。" for n in range(1, N_SENTENCES + 1)])
    return Addition(
        topics=tuple(
            building.topic(f"t{topic_idx}", docs=sources, abstracts=[abstract])
            for topic_idx in range(n_topics)
        )
    )


def write(pipe: Connection, url: str, who: str, per_second: float, seconds: float) -> None:
    """Makes edits at their times; sends durations, how many were late, and the last values."""
    durations, n_late = [], 0
    entries: dict[tuple[str, int], SentenceAlignment] = {}
    with CorpusStore.open(url, who=who) as store:
        pipe.send("ready")
        began = pipe.recv() + int(who[1:]) / 40  # people do not act in step
        cpu_s = time.process_time()
        for step in range(int(per_second * seconds)):
            due = began + step / per_second
            time.sleep(max(0.0, due - time.time()))
            n_late += time.time() > due + 1 / per_second
            topic, n = f"t{step % 4}", step // 4 % N_SENTENCES + 1
            old = entries.get((topic, n), SentenceAlignment(n=n))
            refs = (SentenceRef("d", step % N_SOURCES + 1), SentenceRef("d", N_SOURCES - step % 99))
            new = SentenceAlignment(n=n, alternatives=(Alternative(tuple(dict.fromkeys(refs))),))
            edit = AlignmentEdit(
                verb="link", topic=topic, abstract="long", annotator=who, old=old, new=new
            )
            before = time.perf_counter()
            store.apply(edit, who=who)
            durations.append(time.perf_counter() - before)
            entries[topic, n] = new
        cpu_s = time.process_time() - cpu_s
    pipe.send((durations, n_late, entries, cpu_s))
    pipe.recv()


def measure(url: str, *, n_writers: int, per_second: float, seconds: float) -> Measured:
    """Lets writers write at an empty corpus and looks for what they confirmed."""
    CorpusStore.create(url, name="load", who="lead", addition=addition()).close()
    context = get_context("spawn")
    pipes, writers = [], []
    for idx in range(n_writers):
        own, other = context.Pipe()
        writer = context.Process(
            target=write, args=(other, url, f"A{idx + 1}", per_second, seconds), daemon=True
        )
        writer.start()
        pipes.append(own)
        writers.append(writer)
    for pipe in pipes:
        assert pipe.recv() == "ready"
    began = time.time() + 0.2
    for pipe in pipes:
        pipe.send(began)
    results = [pipe.recv() for pipe in pipes]
    with CorpusStore.open(url, who="lead", read_only=True) as store:
        n_lost = sum(
            _n_lost(store, f"A{idx + 1}", len(durations), entries)
            for idx, (durations, _, entries, _) in enumerate(results)
        )
    for pipe, writer in zip(pipes, writers, strict=True):
        pipe.send("done")
        writer.join()
    durations = [duration for own, *_ in results for duration in own]
    cpu_ms = sum(cpu_s for *_, cpu_s in results) / len(durations) * 1000
    return Measured(durations, n_lost, sum(late for _, late, *_ in results), cpu_ms)


def _n_lost(store: CorpusStore, who: str, n_edits: int, entries: dict) -> int:
    """Returns how many of somebody's edits are missing from the log or from what is stored."""
    n_logged = sum(time.annotator == who for time in store.logged_times())
    stored = {
        (topic.id, entry.n): entry
        for topic in store.corpus().topics
        for alignment in topic.abstracts[0].alignments
        if alignment.annotator == who
        for entry in alignment.sentences
    }
    return n_edits - n_logged + sum(stored.get(key) != entry for key, entry in entries.items())


def main() -> None:
    """Prints a table."""
    from tests.storage.servers import controlled_server

    seconds = int(next((word for word in sys.argv[1:] if word.isdigit()), "60"))
    with (
        tempfile.TemporaryDirectory() as folder,
        controlled_server(Path(folder) / "server", is_durable=True) as server,
    ):
        print("| writers | edits/s | edits | lost | late | median, p95, p99, max ms | CPU ms |")
        print("|---|---|---|---|---|---|---|")
        for n_writers in (1, 8):
            url = server.url_of(server.make_database(f"w{n_writers}"))
            got = measure(url, n_writers=n_writers, per_second=5, seconds=seconds)
            cells = [n_writers, 5, len(got.durations_s), got.n_lost, got.n_late]
            cells.append(", ".join(f"{got.percentile_ms(p):.0f}" for p in (50, 95, 99, 100)))
            cells.append(f"{got.cpu_ms:.1f}")
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    load = subprocess.run(["uptime"], capture_output=True, text=True, check=False).stdout.strip()
    print(f"\n{seconds} s each; the server waits for the disk (fsync on). {load}")
