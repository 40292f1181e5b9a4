"""A window whose language was changed says what one says that was opened in that language."""

from collections import Counter

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QStackedWidget, QWidget
from tests.gui.conftest import small_topic
from tests.in_part import in_part

from awase.gui.frame.main_window import MainWindow
from awase.gui.frame.pages import PAGES
from awase.gui.kit.empty_note import EmptyLabel
from awase.gui.kit.texts.i18n import set_language

PROPERTIES = ("text", "toolTip", "accessibleName", "placeholderText", "windowTitle")


def texts_of(widget: QWidget) -> Counter[tuple[str, str, str]]:
    """Returns every text of the widgets in sight, with its kind and how often it is there."""
    found: Counter[tuple[str, str, str]] = Counter()
    for child in filter(QWidget.isVisible, (widget, *widget.findChildren(QWidget))):
        for name in PROPERTIES:
            text = child.property(name)
            if isinstance(text, str) and text:
                found[type(child).__name__, name, text] += 1
    return found


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
@pytest.mark.parametrize("page", in_part(page.id for page in PAGES))
def test_that_a_page_says_all_in_the_language_that_is_chosen(
    window, qtbot, services, make_corpus, page
):
    path = str(make_corpus(small_topic()))
    found = []
    for before in ("ja", "en"):
        set_language(before)
        window.open_location(path)
        qtbot.waitUntil(lambda: window.workspace is not None)
        window.workspace.show_page(page)
        come_to_rest(window, qtbot, services)
        set_language("ja")
        come_to_rest(window, qtbot, services)
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
