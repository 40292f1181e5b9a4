"""How long the window is deaf while somebody works on it at random.

Run: `QT_QPA_PLATFORM=offscreen python -m tests.benchmarks random-actions [N_ACTIONS [SEED]]`. Real
key events and clicks go to the whole window, on a stored corpus of 30 topics, and every dispatch of
the event loop is timed. The goal is that none takes more than 50 ms.
"""

import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, Qt, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit

from awase.core.records.edits.addition import Addition
from awase.gui.app import compose
from awase.gui.frame.main_window import MainWindow
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.storage.store import CorpusStore
from tests.benchmarks.annotate import WHO, topic
from tests.benchmarks.watched_events import Dispatch, WatchedApplication

N_TOPICS, N_ACTIONS, SEED = 30, 2_000, 20040601
MOST_MS = 50.0
WEIGHTS = {
    "toggle candidate": 26, "toggle row": 6, "click source": 10, "click abstract": 4,
    "click alternative": 3, "new alternative": 6, "step alternative": 4, "remove alternative": 2,
    "add duplicates": 2, "move": 12, "next incomplete": 2, "no source": 2, "confirm": 4, "flag": 2,
    "rank": 4, "undo": 6, "redo": 3, "abstract": 2, "choose topic": 2, "switch sources": 4,
    "pane": 2, "find": 2, "filter": 2, "system": 2, "rest": 1,
}  # fmt: skip


