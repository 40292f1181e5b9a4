import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent

from awase.gui.frame.menus import KEYS_OF_MENUS
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.pages.annotate.commands_table import GROUPS, TITLE_BY_ID
from awase.gui.pages.annotate.key_sheet import KeySheet

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def command_of(key, modifiers=NONE, keys=None):
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers)
    return (keys or KeyMap.default()).command_of(event)


@pytest.mark.parametrize(
    ("key", "modifiers", "command"),
    [
        (Qt.Key.Key_1, NONE, "candidate-1"),
        (Qt.Key.Key_9, Qt.KeyboardModifier.KeypadModifier, "candidate-9"),
        (Qt.Key.Key_A, NONE, "rank-1"),
        (Qt.Key.Key_1, ALT, "rank-1"),
        (Qt.Key.Key_A, SHIFT, None),
        (Qt.Key.Key_Z, CONTROL, "undo"),
        (Qt.Key.Key_Z, CONTROL | SHIFT, "redo"),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier, "confirm"),
        (Qt.Key.Key_BracketLeft, NONE, "previous-alternative"),
        (Qt.Key.Key_BracketLeft, CONTROL | ALT, "previous-alternative"),
        (Qt.Key.Key_Question, SHIFT, "show-keys"),
        (Qt.Key.Key_Question, NONE, "show-keys"),
        (Qt.Key.Key_Q, NONE, None),
    ],
)
def test_that_keys_are_matched_whatever_the_keyboard(key, modifiers, command):
    assert command_of(key, modifiers) == command


def page_commands():
    return {id for id in KeyMap.default().commands() if not id.startswith(KEYS_OF_MENUS)}


def test_that_every_binding_is_explained_and_every_explained_command_bound():
    assert page_commands() == set(TITLE_BY_ID)
    assert sum(len(text.ids) for _, texts in GROUPS for text in texts) == len(TITLE_BY_ID)


def test_that_the_page_can_do_all_that_keys_are_bound_to(desk):
    assert page_commands() == set(desk.page._commands())


def test_that_two_commands_may_not_share_a_key():
    with pytest.raises(ValueError, match="share"):
        KeyMap({"first": ("A",), "second": ("A",)})


@pytest.mark.parametrize("key", ["", "A, B", "no such key"])
def test_that_a_key_must_exist(key):
    with pytest.raises(ValueError, match="not a key"):
        KeyMap({"first": (key,)})


def test_that_keys_are_written_for_people():
    keys = KeyMap({"first": ("Ctrl+K", "J")})
    assert keys.texts("first") == ("Ctrl+K", "J")
    assert keys.text("first") == "Ctrl+K"
    assert keys.text("other") == ""


def test_that_a_letter_of_ours_is_not_a_shortcut_of_the_window(desk):
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_N, NONE)
    event.ignore()
    QCoreApplication.sendEvent(desk.page.centre.candidates, event)
    assert event.isAccepted()


def test_that_the_sheet_of_keys_opens_and_any_key_puts_it_away(desk, qtbot):
    desk.press(Qt.Key.Key_Question)
    sheet = desk.page.findChild(KeySheet)
    assert sheet is not None
    with qtbot.waitSignal(sheet.destroyed):
        qtbot.keyClick(sheet, Qt.Key.Key_Escape)
