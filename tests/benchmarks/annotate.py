"""How long a toggle takes: key press to stored, h, scores and panes painted.

It prints milliseconds on a large topic (300 source sentences, 60 abstract sentences, 6 systems),
with the real store.
The goal is a median below one frame (16 ms) and a 95th percentile below two (33 ms).
"""

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from awase.core.records.addition import Addition
from awase.core.records.topic import Topic
from awase.gui.app import compose
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore
from tests.benchmarks.corpora import english, made_topic
from tests.benchmarks.cover_instances import realistic

N_LARGE_ABSTRACT = 60
WHO = "1"


def topic(rng: random.Random, *, n_abstract: int = 40, n_per_document: int = 12) -> Topic:
    """Returns a topic with alignments of TSC-3's kind, as the benchmark of the solvers has them."""
    needs: list[tuple[frozenset[int], ...]] = []
    while len(needs) < n_abstract:
        needs += realistic(rng).needs
    return made_topic(
        rng, "t", needs[:n_abstract], sentence=english, n_per_document=n_per_document, n_systems=6
    )


def report(name: str, times_ms: list[tuple[float, float]]) -> None:
    """Prints wall-clock milliseconds, and the processor's, which other programs disturb less."""
    wall = sorted(wall_ms for wall_ms, _ in times_ms)
    cpu = sorted(cpu_ms for _, cpu_ms in times_ms)
    at_95 = int(len(wall) * 0.95)
    print(
        f"{name:<30} median {statistics.median(wall):6.2f}  p95 {wall[at_95]:6.2f}  "
        f"CPU median {statistics.median(cpu):6.2f}  p95 {cpu[at_95]:6.2f}  (n = {len(wall)})"
    )


@contextmanager
def annotate_page(content: Topic) -> Iterator[AnnotatePage]:
    """Shows the Annotate page on a corpus of one topic in a file; needs a QApplication."""
    with tempfile.TemporaryDirectory() as folder:
        services = compose(config=Path(folder), data=Path(folder), log=Path(folder))
        store = CorpusStore.create(Path(folder, "bench.awase"), name="bench", who=WHO)
        store.add(Addition(topics=(content,)), who=WHO)
        page = AnnotatePage(CorpusSession(store, who=WHO), services, None)
        page.annotation.open_first()
        page.resize(1280, 800)
        page.show()
        QApplication.processEvents()
        yield page
        page.live_results.stop()
        store.close()
        page.close()


def main() -> None:
    qInstallMessageHandler(lambda *_: None)  # the offscreen platform remarks on every size hint
    app = QApplication.instance() or QApplication(sys.argv)  # noqa: F841 - lives until the end
    rng = random.Random(20040601)
    content = topic(rng, n_abstract=N_LARGE_ABSTRACT, n_per_document=30)
    with annotate_page(content) as page:
        report("toggle, stored and painted", [*work_on(page, rng)])


def work_on(page: AnnotatePage, rng: random.Random) -> Iterator[tuple[float, float]]:
    """Goes through the abstract, toggles three candidates of each sentence, and takes one back."""
    view, app, undo = page.centre.candidates, QApplication, page.annotation.session.undo_stack.undo
    digits = [Qt.Key(Qt.Key.Key_1.value + offset) for offset in range(9)]
    for _ in range(N_LARGE_ABSTRACT):
        QTest.keyClick(view, Qt.Key.Key_Right)
        app.processEvents()
        for _ in range(3):
            wall, cpu = time.perf_counter(), time.process_time()
            QTest.keyClick(view, rng.choice(digits))
            app.processEvents()
            yield (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000
            page.assistance.refresh()
            app.processEvents()
        undo()
