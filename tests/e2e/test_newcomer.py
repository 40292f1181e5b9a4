"""From four texts and systems' extracts to the cause of a score and back, by real keys under X."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.test_first_sentence import (
    JAPANESE,
    TEXTS,
    Screen,
    confirmed,
    pytestmark,
    server,
    until,
)

from awase.gui.kit.texts.i18n import set_language, tr

__all__ = ["pytestmark"]  # slow, and only where there is an X server

_DRIVER = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPushButton, QTextBrowser
from awase.gui import app
home = Path(sys.argv[1])
def state():
    from awase.gui.frame.main_window import MainWindow
    focus, window = QApplication.focusWidget(), QApplication.activeWindow()
    told = {"title": window.windowTitle() if window else "", "page": "", "cell": "", "told": "",
            "button": focus.text() if isinstance(focus, QPushButton) else "",
            "focus": type(focus).__name__}
    for one in QApplication.topLevelWidgets():
        if isinstance(one, MainWindow) and one.workspace is not None:
            told["page"] = one.workspace.page_id
            for browser in one.workspace.findChildren(QTextBrowser):
                told["told"] += browser.toPlainText() if browser.isVisible() else ""
    if hasattr(focus, "currentIndex") and hasattr(focus, "grid"):
        told["cell"] = str(focus.currentIndex().data() or "")
    return told
def look():
    (home / "state.part").write_text(json.dumps(state()), "utf-8")
    (home / "state.part").replace(home / "state.json")
watch = QTimer()
watch.timeout.connect(look)
app.application()
watch.start(200)
sys.exit(app.run(config=home / "config", data=home / "data", log=home / "log"))
"""


@pytest.mark.parametrize(("language", "texts"), [("en", TEXTS), ("ja", JAPANESE)])
def test_that_a_newcomer_comes_from_texts_to_the_cause_of_a_score_and_back(
    tmp_path: Path, language: str, texts: dict[str, str]
) -> None:
    folder, home = tmp_path / "quake", tmp_path / "home"
    for place in (folder, home / "Documents"):
        place.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    extracts = tmp_path / "run.extracts"
    extracts.write_text("alpha\tquake\tshort\ts2 s5\nbeta\tquake\tshort\ts6 s3\n", "utf-8")
    corpus = home / "Documents" / "quake.awase"
    set_language(language)
    new, choice, importing, adding, missing = map(
        tr, ("New corpus from texts", "Choose a folder of texts", "Import", "Add files", "Missing")
    )
    set_language("en")
    with server() as display:
        environment = os.environ | {
            "DISPLAY": display, "HOME": str(home), "LANGUAGE": language, "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "xcb", "XDG_CONFIG_HOME": str(home),
        }  # fmt: skip
        environment |= {"LC_ALL": "ja_JP.UTF-8" if language == "ja" else "C.UTF-8"}
        program = subprocess.Popen([sys.executable, "-c", _DRIVER, str(home)], env=environment)
        screen = Screen(display)

        def now() -> dict:
            place = home / "state.json"
            return json.loads(place.read_text("utf-8")) if place.exists() else {"title": ""}

        def come_to(title: str, button: str = "") -> None:
            """Waits until a window has the keyboard, and in it this button."""

            def is_there() -> bool:
                screen.wait_for(title)  # without a window manager nobody gives the keys back
                return title in now()["title"] and now()["button"] == (button or now()["button"])

            until(is_there)

        def choose(title: str, what: Path) -> None:
            screen.key("Return")  # the button that asks has the keyboard
            come_to(title)
            screen.write(str(what))
            screen.key("Return")
            screen.wait_for_end_of(title)

        try:
            come_to("Awase")
            screen.key("ctrl+shift+n")
            come_to(new)
            choose(choice, folder)
            come_to(new, importing)
            screen.key("Return")
            until(corpus.exists)
            screen.wait_for_end_of(new)
            come_to("quake")
            until(lambda: now()["page"] == "annotate" and now()["focus"] != "QPushButton")
            for n_settled in (1, 2):
                screen.key("1")
                screen.key("Return")
                until(lambda n=n_settled: len(confirmed(corpus)) == n)
            screen.key("ctrl+4")
            until(lambda: now()["page"] == "scores")
            screen.key("ctrl+i")
            come_to(importing)
            choose(adding, extracts)
            come_to(importing, importing)
            screen.key("Return")
            screen.wait_for_end_of(f"^{importing}$")
            come_to("quake")
            until(lambda: now()["cell"] == "alpha")  # the table has the keyboard, and a cell
            screen.key("Right")
            until(lambda: now()["cell"].startswith("0."))
            score = now()["cell"]
            screen.key("Return")
            until(lambda: now()["page"] == "inspect" and missing in now()["told"])
            screen.key("Return")
            until(lambda: now()["page"] == "annotate")
            screen.key("alt+Left")
            until(lambda: now()["page"] == "inspect")
            screen.key("alt+Left")
            until(lambda: now()["page"] == "scores" and now()["cell"] == score)
        except AssertionError:
            print(now(), file=sys.stderr)
            raise
        finally:
            program.terminate()
            program.wait()
