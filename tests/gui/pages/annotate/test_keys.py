import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget
from tests.in_part import in_turn

from awase.gui.frame.commands import ALL_COMMANDS, BY_ID, PAGES, WINDOW_COMMANDS, default_bindings
from awase.gui.frame.help import KeySheet
from awase.gui.kit.keys import KeyMap

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def command_of(key, modifiers=NONE, keys=None):
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers)
    return (keys or KeyMap(default_bindings())).command_of(event)


@in_turn(
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


@in_turn(
    ("symbol", "digit"),
    [("^", 6), ("&", 6), ("'", 7), ("(", 8), ("*", 8), (")", 9), ("!", 1), ('"', 2)],
)
def test_that_shift_and_a_digit_are_told_by_the_key_whatever_symbol_they_make(
    monkeypatch, symbol, digit
):
    for platform, scan_code, virtual_key in (
        ("linux", digit + 9, 0),
        ("win32", digit + 1, 0x30 + digit),
        ("darwin", 0, (18, 19, 20, 21, 23, 22, 26, 28, 25)[digit - 1]),
    ):
        monkeypatch.setattr("sys.platform", platform)
        event = QKeyEvent(
            QEvent.Type.KeyPress, ord(symbol), SHIFT, scan_code, virtual_key, 0, symbol
        )
        keys = KeyMap(default_bindings())
        assert keys.command_of(event) == f"exchange-{digit}"
        both = QKeyEvent(
            QEvent.Type.KeyPress, ord(symbol), SHIFT | CONTROL, scan_code, virtual_key, 0, symbol
        )
        assert keys.command_of(both) == f"begin-with-{digit}"
        # What a page binds to the symbol itself comes first.
        assert KeyMap({"a": (symbol,), "b": (f"Shift+{digit}",)}).command_of(event) == "a"


def test_that_a_symbol_of_another_key_is_no_digit(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    event = QKeyEvent(QEvent.Type.KeyPress, ord("*"), SHIFT, 21, 0, 0, "*")
    assert KeyMap(default_bindings()).command_of(event) is None


def test_that_every_command_with_a_key_is_explained_on_a_sheet_or_stands_in_a_menu():
    assert [command.id for command in BY_ID.values() if not (command.group or command.menu)] == []
    assert len(BY_ID) == len(ALL_COMMANDS)  # each has an id of its own


def test_that_pages_may_use_a_key_that_another_page_uses_but_none_of_the_windows():
    keys = KeyMap({"grade:toggle": ("N",), "new-alternative": ("N",), "menu:open": ("Ctrl+O",)})
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_N, NONE)
    assert keys.command_of(event, "grade") == "grade:toggle"
    assert keys.command_of(event) == "new-alternative"
    assert keys.command_of(event, "inspect") is None
    with pytest.raises(ValueError, match="share"):
        KeyMap({"grade:toggle": ("Ctrl+O",), "menu:open": ("Ctrl+O",)})


@in_turn(
    ("first", "told"),
    [("A", "share"), ("", "not a key"), ("A, B", "not a key"), ("no such key", "not a key")],
)
def test_that_a_key_must_exist_and_be_of_one_command(first, told):
    with pytest.raises(ValueError, match=told):
        KeyMap({"first": (first,), "second": ("A",)})


def test_that_keys_are_written_for_people():
    keys = KeyMap({"first": ("Ctrl+K", "J")})
    assert keys.texts("first") == ("Ctrl+K", "J")
    assert keys.text("first") == "Ctrl+K"
    assert keys.text("other") == ""


@pytest.mark.slow
def test_that_a_letter_of_ours_is_not_a_shortcut_of_the_window(annotation):
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_N, NONE)
    event.ignore()
    QCoreApplication.sendEvent(annotation.page.centre.candidates, event)
    assert event.isAccepted()


@pytest.fixture
def sheet_of(qtbot):
    """Shows the sheet of these commands in a window of this size."""
    window = qtbot.added(QWidget())

    def show(commands, width=1366, height=728):
        window.resize(width, height)
        sheet = KeySheet(commands, KeyMap(default_bindings()), window)
        sheet.show()
        return sheet

    return show


def test_that_any_key_puts_the_sheet_of_keys_away(sheet_of, qtbot):
    sheet = sheet_of(PAGES[0].commands)
    with qtbot.waitSignal(sheet.destroyed):
        qtbot.keyClick(sheet, Qt.Key.Key_Escape)


@pytest.mark.slow
def test_that_the_sheet_of_keys_takes_room_for_whole_lines_where_there_is_some(sheet_of):
    for page in PAGES:
        sheet = sheet_of(page.commands, 1920, 1040)
        broken = [
            words.text()
            for words in sheet.findChildren(QLabel)
            if words.wordWrap() and words.height() >= 2 * words.fontMetrics().height()
        ]
        assert broken == [], page.id
        line = sheet.fontMetrics().height()
        lowest = max(
            label.mapTo(sheet, label.rect().bottomLeft()).y()
            for label in sheet.findChildren(QLabel)
        )
        assert sheet.height() - lowest <= 3 * line, f"{page.id}: empty below the last line"


@pytest.mark.slow
@pytest.mark.parametrize("width", [700, 1366])
def test_that_what_is_said_of_keys_begins_in_one_line_in_each_column(sheet_of, width):
    for page in PAGES:
        sheet = sheet_of([*page.commands, *WINDOW_COMMANDS], width)
        begins = {}
        for label in sheet.findChildren(QLabel):
            group = label.parentWidget()
            if label.wordWrap():
                at = begins.setdefault(group.mapTo(sheet, QPoint(0, 0)).x(), set())
                at.add(label.mapTo(sheet, QPoint(0, 0)).x())
        assert all(len(at) == 1 for at in begins.values()), (page.id, begins)
        if page.id == "correlations":  # a column of few keys leaves its room to the other
            bold = {one.text(): one for one in sheet.findChildren(QLabel) if one.font().bold()}
            few, many = (bold[title].parentWidget() for title in ("Correlations", "Everywhere"))
            assert few.width() < many.width() / 2
