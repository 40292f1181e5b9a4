"""A line of text that is too long for its field ends with an ellipsis, not amid a letter."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from awase.gui.kit.look.fitting import ElidedLine

LONG = "/home/anna/corpora of 1998/a village and its university/tsc3.awase"
WIDTH = 200
MODES = (Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle)


@pytest.fixture
def picture(qtbot, painted):
    windows = []

    def draw(line: QLineEdit, *, has_keyboard: bool = False) -> QImage:
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        layout = QVBoxLayout(window)
        line.setFixedWidth(WIDTH)
        other = QLineEdit()
        for one in (other, line):
            layout.addWidget(one)
        window.show()
        window.activateWindow()
        (line if has_keyboard else other).setFocus()
        QApplication.processEvents()
        return line.grab().toImage()

    return draw


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_that_it_looks_like_a_line_of_the_shortened_text(picture, mode):
    line = ElidedLine(LONG, mode)
    shown, metrics = picture(line), line.fontMetrics()
    texts = dict.fromkeys(metrics.elidedText(LONG, mode, px) for px in range(WIDTH // 2, WIDTH))
    (alike,) = [text for text in texts if picture(QLineEdit(text)) == shown]
    assert "…" in alike
    assert metrics.horizontalAdvance(alike) > WIDTH * 0.8


def test_that_all_of_it_is_there_to_who_writes_in_it(picture):
    written = ElidedLine(LONG)
    assert picture(written, has_keyboard=True) == picture(QLineEdit(LONG), has_keyboard=True)
    assert written.text() == LONG
