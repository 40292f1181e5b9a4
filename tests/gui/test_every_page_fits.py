"""Every page fits the screens that people have, at the letters that they need."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit

from awase.gui.frame.main_window import MainWindow
from awase.gui.frame.pages import PAGES
from awase.gui.kit.look.stylesheet import TARGET_PX
from awase.gui.kit.texts.i18n import LANGUAGES

SCREENS = (("ja", 16, (1366, 728)), ("en", 20, (1920, 1040)))
EVERY = tuple(
    (language, points, room)
    for language in LANGUAGES
    for points, room in ((16, (1366, 728)), (20, (1920, 1040)))
    if (language, points, room) not in SCREENS
)


@pytest.fixture
def window(qtbot, services, make_corpus):
    window = MainWindow(services)
    qtbot.addWidget(window)
    window.show()
    window.open_location(str(make_corpus()))
    qtbot.waitUntil(lambda: window.workspace is not None)
    yield window
    window.close_corpus()


def check(window, services, qtbot, screen) -> None:
    language, points, room = screen
    file = services.settings
    file.change(replace(file.settings, language=language, point_size=points))
    for page in PAGES:
        window.shown.show_page(page.id)
        qtbot.waitUntil(lambda: not services.jobs.is_busy)
        least = window.minimumSizeHint()
        assert (least.width() <= room[0], least.height() <= room[1]) == (True, True), (
            page.id, screen, least,
        )  # fmt: skip
        shown = window.shown.page(page.id)
        for kind in (QAbstractButton, QComboBox, QLineEdit):
            for one in shown.findChildren(kind):
                if one.isVisible() and one.parentWidget() is not None:
                    assert one.height() >= TARGET_PX - 2, (page.id, one, one.height())


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_that_every_page_fits(window, services, qtbot, screen) -> None:
    check(window, services, qtbot, screen)


@pytest.mark.slow
@pytest.mark.parametrize("screen", EVERY)
def test_that_every_page_fits_in_the_other_language(window, services, qtbot, screen) -> None:
    check(window, services, qtbot, screen)
