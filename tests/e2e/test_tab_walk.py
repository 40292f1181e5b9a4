"""Tab comes to every control of every screen by real keys, under a real X server.

`tests/gui/test_every_screen.py` walks the same screens by events of Qt's, in both languages; here
the keys come from outside, and a window has the keyboard only when the X server says so.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.under_x import pytestmark, server

__all__ = ["pytestmark"]  # slow, and only where there is an X server

ROOT = Path(__file__).resolve().parents[2]
_MOST_S = 900
_DRIVER = """
import json, subprocess, sys
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QApplication, QMenu
from awase.gui.main_screens import offstage, settle, wait
from screens.every_screen import every_screen
from tests.gui.walking import controls, missed

class Keys(QObject):
    n_released = 0
    def eventFilter(self, watched, event):
        # An application's filter sees an event again at each parent: the window's is one a key.
        if event.type() is QEvent.Type.KeyRelease and watched.isWindowType():
            self.n_released += 1
        return False

def real_tab(_widget):
    before = keys.n_released
    subprocess.run(["xdotool", "key", "Tab"], check=True)
    wait(lambda: keys.n_released > before)
    settle()

def focus_again(widget):
    # Where a dialog has just gone, the X server may take the keyboard back once; a window that is
    # not on the screen yet cannot have it, and is asked for again.
    subprocess.run(["xdotool", "windowfocus", str(int(widget.winId()))], check=False)
    settle()
    return False

keys, found, n_walked = Keys(), [], 0
with offstage(10, QSize(1366, 728)) as stage:
    assert QApplication.platformName() == "xcb"
    QApplication.instance().installEventFilter(keys)
    stage.look("en", "light")
    for title, widget in every_screen(stage, "en"):
        if title in ("loading", "print") or isinstance(widget, QMenu):
            continue
        settle()
        print(title, file=sys.stderr)  # where it stands when it does not end
        if widget.windowType() is not Qt.WindowType.Popup:  # which has the keyboard anyway
            wait(lambda: widget.isActiveWindow() or focus_again(widget))
        n_walked += len(controls(widget))
        found += [f"{title}: {what}" for what in missed(widget, real_tab)]
print(json.dumps({"missed": found, "walked": n_walked}))
"""


def test_that_real_tabs_come_to_every_control_of_every_screen(tmp_path):
    if not (ROOT / "tools" / "screens").is_dir():
        pytest.skip("only a checkout has the screens")
    paths = [str(ROOT), str(ROOT / "tools"), *filter(None, sys.path)]
    with server() as display:
        surroundings = os.environ | {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "PYTHONPATH": os.pathsep.join(paths),
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        }
        done = subprocess.run(
            [sys.executable, "-c", _DRIVER],
            env=surroundings, capture_output=True, text=True, timeout=_MOST_S, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["missed"] == []
    assert found["walked"] > 500
