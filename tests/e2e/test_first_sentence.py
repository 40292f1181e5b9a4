"""From four text files to the first confirmed sentence, by real keys under a real X server."""

import pytest
from tests.e2e.under_x import confirmed, home_with_texts, program, pytestmark, server, until

__all__ = ["pytestmark"]  # slow, and only where there is an X server

_STATE = """
def state():
    from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
    told = {"is_ready": False, "is_ranked": False}
    for one in windows():
        dialogs = one.findChildren(TextsDialog)
        for dialog in dialogs:
            button = dialog.accept_button
            told["is_ready"] = button.isEnabled() and button.hasFocus()
        if one.workspace is not None and one.workspace.annotate.abstract.isVisible():
            told["is_ranked"] = not dialogs and one.isActiveWindow()
    return told
# As if it was dropped: no tool drags between programs.
QTimer.singleShot(1500, lambda: windows()[0].add_files([Path(arguments[0])]))
"""


@pytest.mark.parametrize(
    ("language", "title"), [("en", "New corpus from texts"), ("ja", "テキストから")]
)
def test_that_four_actions_lead_from_texts_to_a_confirmed_sentence(tmp_path, language, title):
    folder, home, corpus = home_with_texts(tmp_path, language)
    with server() as display, program(display, home, language, _STATE, folder) as screen:
        screen.n_actions = 1  # the drop
        screen.wait_for(title)
        until(lambda: screen.now()["is_ready"])  # the table is filled, Import has the keyboard
        screen.key("Return")
        until(corpus.exists)
        screen.wait_for("quake.*Awase")
        until(lambda: screen.now()["is_ranked"])
        screen.key("1")
        screen.key("Return")
        until(lambda: confirmed(corpus) == [1])
        assert screen.n_actions == 4
        # Shift and 6 is a symbol that no command is bound to: it is told by its key.
        for name in ("1", "shift+6", "Return"):
            screen.key(name)
        until(lambda: confirmed(corpus) == [1, 2])
