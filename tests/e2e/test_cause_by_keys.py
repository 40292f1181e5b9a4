"""From an empty home to “why does this system fail here?”, by real keys under a real X server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.test_first_sentence import Screen, pytestmark, server, until

__all__ = ["pytestmark"]  # slow, and only where there is an X server

_DRIVER = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QTextBrowser
from awase.gui import app
home = Path(sys.argv[1])
def state():
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.pages.scores.table.view import ScoresTable
    windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow)]
    focus = QApplication.focusWidget()
    if not windows or windows[0].workspace is None:
        return {"active": bool(windows) and windows[0].isActiveWindow(), "page": "",
                "focus": f"{id(focus)} {focus.accessibleName() if focus else ''}"}
    workspace = windows[0].workspace
    found = {"page": workspace.page_id, "focus": type(focus).__name__, "rows": 0, "told": ""}
    for table in workspace.findChildren(ScoresTable):
        found |= {"rows": table.n_rows, "cell": str(table.currentIndex().data() or "")}
    for browser in workspace.findChildren(QTextBrowser):
        if browser.isVisible():
            found["told"] += browser.toPlainText()
    return found
def look():
    beside = home / "state.part"
    beside.write_text(json.dumps(state()), "utf-8")
    beside.replace(home / "state.json")
watch = QTimer()
watch.timeout.connect(look)
app.application()
watch.start(200)
sys.exit(app.run(config=home / "config", data=home / "data", log=home / "log"))
"""
_MOST_TABS = 40


@pytest.mark.parametrize(
    ("language", "demonstration", "missing"),
    [("en", "Demonstration in English", "Missing"), ("ja", "日本語のデモ", "不足している文")],
)
def test_that_keys_lead_from_an_empty_home_to_the_cause_of_a_score(
    tmp_path: Path, language: str, demonstration: str, missing: str
) -> None:
    with server() as display:
        environment = os.environ | {
            "DISPLAY": display, "HOME": str(tmp_path), "LANGUAGE": language,
            "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(tmp_path),
        }  # fmt: skip
        environment |= {"LC_ALL": "ja_JP.UTF-8" if language == "ja" else "C.UTF-8"}
        program = subprocess.Popen([sys.executable, "-c", _DRIVER, str(tmp_path)], env=environment)
        screen = Screen(display)

        def now() -> dict:
            place = tmp_path / "state.json"
            return json.loads(place.read_text("utf-8")) if place.exists() else {}

        def on_a_number() -> bool:
            screen.key("Home")  # again where the table has been filled meanwhile
            screen.key("Right")
            return now()["cell"][:2] == "0."

        try:
            screen.wait_for("Awase")
            until(lambda: now().get("active"))
            for _ in range(_MOST_TABS):
                before = now()
                if demonstration in before["focus"]:
                    break
                screen.key("Tab")
                until(lambda before=before: now() != before)
            screen.key("space")
            until(lambda: now().get("page") == "annotate")
            screen.key("ctrl+4")
            until(lambda: now().get("page") == "scores" and now()["rows"] > 1)
            until(lambda: now()["focus"] == "ScoresTable")
            until(on_a_number)
            screen.key("Return")
            until(lambda: now().get("page") == "inspect")
            until(lambda: missing in now()["told"])
            screen.key("alt+Left")
            until(lambda: now().get("page") == "scores")
        except AssertionError:
            print(now(), file=sys.stderr)
            raise
        finally:
            program.terminate()
            program.wait()
