"""What can be chosen is in sight at once, where the screen has room for it."""

import pytest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.theme import Theme, ThemeBox


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen there is no keyboard
@pytest.mark.parametrize("current", [0, 3])
@pytest.mark.parametrize("points", [10, 20])
def test_that_no_choice_is_behind_an_arrow(qtbot, points, current):
    ThemeBox(Theme.named("light", points)).apply()
    try:
        window, box = QWidget(), ElidedComboBox()
        qtbot.addWidget(window)
        QVBoxLayout(window).addWidget(box)
        box.addItems(["As the system", "Light", "Dark", "High contrast"])
        box.setCurrentIndex(current)
        window.show()
        window.activateWindow()
        box.setFocus()
        QApplication.processEvents()
        box.showPopup()
        QApplication.processEvents()
        view = box.view()
        assert view.verticalScrollBar().maximum() == 0
        rows = [view.visualRect(box.model().index(row, 0)) for row in range(4)]
        assert (rows[0].top(), rows[-1].bottom() + 1) == (0, view.viewport().height())
        box.hidePopup()
    finally:
        ThemeBox(Theme.named("light", 10)).apply()


def test_that_a_box_without_choices_shows_none(qtbot):
    box = qtbot.shown(ElidedComboBox())
    box.showPopup()
    assert not box.view().isVisible()


def test_that_a_box_has_room_for_choices_in_another_language(qtbot):
    box = ElidedComboBox()
    qtbot.addWidget(box)
    box.addItem("gold")
    box.show()
    short = box.sizeHint().width()
    box.setItemText(0, "each abstract's first alignment")
    needed = box.fontMetrics().horizontalAdvance("each abstract's first alignment")
    assert short < needed < box.sizeHint().width()
