import json
import runpy
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from tests.in_part import in_part, in_turn

from awase.gui.frame.commands import WINDOW_COMMANDS, default_bindings
from awase.gui.frame.help import KeySheet
from awase.gui.frame.settings_dialog import KeysEditor, SettingsDialog, name_of
from awase.gui.kit.i18n import LANGUAGES, set_language
from awase.gui.kit.keys import KeyBindings, KeyConflict, KeyMap
from awase.gui.pages.annotate.command_button import CommandButton

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


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
    assert "“Help › Keys” has this key" in editor["message"].text()
    QTest.keyClick(editor.field, K.Key_F5)
    assert bindings.keys.texts("flag") == ("F", "F5")


@pytest.mark.slow
def test_that_a_key_of_the_menus_is_refused_in_words_and_shift_alone_is_none(editor, bindings):
    select(editor, "flag")
    QTest.keyClick(editor.field, K.Key_O, CONTROL)
    assert "“File › Open” has this key" in editor["message"].text()
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


def test_that_a_new_key_works_at_once_and_tool_tips_and_sheet_name_it(
    window_over, services, make_corpus
):
    window = window_over(make_corpus())
    page = window.workspace.annotate
    services.keys.bind("flag", ["X"])
    tips = [button.toolTip() for button in page.findChildren(CommandButton)]
    assert "Flag for another look (X)" in tips
    window.menus.choose("show-keys")
    sheet = window.findChild(KeySheet)
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
