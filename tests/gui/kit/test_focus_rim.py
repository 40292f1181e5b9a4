"""What has the keyboard has a rim that is seen, and nothing in it moves for that."""

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from tests.gui.conftest import unstyled
from tests.in_part import in_part

from awase.gui.kit.look.stylesheet import PALETTES
from awase.gui.kit.look.theme import Theme, ThemeBox

LEAST = 0.07
"""Of a line of text; one pixel is less with letters of any size that people use."""


def _box() -> QComboBox:
    box = QComboBox()
    box.addItem("several words")
    return box


MAKERS = (lambda: QPushButton("several words"), _box, QSpinBox, QLineEdit, QPlainTextEdit)


@pytest.fixture
def styled(qtbot, painted):
    yield lambda theme: ThemeBox(theme).apply()
    ThemeBox(Theme.named("light")).apply()
    unstyled()


def rim(picture: QImage, accent: str) -> int:
    """How many pixels at the top, in the middle, have the colour."""
    colours = [picture.pixelColor(picture.width() // 2, y) for y in range(picture.height())]
    return next(at for at, one in enumerate(colours) if one != QColor(accent))


@pytest.mark.parametrize("points", [10, 16, 20])
@pytest.mark.parametrize("palette", in_part(PALETTES))
def test_that_the_rim_is_seen_and_moves_nothing(qtbot, styled, palette, points):
    theme = Theme.named(palette, points)
    styled(theme)
    window, other = QWidget(), QPushButton("other")
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    parts = [make() for make in MAKERS]
    for part in (other, *parts):
        layout.addWidget(part)
    window.show()
    window.activateWindow()
    for part in parts:
        other.setFocus()
        QApplication.processEvents()
        before, size = part.grab().toImage(), part.sizeHint()
        part.setFocus()
        QApplication.processEvents()
        after = part.grab().toImage()
        name = type(part).__name__
        assert rim(before, theme.colours.accent) == 0, name
        wide = rim(after, theme.colours.accent)
        assert wide >= max(2, part.fontMetrics().height() * LEAST), name
        assert part.sizeHint() == size, name
        if isinstance(part, (QPushButton, QComboBox)):  # in others a cursor blinks
            text = before.rect().adjusted(wide + 3, wide + 1, -before.width() // 4, -wide - 1)
            is_alike = after.copy(text) == before.copy(text)
            assert is_alike, name
