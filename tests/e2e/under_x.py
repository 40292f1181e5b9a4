"""The program under an X server of its own, reached by real keys and a real mouse."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from awase.core.records.abstract import AlignmentState
from awase.storage.store import CorpusStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool"
    ),
]
TEXTS = {
    "en": {
        "asahi-2024-01-02.txt": "Hall falls\n\nThe old hall of the town fell. Nobody was hurt.",
        "mainichi-2024-01-02.txt": "An old hall fell down in the night. It was built in 1901.",
        "nikkei-2024-01-03.txt": "Repairs cost two million. The town will pay.",
        "abstract-short.txt": "The town's old hall, built in 1901, fell. "
        "The town pays for repairs.",
    },
    "ja": {
        "asahi-2024-01-02.txt": "庁舎が倒壊\n\n町の古い庁舎が倒れた。けが人はいなかった。",
        "mainichi-2024-01-02.txt": "夜に古い庁舎が倒れた。1901年に建てられた。",
        "nikkei-2024-01-03.txt": "修理に二百万円かかる。町が払う。",
        "abstract-short.txt": "1901年に建てられた町の古い庁舎が倒れた。町が修理代を払う。",
    },
}
_DRIVER = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from awase.gui import app
home, arguments = Path(sys.argv[1]), sys.argv[2:]
def windows():
    from awase.gui.frame.main_window import MainWindow
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
def places():
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QSpinBox
    for window in windows():
        for kind in (QAbstractButton, QComboBox, QSpinBox):
            for one in window.findChildren(kind):
                if one.isVisible():
                    at = one.mapToGlobal(one.rect().center())
                    words = one.accessibleName() or getattr(one, "text", str)()
                    yield words, (at.x(), at.y())
def look():
    told = state() | {"places": dict(places())}
    (home / "state.part").write_text(json.dumps(told), "utf-8")
    (home / "state.part").replace(home / "state.json")
watch = QTimer()
watch.timeout.connect(look)
app.application()
watch.start(200)
{state}
sys.exit(app.run(config=home / "config", data=home / "data", log=home / "log"))
"""
_MOST_S = 120


class Screen:
    """A program under an X server of its own, reached by its keys and the mouse alone."""

    def __init__(self, display: str, home: Path) -> None:
        self._environment = os.environ | {"DISPLAY": display}
        self._state = home / "state.json"
        self.n_actions = 0

    def now(self) -> dict[str, Any]:
        """Returns what the program last told of its state; nothing before it did."""
        known: dict[str, Any] = {}
        return json.loads(self._state.read_text("utf-8")) if self._state.exists() else known

    def key(self, name: str) -> None:
        self._do("key", name)
        self.n_actions += 1

    def click(self, words: str) -> None:
        """Presses the mouse where the button or box of these words is, once it is in sight."""
        until(lambda: words in self.now()["places"])
        x, y = self.now()["places"][words]
        self._do("mousemove", "--sync", str(x), str(y), "click", "1")
        self.n_actions += 1

    def write(self, text: str) -> None:
        self._do("type", "--delay", "8", text)
        self.n_actions += len(text)

    def wait_for(self, title: str) -> None:
        """Waits for a window whose title has these words, and gives it the keyboard."""
        until(lambda: self._has_keyboard(title))

    def wait_for_end_of(self, title: str) -> None:
        """Waits until no window has this title: a dialog has the keys until it is gone."""
        until(lambda: not self._is_there(title))

    def _is_there(self, title: str) -> bool:
        return bool(self._windows(title))

    def _has_keyboard(self, title: str) -> bool:
        windows = self._windows(title)
        if windows:  # which may go while it is asked for: it is found anew, or not
            self._do("windowfocus", "--sync", windows[-1])
        return bool(windows) and self._do("getwindowfocus").strip() == windows[-1]

    def _windows(self, title: str) -> list[str]:
        return self._do("search", "--onlyvisible", "--name", title).split()

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self._environment, capture_output=True, text=True, check=False
        )
        return done.stdout


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _MOST_S
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.2)


@contextmanager
def server() -> Iterator[str]:
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x768x24", "-noreset"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    try:
        with os.fdopen(reading) as stream:
            yield f":{stream.readline().strip()}"
    finally:
        process.terminate()
        process.wait()
        os.close(writing)


@contextmanager
def program(
    display: str, home: Path, language: str, state: str, *arguments: object
) -> Iterator[Screen]:
    """Runs the window in a language; of a failure its last state is told.

    Args:
        display: The X server's.
        home: The user's folder.
        language: Of the window and the surroundings.
        state: Python that defines `state()`, which returns what `Screen.now` tells, of `windows()`;
            it goes on once that is something.
        arguments: Which it finds in `arguments`, as texts.
    """
    environment = os.environ | {
        "DISPLAY": display, "HOME": str(home), "LANGUAGE": language, "LANG": "C.UTF-8",
        "LC_ALL": "ja_JP.UTF-8" if language == "ja" else "C.UTF-8",
        "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(home),
    }  # fmt: skip
    driver = _DRIVER.replace("{state}", state)
    running = subprocess.Popen(
        [sys.executable, "-c", driver, str(home), *map(str, arguments)], env=environment
    )
    screen = Screen(display, home)
    try:
        until(lambda: bool(screen.now()) or running.poll() is not None)
        assert running.poll() is None, "the program ended: are Qt's libraries for X installed?"
        yield screen
    except AssertionError:
        print(screen.now(), file=sys.stderr)
        raise
    finally:
        running.terminate()
        running.wait()


def home_with_texts(folder: Path, language: str) -> tuple[Path, Path, Path]:
    """Makes a home and beside it a folder of texts; returns both, and which corpus comes of it."""
    texts, home = folder / "quake", folder / "home"
    for place in (texts, home / "Documents"):
        place.mkdir(parents=True)
    for name, text in TEXTS[language].items():
        (texts / name).write_text(text, "utf-8")
    return texts, home, home / "Documents" / "quake.awase"


def confirmed(place: Path) -> list[int]:
    with CorpusStore.open(place, who="x", read_only=True) as store:
        (topic,) = store.corpus().topics
    return [
        len(sentence.alternatives)
        for alignment in topic.abstracts[0].alignments
        for sentence in alignment.sentences
        if sentence.state is AlignmentState.CONFIRMED
    ]
