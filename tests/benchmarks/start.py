"""What it costs to begin: CPU seconds, interpreter and all, each a process of its own, in turns.

The lowest of twenty is what the work takes; the median tells how busy the machine was. Modules are
compiled beforehand, as an installation leaves them.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from importlib.resources import files
from pathlib import Path

from awase.core.formats.awase_json.corpus import read
from awase.core.formats.reading.requests import ReadRequest
from awase.storage.store import CorpusStore
from tests.benchmarks import in_turns, print_table

_TIMES = 20
_PAINT = """
import os, sys, pathlib
from awase.cli import window
from awase.gui import app
from PySide6.QtCore import QTimer

class Painted(app.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, lambda: os._exit(0))

app.MainWindow = Painted
place = pathlib.Path(sys.argv[1])
app.run(config=place, data=place, log=place)
"""
"""No filter watches the events of all widgets: shown one of Qt's own, such as a scroll bar's frame,
PySide6 makes every class that it has, which took an eighth of what was measured."""
_BARE = """
import os
from PySide6.QtCore import Qt, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
program, window = QApplication([]), QMainWindow()
window.setCentralWidget(QLabel("x", alignment=Qt.AlignmentFlag.AlignCenter))
window.show()
QTimer.singleShot(0, lambda: os._exit(0))
program.exec()
"""


def main() -> None:
    """Prints a row for each beginning."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        demo = Path(str(files("awase.resources"))) / "demo" / "en.json"
        corpus = read(ReadRequest(text=demo.read_text("utf-8"), source="")).addition
        CorpusStore.create(place / "d.awase", name="d", who="ann", addition=corpus).close()
        program = [sys.executable, "-m", "awase.cli"]
        rows = {
            "python (for comparison)": ([sys.executable, "-c", "pass"], ""),
            "import awase": ([sys.executable, "-c", "import awase"], "0.05"),
            "awase --help": ([*program, "--help"], "0.25"),
            "awase score of the demonstration": ([*program, "score", place / "d.awase"], "0.6"),
            "an empty window of Qt (for comparison)": ([sys.executable, "-c", _BARE], ""),
            "window to the first paint": ([sys.executable, "-c", _PAINT, place], "0.3"),
        }
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        spent = in_turns(
            {
                what: partial(
                    subprocess.run, line, env=environment, check=True, capture_output=True
                )
                for what, (line, _) in rows.items()
            },
            _TIMES,
        )
    print_table(
        "what | lowest, s | median, s | goal",
        (
            (what, f"{min(ms) / 1000:.3f}", f"{statistics.median(ms) / 1000:.3f}", rows[what][1])
            for what, ms in spent.items()
        ),
    )