class Hands:
    """Somebody at the keyboard and the mouse of a window."""

    def __init__(self, app: WatchedApplication, window: MainWindow, rng: random.Random) -> None:
        self._app, self._window, self._rng = app, window, rng
        assert window.workspace is not None
        self._page = window.workspace.annotate
        press = self._press
        self._actions: dict[str, Callable[[], object]] = {
            "toggle candidate": lambda: press(rng.choice("123456789")),
            "toggle row": lambda: press(rng.choice("JK"), Qt.Key.Key_Space),
            "click source": lambda: self._click(self._page.centre.view),
            "click abstract": lambda: self._click(self._page.abstract.view),
            "click alternative": lambda: self._click(self._page.alternatives.view),
            "new alternative": lambda: press("N", rng.choice("123456789")),
            "step alternative": lambda: press(rng.choice("[]")),
            "remove alternative": lambda: press(Qt.Key.Key_Delete),
            "add duplicates": lambda: press("D"),
            "move": lambda: press(rng.choice((Qt.Key.Key_Right, Qt.Key.Key_Left))),
            "next incomplete": lambda: press("I"),
            "no source": lambda: press("U"),
            "confirm": lambda: press(Qt.Key.Key_Return),
            "flag": lambda: press("F"),
            "rank": lambda: press(rng.choice("ABC0")),
            "undo": lambda: self._ctrl(Qt.Key.Key_Z),
            "redo": lambda: self._ctrl(Qt.Key.Key_Y),
            "abstract": lambda: self._ctrl(rng.choice((Qt.Key.Key_PageUp, Qt.Key.Key_PageDown))),
            "choose topic": self._choose_topic,
            "switch sources": lambda: press("V"),
            "pane": lambda: press(Qt.Key.Key_F6),
            "find": self._find,
            "filter": lambda: press("G"),
            "system": lambda: press("S"),
            "rest": self._rest,
        }

    def do_something(self) -> None:
        """Does one thing, and lets the window catch up."""
        name = self._rng.choices(list(WEIGHTS), weights=list(WEIGHTS.values()))[0]
        self._app.action = name
        self._actions[name]()
        self._app.processEvents()

    def _press(self, *keys: Qt.Key | str) -> None:
        for key in keys:
            QTest.keyClick(QApplication.focusWidget() or self._page.centre.view, key)
            self._app.processEvents()

    def _ctrl(self, key: Qt.Key) -> None:
        target = QApplication.focusWidget() or self._page.centre.view
        QTest.keyClick(target, key, Qt.KeyboardModifier.ControlModifier)

    def _click(self, view: RowView) -> None:
        area = view.viewport().rect()
        if view.isVisible():
            at = QPoint(
                self._rng.randrange(area.width() // 4, area.width() // 2),
                self._rng.randrange(area.height()),
            )
            QTest.mouseClick(
                view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at
            )

    def _choose_topic(self) -> None:
        topics = self._page.header.findChildren(QComboBox)[0]
        topics.setFocus()
        self._press(self._rng.choice((Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End)))

    def _find(self) -> None:
        self._press("/")
        field = QApplication.focusWidget()
        if isinstance(field, QLineEdit):
            QTest.keyClicks(field, self._rng.choice(("ran", "ka", "pegar")))
            self._press(Qt.Key.Key_Return, Qt.Key.Key_Escape)

    def _rest(self) -> None:
        """Long enough for a process to be started that looks for h, and to answer."""
        end_s = time.monotonic() + 0.4
        while time.monotonic() < end_s:
            self._app.processEvents()
            time.sleep(0.005)


def made_corpus(path: Path, rng: random.Random) -> None:
    """Writes the corpus: 120 source sentences, 10 to 40 abstract sentences, 6 systems a topic."""
    topics = tuple(
        topic(rng, id=f"t{number:02}", n_abstract=rng.randint(10, 40)) for number in range(N_TOPICS)
    )
    with CorpusStore.create(path, name="random", who=WHO) as store:
        store.add(Addition(topics=topics), who=WHO)


def report(dispatches: list[Dispatch], n_actions: int) -> None:
    """Prints the times of the dispatches that did something, and what was over 50 ms."""
    print(f"{n_actions} actions, {len(dispatches):,} dispatches")
    by_action: Counter[str] = Counter(found.action for found in dispatches)
    print(f"{'':<28}{'n':>8}{'median':>9}{'p95':>8}{'p99':>8}{'max':>8} ms")
    print(_line("all, CPU of the GUI thread", [found.cpu_ms for found in dispatches]))
    print(_line("all, wall clock", [found.wall_ms for found in dispatches]))
    for action in by_action:
        print(_line(f"{action}, CPU", [f.cpu_ms for f in dispatches if f.action == action]))
    slow = [found for found in dispatches if max(found.wall_ms, found.cpu_ms) > MOST_MS]
    print(f"over {MOST_MS:.0f} ms: {len(slow)}")
    print(f"over {MOST_MS:.0f} ms of the processor: {sum(f.cpu_ms > MOST_MS for f in slow)}")
    for found in slow:
        print(f"  {found.wall_ms:7.1f} ms (CPU {found.cpu_ms:6.1f})  {found.action}: {found.what}")


def _line(name: str, times_ms: list[float]) -> str:
    ordered = sorted(times_ms)
    p95, p99 = (ordered[int((len(ordered) - 1) * share)] for share in (0.95, 0.99))
    return (
        f"{name:<28}{len(ordered):>8,}{statistics.median(ordered):>9.2f}{p95:>8.2f}{p99:>8.2f}"
        f"{ordered[-1]:>8.1f}"
    )


def main() -> None:
    numbers = [int(word) for word in sys.argv[2:] if word.isdigit()]
    n_actions, seed = (*numbers, *(N_ACTIONS, SEED)[len(numbers) :])
    qInstallMessageHandler(lambda *_: None)  # the offscreen platform remarks on every size hint
    app = WatchedApplication(sys.argv[:1])
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "random.awase"
        made_corpus(path, rng)
        services = compose(config=folder / "config", data=folder / "data", log=folder / "log")
        window = MainWindow(services)
        window.resize(1280, 800)
        window.show()
        app.action = "opening"
        window.open_location(str(path))
        while window.workspace is None:
            app.processEvents()
        app.processEvents()
        window.activateWindow()
        QTest.qWaitForWindowActive(window)
        window.workspace.annotate.setFocus()
        assert QApplication.focusWidget() is not None
        hands = Hands(app, window, rng)
        gc.collect()
        for _ in range(n_actions):
            hands.do_something()
        app.action = "closing"
        window.close()
    report(app.dispatches, n_actions)


if __name__ == "__main__":
    main()
