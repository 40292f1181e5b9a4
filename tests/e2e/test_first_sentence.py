"""From four text files to the first confirmed sentence, by real keys under a real X server."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from awase.core.records.alignment import AlignmentState
from awase.storage.store import CorpusStore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool"
    ),
]
TEXTS = {
    "asahi-2024-01-02.txt": "Hall falls\n\nThe old hall of the town fell. Nobody was hurt.",
    "mainichi-2024-01-02.txt": "An old hall fell down in the night. It was built in 1901.",
    "nikkei-2024-01-03.txt": "Repairs cost two million. The town will pay.",
    "abstract-short.txt": "The town's old hall, built in 1901, fell. The town pays for repairs.",
}
JAPANESE = {
    "asahi-2024-01-02.txt": "庁舎が倒壊\n\n町の古い庁舎が倒れた。けが人はいなかった。",
    "mainichi-2024-01-02.txt": "夜に古い庁舎が倒れた。1901年に建てられた。",
    "nikkei-2024-01-03.txt": "修理に二百万円かかる。町が払う。",
    "abstract-short.txt": "1901年に建てられた町の古い庁舎が倒れた。町が修理代を払う。",
}
_DRIVER = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from awase.gui import app
home, folder = map(Path, sys.argv[1:])
begin = lambda: window()[0].take_files([folder])
def window():
    from PySide6.QtWidgets import QApplication
    from awase.gui.frame.main_window import MainWindow
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
def look():
    from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
    for one in window():
        for dialog in one.findChildren(TextsDialog):
            if dialog.accept_button.isEnabled() and dialog.accept_button.hasFocus():
                (home / "looked").touch()
        if one.workspace is not None and one.workspace.annotate.abstract.isVisible():
            if not one.findChildren(TextsDialog) and one.isActiveWindow():
                (home / "ranked").touch()
watch = QTimer()
watch.timeout.connect(look)
app.application()
watch.start(300)
QTimer.singleShot(1500, begin)  # as if it was dropped: no tool drags between programs
sys.exit(app.run(config=home / "config", data=home / "data", log=home / "log"))
"""
_MOST_S = 120


class Screen:
    """A program under an X server of its own, reached by its keys alone."""

    def __init__(self, display: str) -> None:
        self._environment = os.environ | {"DISPLAY": display}
        self.n_actions = 0

    def key(self, name: str) -> None:
        """Presses a key where the keyboard is."""
        self._do("key", name)
        self.n_actions += 1

    def write(self, text: str) -> None:
        """Types a text where the keyboard is."""
        self._do("type", "--delay", "8", text)
        self.n_actions += len(text)

    def wait_for(self, title: str) -> None:
        """Waits for a window whose title has these words, and gives it the keyboard."""
        until(lambda: self._is_there(title))
        window = self._do("search", "--onlyvisible", "--name", title).split()[-1]
        self._do("windowfocus", "--sync", window)

    def wait_for_end_of(self, title: str) -> None:
        """Waits until no window has this title: a dialog has the keys until it is gone."""
        until(lambda: not self._is_there(title))

    def _is_there(self, title: str) -> bool:
        return bool(self._do("search", "--onlyvisible", "--name", title))

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
    """Runs an X server on a free display."""
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


def confirmed(place: Path) -> list[int]:
    """Returns how many alternatives each confirmed sentence has."""
    with CorpusStore.open(place, who="x", read_only=True) as store:
        (topic,) = store.corpus().topics
    return [
        len(sentence.alternatives)
        for alignment in topic.abstracts[0].alignments
        for sentence in alignment.sentences
        if sentence.state is AlignmentState.CONFIRMED
    ]


@pytest.mark.parametrize(
    ("language", "texts", "title"),
    [("en", TEXTS, "New corpus from texts"), ("ja", JAPANESE, "テキストから")],
)
def test_that_four_actions_lead_from_texts_to_a_confirmed_sentence(
    tmp_path: Path, language: str, texts: dict[str, str], title: str
) -> None:
    folder, home = tmp_path / "quake", tmp_path / "home"
    for place in (folder, home / "Documents"):
        place.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    corpus = home / "Documents" / "quake.awase"
    with server() as display:
        environment = os.environ | {
            "DISPLAY": display,
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "LANGUAGE": language,
        }
        environment |= {"LC_ALL": "ja_JP.UTF-8" if language == "ja" else "C.UTF-8"}
        environment |= {"QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(home)}
        program = subprocess.Popen(
            [sys.executable, "-c", _DRIVER, str(home), str(folder)], env=environment
        )
        try:
            screen = Screen(display)
            screen.n_actions = 1  # the drop
            screen.wait_for(title)
            until(
                lambda: (home / "looked").exists()
            )  # the table is filled, Import has the keyboard
            screen.key("Return")
            until(corpus.exists)
            screen.wait_for("quake.*Awase")
            until(lambda: (home / "ranked").exists())
            screen.key("1")
            screen.key("Return")
            until(lambda: confirmed(corpus) == [1])
            assert screen.n_actions == 4
            # Shift and 6 is a symbol that no command is bound to: it is told by its key.
            for name in ("1", "shift+6", "Return"):
                screen.key(name)
            until(lambda: confirmed(corpus) == [1, 2])
        finally:
            program.terminate()
            program.wait()
