"""Every screen is looked at and walked through: sizes, letters, languages, palettes, keys."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QVBoxLayout, QWidget
from tests.gui.looking import cut_texts, faint_texts, outside, pictures_alone, small_targets
from tests.gui.walking import missed, unnamed

from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.look.palettes import PALETTES
from awase.gui.kit.texts.i18n import LANGUAGES
from awase.gui.main_screens import offstage, settle

SIZES = ((16, (1366, 728)), (20, (1920, 1040)))
NOT_OURS = ("print",)
"""Qt's own preview of what is printed."""
PASSING = ("loading",)
"""Screens that are gone before anybody could press Tab."""


@pytest.fixture
def every_screen(qapp, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools")
    tool = pytest.importorskip("screens.every_screen", reason="only a checkout has it")

    def show(
        language: str, palette: str, points: int, size: tuple[int, int]
    ) -> Iterator[tuple[str, QWidget]]:
        with offstage(points, QSize(*size)) as stage:
            stage.look(language, palette)
            for title, widget in tool.every_screen(stage, language):
                if title not in NOT_OURS:
                    settle()
                    yield title, widget

    return show


@pytest.mark.slow
@pytest.mark.parametrize(("language", "letters"), [*product(LANGUAGES, SIZES)])
def test_that_every_screen_fits_and_no_text_of_it_is_cut(every_screen, language, letters) -> None:
    points, size = letters
    found = []
    for title, widget in every_screen(language, "light", points, size):
        least = widget.minimumSizeHint()
        if least.width() > size[0] or least.height() > size[1]:
            found.append(f"{title} wants {least.toTuple()}")
        for look in (cut_texts, outside, small_targets, pictures_alone):
            found += [f"{title}: {look.__name__}: {what}" for what in look(widget)]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("palette", PALETTES)
def test_that_every_text_stands_out_in_every_palette(every_screen, palette) -> None:
    screens = every_screen("en", palette, 16, SIZES[0][1])
    found = [f"{title}: {what}" for title, widget in screens for what in faint_texts(widget)]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_that_tab_comes_to_every_control_of_every_screen_and_each_has_a_name(
    every_screen, language
) -> None:
    found = []
    for title, widget in every_screen(language, "light", 10, (1366, 728)):
        if title not in PASSING and not isinstance(widget, QMenu):
            widget.activateWindow()
            found += [f"{title}: {what}" for what in (*missed(widget), *unnamed(widget))]
    assert found == []


class Pane(HandsFocusOn, QWidget):
    """Two buttons, of which the second gets the keyboard."""

    def __init__(self, *, is_proxied: bool) -> None:
        super().__init__()
        first, self.second = QPushButton("first"), QPushButton("second")
        layout = QVBoxLayout(self)
        layout.addWidget(first)
        layout.addWidget(self.second)
        self.hand_focus_to(self.second)
        if is_proxied:
            self.setFocusProxy(self.second)


@pytest.mark.parametrize(("is_proxied", "passed_over"), [(False, []), (True, ["first"])])
def test_that_tab_passes_over_nothing_but_before_a_focus_proxy(
    qtbot, is_proxied, passed_over
) -> None:
    window, pane = QWidget(), Pane(is_proxied=is_proxied)
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.addWidget(QPushButton("beside"))
    layout.addWidget(pane)
    window.show()
    pane.setFocus()
    assert window.focusWidget() is pane.second
    assert missed(window) == [f"QPushButton “{text}”" for text in passed_over]


@pytest.mark.parametrize(
    ("make", "look"),
    [
        (partial(QLabel, "much longer than that"), cut_texts),
        (partial(QPushButton, "much longer than that"), cut_texts),
        (partial(QPushButton, "×"), small_targets),
    ],
)
def test_that_what_is_cut_or_small_is_found(qtbot, make, look) -> None:
    widget = make()
    qtbot.addWidget(widget)
    widget.show()
    widget.resize(300, 40)
    assert look(widget) == []
    widget.resize(20, 20)
    assert len(look(widget)) == 1


@pytest.mark.parametrize(("ink", "is_faint"), [("#767676", False), ("#777777", True)])
def test_that_ink_below_4_5_is_found(qtbot, ink, is_faint) -> None:
    label = QLabel("■■■")
    qtbot.addWidget(label)
    label.setStyleSheet(f"background: white; color: {ink}; font-size: 40px")
    label.show()
    assert bool(faint_texts(label)) is is_faint
