"""How the whole window does with many topics: opening, each page's first show, keys, memory.

Run: `QT_QPA_PLATFORM=offscreen python -m tests.benchmarks large-window [pages] [N_TOPICS]
[FILE.awase]`. A corpus of TSC-3's shape (120 source sentences, 5 systems a topic) is stored and
opened; after each step the longest turn of the event loop is told, the time until its jobs were
done, and the memory; then the longest of all of them as a table. With `pages` the main actions of
every page are done, on a corpus that also has a second annotator, texts and people's scores.

A turn is all that waits, events and timers, before the next key is looked at. `NAMED=1` times each
event by itself and names it, for which every one of them goes through Python: pages take twice as
long to be made then.
"""

import cProfile
import os
import pstats
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from awase.core.records.edits.addition import Addition
from awase.gui.app import application, compose
from awase.gui.frame.main_window import MainWindow
from awase.gui.session.services import Services
from awase.storage.store import CorpusStore
from tests.benchmarks.corpora import made_corpus
from tests.benchmarks.large_pages import peopled, walk
from tests.benchmarks.watched_events import Dispatch, WatchedApplication

MOST_S = float(os.environ.get("MOST_S", "60"))
"""Jobs that take longer go on beside what follows: a large file is backed up for minutes."""
PROFILED = os.environ.get("PROFILED", "")
"""Steps with this in their name are profiled, as far as they are done at once."""
TOLD_MS = 50
N_TOPICS, BATCH = 1_000, 1_000
PAGES = ("inspect", "grade", "scores", "correlations", "review", "project", "annotate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A step that was done.

    Attributes:
        name: What it was.
        block_ms: The longest time for which the window's thread was busy with one event, or with
            what was asked for, in milliseconds of the processor.
        megabytes: In memory at its end.
    """

    name: str
    block_ms: float
    megabytes: float


class Watch:
    """Does one step after the other in an application, and tells how long each took."""

    def __init__(self, app: QApplication, services: Services) -> None:
        self._app, self._services = app, services
        named = app.dispatches if isinstance(app, WatchedApplication) else None
        self._are_named, self._dispatches = named is not None, named if named is not None else []
        self.done: list[Done] = []
        self._longest_s = self._since_s = 0.0
        dispatcher = app.eventDispatcher()
        assert dispatcher is not None
        # What waits in a loop of its own, behind a dialog, has turns as well.
        dispatcher.aboutToBlock.connect(self._end_block)

    def _longest_ms(self, work: Callable[[], object]) -> float:
        """Returns for how long, of the processor's time, no key was looked at during `work`."""
        self._longest_s, self._since_s = 0.0, time.thread_time()
        work()
        self._end_block()
        return self._longest_s * 1e3

    def _end_block(self) -> None:
        now_s = time.thread_time()
        self._longest_s = max(self._longest_s, now_s - self._since_s)
        self._since_s = now_s

    def turn(self) -> None:
        """Lets the window do what waits."""
        wall_s = time.perf_counter()
        cpu_ms = self._longest_ms(self._app.processEvents)
        if not self._are_named:
            wall_ms = (time.perf_counter() - wall_s) * 1e3
            self._dispatches.append(Dispatch(wall_ms, cpu_ms, "", "a turn"))

    def step(
        self,
        name: str,
        work: Callable[[], object],
        until: Callable[[], bool] = lambda: True,
        *,
        waits: bool = True,
    ) -> None:
        """Does `work`, and lets the window go on until something holds and no job runs."""
        self._dispatches.clear()
        begun_s, cpu_s = time.perf_counter(), time.process_time()
        profile = cProfile.Profile() if PROFILED and PROFILED in name else None
        with profile or nullcontext():
            direct_ms = self._longest_ms(work)
        if profile is not None:
            pstats.Stats(profile).sort_stats("cumtime").print_stats(45)
        self.turn()
        first_s = time.perf_counter() - begun_s
        while not until() or (waits and self._waits_on(begun_s)):
            self.turn()
            time.sleep(0.002)
            if time.perf_counter() - begun_s > 300:
                name += " (given up)"
                break
        self.turn()
        slow = sorted(self._dispatches, key=lambda one: -one.cpu_ms)[:3]
        print(
            f"{name:<28} asked {direct_ms:7.1f} ms CPU, back after {first_s:6.2f} s, "
            f"done {time.perf_counter() - begun_s:6.2f} s, "
            f"CPU {time.process_time() - cpu_s:6.2f} s, "
            f"{_megabytes():5.0f} MB (at most {_most_megabytes():5.0f})"
        )
        block_ms = max(direct_ms, *(one.cpu_ms for one in slow[:1]), 0.0)
        self.done.append(Done(name=name, block_ms=block_ms, megabytes=_megabytes()))
        for one in slow:
            if one.cpu_ms > 16:
                print(f"    {one.cpu_ms:7.1f} ms CPU, {one.wall_ms:7.1f} ms: {one.what}")

    def print_table(self) -> None:
        """Prints the longest blocks, and how much memory was taken."""
        print("\n| action | longest block, CPU ms | MB at its end |\n|---|---|---|")
        for one in sorted(self.done, key=lambda one: -one.block_ms):
            if one.block_ms >= TOLD_MS:
                print(f"| {one.name} | {one.block_ms:.0f} | {one.megabytes:.0f} |")
        print(f"\n{len(self.done)} actions, at most {_most_megabytes():.0f} MB")

    def _waits_on(self, begun_s: float) -> bool:
        return self._services.jobs.is_busy and time.perf_counter() - begun_s < MOST_S


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _most_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def stored(path: Path, n_topics: int, *, is_peopled: bool = False) -> None:
    """Writes a corpus in pieces, so that it is never in memory as a whole.

    With `is_peopled` it also has what the other pages show: see `peopled`.
    """
    with CorpusStore.create(path, name=f"{n_topics} topics", who="1") as store:
        for first in range(0, n_topics, BATCH):
            made = made_corpus(
                n_topics=min(BATCH, n_topics - first),
                n_sentences=120,
                n_systems=5,
                seed=first,
                first=first,
            )
            made = peopled(made) if is_peopled else made
            store.add(Addition(topics=tuple(made.topics), human_scores=made.human_scores), who="1")


def main() -> None:
    words = sys.argv[2:]
    n_topics = next((int(word) for word in words if word.isdigit()), N_TOPICS)
    known = next((Path(word) for word in words if word.endswith(".awase")), None)
    qInstallMessageHandler(lambda *_: None)  # the offscreen platform remarks on every size hint
    app = application(WatchedApplication if os.environ.get("NAMED") else QApplication)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = known or folder / "large.awase"
        if known is None:
            # In a process of its own: what is made there would count as the window's memory.
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
                other.submit(stored, path, n_topics, is_peopled="pages" in words).result()
        services = compose(config=folder / "config", data=folder / "data", log=folder / "log")
        watch, window = Watch(app, services), MainWindow(services)
        opened(watch, window, app, path)
        n_stored = len(window.shown.session.topic_ids())
        print(f"{n_stored:,} topics, {path.stat().st_size / 1e6:.0f} MB")
        if "pages" in words:
            walk(watch, window, services)
        else:
            work_on(watch, window)
        watch.step("close", window.close)
        watch.print_table()


def opened(watch: Watch, window: MainWindow, app: QApplication, path: Path) -> None:
    """Opens the corpus."""
    window.resize(1280, 800)
    window.show()
    app.processEvents()
    watch.step(
        "open", lambda: window.open_location(str(path)), lambda: bool(window.workspace), waits=False
    )
    watch.step("digests compared beside", lambda: None)
    watch.step("who", lambda: window.shown.session.set_who("1"))


def work_on(watch: Watch, window: MainWindow) -> None:
    """Shows every page, and does what an annotator does."""
    workspace = window.shown
    page, view = workspace.annotate, workspace.annotate.centre.candidates
    for times in ("first", "second"):
        watch.step(f"digit, {times}", lambda: QTest.keyClick(view, Qt.Key.Key_1))
    watch.step("undo", workspace.session.undo)
    watch.step("next sentence", lambda: QTest.keyClick(view, Qt.Key.Key_Right))
    for times in ("first", "second"):
        watch.step(f"next topic, {times}", lambda: page.annotation.step_abstract(1))
    middle = workspace.session.topic_ids()[len(workspace.session.topic_ids()) // 2]
    watch.step("topic in the middle", lambda: page.annotation.go_to(middle))
    watch.step("list of topics", workspace.choose_topic)
    chooser = page.header.topics.chooser
    if chooser is not None:
        watch.step("a topic typed", lambda: chooser.view.field.setText("00"))
        chooser.close()
    if os.environ.get("SEARCH", "1") == "1":
        watch.step("search", workspace.find_in_corpus)
    for name in PAGES:
        watch.step(f"{name}, first", partial(workspace.show_page, name))
    watch.step("digit after all", lambda: QTest.keyClick(view, Qt.Key.Key_1))


if __name__ == "__main__":
    main()
