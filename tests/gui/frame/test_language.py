"""A window whose language was changed says what one says that was opened in that language."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)

from awase.gui.frame.commands import PAGES
from awase.gui.frame.main_window import MainWindow
from awase.gui.kit.i18n import set_language, tr
from awase.gui.kit.notices import EmptyLabel
from awase.gui.pages.correlations import page as correlations_page

PROPERTIES = ("text", "toolTip", "accessibleName", "placeholderText", "windowTitle")


def texts_of(widget: QWidget) -> Counter[tuple[str, str, str]]:
    """Returns every text of the widgets in sight, with its kind and how often it is there.

    So are those of their menus, choices, tabs and tables.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    for child in filter(QWidget.isVisible, (widget, *widget.findChildren(QWidget))):
        for name in PROPERTIES:
            text = child.property(name)
            if isinstance(text, str) and text:
                found[type(child).__name__, name, text] += 1
        for name, text in parts_of(child):
            found[type(child).__name__, name, text] += 1
    return found


def parts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Yields the texts of a widget that are no properties of it."""
    match widget:
        case QComboBox():
            yield from (("choice", widget.itemText(at)) for at in range(widget.count()))
        case QTabBar():
            yield from (("tab", widget.tabText(at)) for at in range(widget.count()))
        case QPushButton() | QToolButton() if widget.menu() is not None:
            menu = widget.menu()
            menu.aboutToShow.emit()  # some are filled only then
            assert menu.actions() or not widget.isEnabled()
            yield from (("entry", action.text()) for action in menu.actions())
        case QTableView() if widget.model() is not None:
            model, ways = widget.model(), Qt.Orientation
            for way, n in (
                (ways.Horizontal, model.columnCount()),
                (ways.Vertical, model.rowCount()),
            ):
                yield from (("title", str(model.headerData(at, way))) for at in range(n))
            for row, column in product(range(model.rowCount()), range(model.columnCount())):
                index = model.index(row, column)
                yield "cell", f"{index.data()} {index.data(Qt.ItemDataRole.ToolTipRole)}"


def left_in_english(page: QWidget) -> list[str]:
    """Chooses Japanese, and returns the messages of a page that are still in English."""
    set_language("ja")
    QApplication.processEvents()
    texts = {text.removesuffix(" None") for *_, text in texts_of(page)} - {"None"}
    is_name = re.compile("[a-z]+").fullmatch  # a system may be called as a role is
    return sorted(text for text in texts if tr(text) != text and not is_name(text))


def bare_labels(window: QWidget) -> list[str]:
    """Returns the texts that would crash with another language: see `EmptyLabel`."""
    return [
        page.text()
        for stack in window.findChildren(QStackedWidget)
        for page in map(stack.widget, range(stack.count()))
        if isinstance(page, QLabel) and not isinstance(page, EmptyLabel)
    ]


def come_to_rest(window, qtbot, services):
    """Waits for what is under way, and for what waits for a moment of quiet."""

    def is_at_rest():
        timers = window.findChildren(QTimer)
        is_awaited = any(one.isActive() and one.isSingleShot() for one in timers)
        return not is_awaited and not services.jobs.is_busy

    QApplication.processEvents()
    qtbot.waitUntil(is_at_rest)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page.id for page in PAGES])
def test_that_a_page_says_all_in_the_language_and_the_look_that_are_chosen(
    window, qtbot, services, page, monkeypatch
):
    monkeypatch.setattr(correlations_page, "N_RESAMPLES", 99)
    file = services.settings

    def look(**changed):
        file.change(replace(file.settings, **changed))
        come_to_rest(window, qtbot, services)

    found = []
    for before in ("ja", "en"):
        look(language=before)
        window.open_demonstration("en")
        qtbot.waitUntil(lambda: window.workspace is not None)
        window.workspace.show_page(page)
        come_to_rest(window, qtbot, services)
        if before == "en":
            look(palette="dark", point_size=14, language="ja")
            look(palette="light", point_size=10)
        found.append(texts_of(window.workspace))
        assert bare_labels(window) == []
        window.close_corpus()
    opened, changed = found
    assert len(opened) > 12
    assert sorted((changed - opened).elements()) == []
    assert sorted((opened - changed).elements()) == []


def test_that_the_first_screen_says_all_in_the_language_that_is_chosen(services, qtbot):
    found = []
    for before in ("ja", "en"):
        set_language(before)
        window = qtbot.shown(MainWindow(services))
        set_language("ja")
        QApplication.processEvents()
        found.append(texts_of(window))
    assert found[0] == found[1]
