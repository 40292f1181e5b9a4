"""Keys: which command an event is, the editor of keys, and their sheet."""

import json
import runpy
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from tests.in_part import in_part, in_turn

from awase.gui.frame.commands import ALL_COMMANDS, BY_ID, PAGES, WINDOW_COMMANDS, default_bindings
from awase.gui.frame.help import KeySheet
from awase.gui.frame.settings_dialog import KeysEditor, SettingsDialog, name_of
from awase.gui.kit.i18n import LANGUAGES, set_language
from awase.gui.kit.keys import KeyBindings, KeyConflict, KeyMap
from awase.gui.pages.annotate.command_button import CommandButton

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def bindings(qapp, tmp_path):
    return KeyBindings(tmp_path / "keys.json", default_bindings())


@pytest.fixture
def editor(bindings, qtbot):
    return qtbot.shown(KeysEditor(bindings))


def spelled(keys):
    return {command: keys.portable(command) for command in keys.commands()}


def select(editor, command):
    rows = range(editor.model.rowCount())
    editor.table.selectRow(next(row for row in rows if editor.model.rows[row] == command))


def test_that_a_key_pressed_is_the_commands_from_then_on(editor, bindings, tmp_path):
    select(editor, "flag")
    QTest.keyClick(editor.field, K.Key_X)
    assert bindings.keys.texts("flag") == ("X",)
    assert KeyBindings(tmp_path / "keys.json", default_bindings()).keys.texts("flag") == ("X",)
    assert json.loads((tmp_path / "keys.json").read_text("utf-8")) == {"flag": ["X"]}


def test_that_a_command_can_have_a_second_key(editor, bindings):
    select(editor, "flag")
    editor["also"].click()
    QTest.keyClick(editor.field, K.Key_Question, SHIFT)
    assert bindings.keys.texts("flag") == ("F",)
    assert "“Help › Keys” already has this key" in editor["message"].text()
    QTest.keyClick(editor.field, K.Key_F5)
    assert bindings.keys.texts("flag") == ("F", "F5")


def test_that_a_key_holds_for_now_where_it_cannot_be_written(qtbot, tmp_path):
    (tmp_path / "f").touch()
    editor = qtbot.shown(KeysEditor(KeyBindings(tmp_path / "f" / "keys.json", default_bindings())))
    QTest.keyClick(editor.field, K.Key_F9)
    assert "or its folder cannot be written" in editor["message"].text()


@pytest.mark.slow
def test_that_a_key_of_the_menus_is_refused_in_words_and_shift_alone_is_none(editor, bindings):
    select(editor, "flag")
    QTest.keyClick(editor.field, K.Key_O, CONTROL)
    assert "“File › Open” already has this key" in editor["message"].text()
    QTest.keyClick(editor.field, K.Key_Shift, SHIFT)
    assert not bindings.is_own("flag")


def test_that_one_command_or_all_can_be_restored(editor, bindings, tmp_path):
    bindings.bind("flag", ["X"])
    bindings.bind("note", ["Z"])
    select(editor, "flag")
    editor.button("restore").click()
    assert (bindings.is_own("flag"), bindings.is_own("note")) == (False, True)
    editor.button("restore-all").click()
    assert spelled(bindings.keys) == spelled(KeyMap(default_bindings()))
    assert json.loads((tmp_path / "keys.json").read_text("utf-8")) == {}


def test_that_a_key_given_away_cannot_be_restored_behind_its_new_command(bindings):
    bindings.bind("flag", ["X"])
    bindings.bind("note", ["F"])
    with pytest.raises(KeyConflict):
        bindings.restore("flag")
    assert bindings.keys.texts("flag") == ("X",)


@in_turn("content", ["{", "[]", '{"flag": 3}', '{"flag": ["no such key"]}', '{"other": ["X"]}'])
def test_that_a_file_that_makes_no_sense_leaves_the_keys_as_they_are(qapp, tmp_path, content):
    path = tmp_path / "keys.json"
    path.write_text(content, "utf-8")
    taken = KeyBindings(path, default_bindings()).keys
    assert spelled(taken) == spelled(KeyMap(default_bindings()))


