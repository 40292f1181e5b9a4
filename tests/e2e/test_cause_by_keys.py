"""From an empty home to “why does this system fail here?”, by real keys under a real X server."""

import pytest
from tests.e2e.under_x import program, pytestmark, server, until

__all__ = ["pytestmark"]  # slow, and only where there is an X server

_STATE = """
from PySide6.QtWidgets import QTextBrowser
def state():
    from awase.gui.pages.scores.table import ScoresTable
    focus = QApplication.focusWidget()
    if not windows() or windows()[0].workspace is None:
        return {"active": any(one.isActiveWindow() for one in windows()), "page": "",
                "focus": f"{id(focus)} {focus.accessibleName() if focus else ''}"}
    workspace = windows()[0].workspace
    found = {"page": workspace.page_id, "focus": type(focus).__name__, "rows": 0, "told": ""}
    for table in workspace.findChildren(ScoresTable):
        found |= {"rows": table.n_rows, "cell": str(table.currentIndex().data() or "")}
    for browser in workspace.findChildren(QTextBrowser):
        if browser.isVisible():
            found["told"] += browser.toPlainText()
    return found
"""
_MOST_TABS = 40


@pytest.mark.parametrize(
    ("language", "demonstration", "missing"),
    [("en", "Demonstration in English", "Missing"), ("ja", "日本語のデモ", "不足している文")],
)
def test_that_keys_lead_from_an_empty_home_to_the_cause_of_a_score(
    tmp_path, language, demonstration, missing
):
    with server() as display, program(display, tmp_path, language, _STATE) as screen:
        now = screen.now

        def on_a_number() -> bool:
            screen.key("Home")  # again where the table has been filled meanwhile
            screen.key("Right")
            return now()["cell"][:2] == "0."

        screen.wait_for("Awase")
        until(lambda: now()["active"])
        for _ in range(_MOST_TABS):
            before = now()
            if demonstration in before["focus"]:
                break
            screen.key("Tab")
            until(lambda before=before: now() != before)
        screen.key("space")
        until(lambda: now()["page"] == "annotate")
        screen.key("ctrl+4")
        until(lambda: now()["page"] == "scores" and now()["rows"] > 1)
        until(lambda: now()["focus"] == "ScoresTable")
        until(on_a_number)
        screen.key("Return")
        until(lambda: now()["page"] == "inspect")
        until(lambda: missing in now()["told"])
        screen.key("alt+Left")
        until(lambda: now()["page"] == "scores")
