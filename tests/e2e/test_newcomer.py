"""From four texts and systems' extracts to the cause of a score and back, by real keys under X."""

from pathlib import Path

import pytest
from tests.e2e.under_x import confirmed, home_with_texts, program, pytestmark, server, until

from awase.gui.kit.i18n import set_language, tr

__all__ = ["pytestmark"]  # slow, and only where there is an X server

_STATE = """
from PySide6.QtWidgets import QPushButton, QTextBrowser
def state():
    focus, window = QApplication.focusWidget(), QApplication.activeWindow()
    told = {"title": window.windowTitle() if window else "", "page": "", "cell": "", "told": "",
            "button": focus.text() if isinstance(focus, QPushButton) else "",
            "focus": type(focus).__name__}
    for one in windows():
        if one.workspace is not None:
            told["page"] = one.workspace.page_id
            for browser in one.workspace.findChildren(QTextBrowser):
                told["told"] += browser.toPlainText() if browser.isVisible() else ""
    if hasattr(focus, "currentIndex") and hasattr(focus, "grid"):
        told["cell"] = str(focus.currentIndex().data() or "")
    return told
"""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_that_a_newcomer_comes_from_texts_to_the_cause_of_a_score_and_back(tmp_path, language):
    folder, home, corpus = home_with_texts(tmp_path, language)
    extracts = tmp_path / "run.extracts"
    extracts.write_text("alpha\tquake\tshort\ts2 s5\nbeta\tquake\tshort\ts6 s3\n", "utf-8")
    set_language(language)
    new, choice, importing, adding, missing = map(
        tr, ("New corpus from texts", "Choose a folder of texts", "Import", "Add files", "Missing")
    )
    set_language("en")
    with server() as display, program(display, home, language, _STATE) as screen:
        now = screen.now

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