def test_that_every_menu_entry_can_have_a_key(window, services):
    of_menus = {command.id for command in WINDOW_COMMANDS if command.id in default_bindings()}
    assert set(window.menus.actions) == of_menus
    services.keys.bind("menu:edit:new-abstract", ["Ctrl+Shift+A"])
    services.keys.bind("menu:open", [])
    services.keys.bind("undo", ["Ctrl+U"])
    menus = window.menus
    assert menus.actions["menu:edit:new-abstract"].shortcut().toString() == "Ctrl+Shift+A"
    assert menus.actions["menu:open"].shortcut().isEmpty()
    assert menus.actions["undo"].shortcut().toString() == "Ctrl+U"


def test_that_a_menus_key_cannot_be_taken_twice(bindings):
    for key, owner in (("N", "new-alternative"), ("Ctrl+I", "menu:import")):
        with pytest.raises(KeyConflict) as caught:
            bindings.bind("menu:open", [key])
        assert caught.value.command == owner
    assert bindings.keys.texts("menu:open") == ("Ctrl+O",)


def test_that_a_commands_keys_can_be_taken_away(editor, bindings):
    select(editor, "menu:open")
    editor.button("clear").click()
    assert bindings.keys.texts("menu:open") == ()
    select(editor, "flag")
    QTest.keyClick(editor.field, K.Key_O, CONTROL)
    assert bindings.keys.portable("flag") == ("Ctrl+O",)


def test_that_a_new_key_works_at_once_and_tool_tips_and_sheet_name_it(open_window, services):
    page = open_window.workspace.annotate
    services.keys.bind("flag", ["X"])
    tips = [button.toolTip() for button in page.findChildren(CommandButton)]
    assert "Flag for another look (X)" in tips
    open_window.menus.choose("show-keys")
    sheet = open_window.findChild(KeySheet)
    assert any(label.text() == "X" for label in sheet.findChildren(QLabel))
    sheet.close()
    QTest.keyClick(page.centre.view, K.Key_X)
    assert page.annotation.entry.state.value == "flagged"


@pytest.mark.skipif(
    not (Path(__file__).parents[4] / "tools").is_dir(),
    reason="the wheel is tested without a checkout",
)
def test_that_the_manuals_page_of_keys_is_made_from_the_commands():
    root = Path(__file__).parents[4]
    made = runpy.run_path(str(root / "tools" / "keys_page.py"))["keys_page"]()
    assert (root / "docs" / "keys.md").read_text("utf-8") == made, "run python tools/keys_page.py"


def test_that_every_command_that_can_have_a_key_has_a_name(services):
    names = [name_of(command) for command in services.keys.keys.commands()]
    assert all(name.strip() for name in names)
    assert len(names) == len(set(names))


def test_that_a_key_of_the_users_keeps_its_meaning_when_a_new_version_wants_it(tmp_path):
    path = tmp_path / "keys.json"
    path.write_text('{"note": ["Y", "F9"], "flag": ["Y"]}', "utf-8")
    defaults = {"note": ("M",), "flag": ("F",), "take-suggestion": ("Y", "F8")}
    bindings = spelled(KeyBindings(path, defaults).keys)
    assert bindings == {"note": ("Y", "F9"), "flag": ("F",), "take-suggestion": ("F8",)}


@pytest.mark.slow
def test_that_a_name_too_long_for_its_column_is_told_by_a_tool_tip(editor):
    tip = Qt.ItemDataRole.ToolTipRole
    names = [name_of(command) for command in editor.model.rows]
    assert [editor.model.index(row, 0).data(tip) for row in range(len(names))] == names


@pytest.mark.slow
@pytest.mark.parametrize("code", in_part(LANGUAGES))
def test_that_the_settings_are_wide_enough_for_every_command_and_its_keys(services, qtbot, code):
    set_language(code)
    dialog = qtbot.added(SettingsDialog(services.settings, None, services.keys))
    dialog.fields["tabs"].setCurrentIndex(1)
    dialog.show()
    QApplication.processEvents()
    table = dialog.findChild(KeysEditor).table
    table.ensurePolished()
    for row in range(table.model().rowCount()):
        name = str(table.model().index(row, 0).data())
        assert table.fontMetrics().horizontalAdvance(name) < table.columnWidth(0), name


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
