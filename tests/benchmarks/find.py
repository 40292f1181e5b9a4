"""How long find in the corpus takes over 100,000 sentences: first paint, scrolling, searching.

Run: `QT_QPA_PLATFORM=offscreen python -m tests.benchmarks find`. The goals are 150 ms to the first
paint, 30 ms a frame while scrolling, and no slice of the search above 50 ms.
"""

import os
import random
import statistics
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from awase.core.annotation.formula import running_numbers
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.gui.app import compose
from awase.gui.dialogs.find.corpus_dialog import CorpusFindDialog
from awase.gui.kit.jobs.memory import spare_records
from awase.gui.session.services import Services

N_TOPICS, N_PER_TOPIC, N_FRAMES = 100, 1_000, 300
KANJI = "職業訓練高速増殖炉木造船調査年代古墳時代大学東京新聞記者発表"


class Session(QObject):
    """As much of a session as the dialog asks for."""

    changed = Signal(object)
    read_only = False
    store, location = None, ""

    def __init__(self, topics: tuple[Topic, ...]) -> None:
        super().__init__()
        self._topics = topics
        self._numbers: dict[str, dict] = {}

    def topics(self) -> tuple[Topic, ...]:
        return self._topics

    def numbers(self, topic_id: str) -> dict:
        if topic_id not in self._numbers:
            topic = next(topic for topic in self._topics if topic.id == topic_id)
            self._numbers[topic_id] = running_numbers(topic)
        return self._numbers[topic_id]


def corpus(rng: random.Random) -> tuple[Topic, ...]:
    def text() -> str:
        return "".join(rng.choices(KANJI, k=rng.randint(30, 80))) + "。"

    return tuple(
        Topic(
            id=f"{number:04}",
            documents=(
                Document(
                    id=f"d{number:04}",
                    sentences=tuple(
                        SourceSentence(n=n, text=text()) for n in range(1, N_PER_TOPIC + 1)
                    ),
                ),
            ),
        )
        for number in range(N_TOPICS)
    )


def ms_of(action) -> float:
    start_s = time.perf_counter()
    action()
    return (time.perf_counter() - start_s) * 1e3


def both_ms_of(action) -> tuple[float, float]:
    """Returns milliseconds by the clock, and of the processor on this thread."""
    start_s = time.thread_time()
    wall_ms = ms_of(action)
    return wall_ms, (time.thread_time() - start_s) * 1e3


def scrolled(dialog: CorpusFindDialog) -> list[tuple[float, float]]:
    bar = dialog.list.verticalScrollBar()
    step = max(1, bar.maximum() // N_FRAMES)

    def frame(at: int) -> None:
        bar.setValue(at * step)
        dialog.list.viewport().repaint()

    return [both_ms_of(lambda at=at: frame(at)) for at in range(N_FRAMES)]


def searched(dialog: CorpusFindDialog, words: str) -> tuple[float, float]:
    """Returns the milliseconds until all is found, and those of the longest block."""
    start_s, longest_ms = time.perf_counter(), ms_of(lambda: dialog.words.setText(words))
    while dialog.model.is_searching:
        longest_ms = max(longest_ms, ms_of(QApplication.processEvents))
    return (time.perf_counter() - start_s) * 1e3, longest_ms


def main() -> None:
    app = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(app, compose(config=folder, data=folder, log=folder))


def measure(app: QApplication, services: Services) -> None:
    session = Session(corpus(random.Random(5)))
    spare_records()  # as the window does when a corpus is open
    parent = QWidget()

    def open_it() -> CorpusFindDialog:
        dialog = CorpusFindDialog(session, services, parent)
        dialog.open_at_field()
        app.processEvents()
        dialog.list.viewport().repaint()
        return dialog

    made: list[CorpusFindDialog] = []
    first_ms, first_cpu_ms = both_ms_of(lambda: made.append(open_it()))
    dialog = made[0]
    frames = scrolled(dialog)
    cold = searched(dialog, "訓練")
    found = dialog.model.rowCount()
    frames_found = scrolled(dialog)
    dialog.words.clear()
    warm = searched(dialog, "訓練")
    print("| 100,000 sentences | ms | CPU ms | goal |\n|---|---:|---:|---:|")
    print(f"| open to first paint | {first_ms:.0f} | {first_cpu_ms:.0f} | 150 |")
    for name, values in (("all", frames), (f"{found:,} found", frames_found)):
        wall, cpu = zip(*values, strict=True)
        for title, measure in (
            ("median", statistics.median),
            ("95 %", lambda of: statistics.quantiles(of, n=20)[-1]),
            ("longest", max),
        ):
            print(f"| scroll, {name}: {title} | {measure(wall):.1f} | {measure(cpu):.1f} | 30 |")
    for name, (total, longest) in (("first", cold), ("second", warm)):
        print(f"| {name} search: all found | {total:.0f} | | |")
        print(f"| {name} search: longest block | {longest:.0f} | | 50 |")


if __name__ == "__main__":
    main()
