import ast
import re
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from tests.gui.seeing import says
from tests.in_part import in_turn

from awase.core.metrics.extracts import scorers
from awase.gui.frame.commands import default_bindings
from awase.gui.frame.help import PAGES, PLACE, HelpWindow, page_source, page_text
from awase.gui.kit.i18n import LANGUAGES, in_every_language, set_language
from awase.gui.kit.keys import KeyMap
from awase.gui.pages.annotate.rows.alternative_rows import FAULTS

pytest.importorskip("babel")  # what reads messages out of code needs it
messages = import_module("tests.messages")

CORE = Path(scorers.__file__).parents[2]
WITH_WARNINGS = (
    "metrics/extracts/scorers.py",
    "metrics/kit/outputs.py",
    "formats/reading/requests.py",
)
OTHERS = ("FolderTexts", "undefined_reason")
"""A class whose warnings are about files, not about what is in a corpus, and reasons of a gap."""


def explained(language: str) -> set[str]:
    places = PLACE.findall(page_source("warnings", language))
    return {message for kind, message in places if kind == "say"}


def warnings_of(path: Path) -> set[str]:
    """Every `what` in the module: keyword arguments and variables of that name."""
    found: set[str] = set()
    parts = ast.parse(path.read_text("utf-8")).body
    about = [one for one in parts if getattr(one, "name", "") not in OTHERS]
    for node in (node for one in about for node in ast.walk(one)):
        is_argument = isinstance(node, ast.keyword) and node.arg == "what"
        targets = node.targets if isinstance(node, ast.Assign) else []
        if is_argument or any(getattr(target, "id", "") == "what" for target in targets):
            found |= set(messages.strings(node.value))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_help_explains_every_warning(language):
    warnings = set(FAULTS.values())
    for name in WITH_WARNINGS:
        warnings |= warnings_of(CORE / name)
    assert len(warnings) > 15
    assert warnings - explained(language) == set()


@in_turn("page", PAGES)
@in_turn("language", LANGUAGES)
def test_that_every_place_holder_of_a_page_is_known(qapp, page, language):
    for kind, value in PLACE.findall(page_source(page, language)):
        if kind == "key":
            assert value in default_bindings()
        elif kind == "say":
            assert len(in_every_language(value)) == len(LANGUAGES)
        else:
            assert value in ("keys", "steps")
    set_language(language)
    text = page_text(page, language, KeyMap(default_bindings()))
    assert "{{" not in text
    assert text.startswith("# ")


@in_turn("page", PAGES)
@in_turn("language", LANGUAGES)
def test_that_no_page_names_a_key_that_somebody_may_have_changed(page, language):
    keys = KeyMap(default_bindings())
    bound = {text for command in default_bindings() for text in keys.texts(command)}
    written = re.findall(r"\*\*(.+?)\*\*", page_source(page, language))
    assert bound.isdisjoint(text.replace("\\", "") for text in written)


@in_turn("page", PAGES)
def test_that_the_japanese_help_spells_no_option_of_the_command_line(qapp, page):
    set_language("ja")
    text = page_text(page, "ja", KeyMap(default_bindings()))
    assert re.findall(r"(?<![\w*])[a-z]+=\S+", text) == []


def test_that_a_warning_stands_there_as_the_window_words_it(qapp):
    set_language("ja")
    text = page_text("warnings", "ja", KeyMap(default_bindings()))
    assert "「正解とする対応付け：全員" in text


def test_that_keys_stand_there_as_they_are_bound(qapp):
    bindings = {**default_bindings(), "show-others": ("Ctrl+9",), "confirm": ()}
    keys = KeyMap(bindings)
    assert "**Ctrl+9** shows what the other annotators did" in page_text("people", "en", keys)
    table = page_text("keys", "en", keys)
    assert "| **Ctrl+9** | Show or hide other annotators' work |" in table
    assert "| **\\[** | Previous alternative |" in table
    assert "Confirm and go" not in table
    assert "| **F1** | Help |" in table
    assert "(no key) marks the sentence as finished" in page_text("tour", "en", keys)


@pytest.fixture
def window(services, qtbot):
    parent = qtbot.added(QWidget())
    window = HelpWindow(services.keys, parent)
    window.show_page("tour")
    yield window
    window.close()


def titles(window):
    items = [
        window.contents.topLevelItem(row) for row in range(window.contents.topLevelItemCount())
    ]
    return [item.text(0) for item in items]


def test_that_the_contents_lead_to_each_page(window):
    assert not window.isModal()
    assert titles(window) == [
        "Five minutes with Awase",
        "Keys",
        "h and the scores",
        "What the warnings mean",
        "Inspect and grade",
        "Correlations with people",
        "Working with others",
        "Where annotators differ",
    ]
    scores = window.contents.topLevelItem(2)
    assert scores.child(1).text(0) == "h, the minimal cover"
    window.contents.setCurrentItem(scores.child(1))
    assert window.text.textCursor().block().text() == "h, the minimal cover"
    assert window.text.verticalScrollBar().value() > 0


def test_that_words_are_found_around_the_end(window, qtbot):
    window.field.setText("COVER")
    first = window.text.textCursor()
    assert first.selectedText().lower() == "cover"
    qtbot.keyClick(window.field, Qt.Key.Key_Return)
    assert window.text.textCursor().position() > first.position()
    window.field.setText("cover")  # what is typed is sought from the beginning
    assert window.text.textCursor().position() == first.position()
    for words, is_told in (("no such words", True), ("", False), ("Five minutes with", False)):
        window.field.setText(words)
        window.find_next()
        assert says(window, "not found") is is_told


def test_that_the_help_follows_language_and_keys(window, services, qtbot):
    window.contents.setCurrentItem(window.contents.topLevelItem(2))
    services.keys.bind("flag", ["Z"])
    assert window.contents.currentIndex().row() == 2
    assert "Z\nFlag for another look" in window.text.toPlainText()
    set_language("ja")
    qtbot.waitUntil(lambda: titles(window)[0] == "5 分でわかる Awase")
    assert window.windowTitle() == "ヘルプ"


@pytest.mark.slow
def test_that_the_contents_have_room_for_their_titles(window):
    needed = window.contents.sizeHintForColumn(0)
    assert window.contents.viewport().width() >= min(needed, window.width() * 0.35)
    item = window.contents.topLevelItem(2).child(1)
    assert item.toolTip(0) == item.text(0)
