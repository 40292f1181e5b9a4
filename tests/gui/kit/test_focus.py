"""The keyboard goes from pane to pane, and leaves the window's parts alone."""

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QMainWindow, QVBoxLayout, QWidget

from awase.gui.kit.commands import step_pane


def test_that_the_menus_outlive_a_page_whose_panes_were_gone_through(qtbot):
    window, centre, page = QMainWindow(), QWidget(), QWidget()
    qtbot.addWidget(window)
    window.setCentralWidget(centre)
    panes = [QListWidget(), QListWidget()]
    for box, parts in ((page, [panes[0], QLineEdit(), panes[1]]), (centre, [QListWidget(), page])):
        layout = QVBoxLayout(box)
        for part in parts:
            layout.addWidget(part)
    menu = window.menuBar().addMenu("Edit")
    undo = menu.addAction("Undo")
    window.show()
    seen = []
    for by in (1, 1, 1, -1, -1):
        step_pane(page, by)
        seen.append(panes.index(window.focusWidget()))
    assert seen == [0, 1, 0, 1, 0]
    page.deleteLater()
    QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(page)
    assert shiboken6.isValid(menu)
    assert shiboken6.isValid(undo)
    undo.setEnabled(False)


def test_that_a_page_without_panes_is_gone_through_once(qtbot):
    page, notice = QMainWindow(), QLabel("Nothing yet")
    qtbot.addWidget(page)
    centre = QWidget()
    page.setCentralWidget(centre)
    layout = QVBoxLayout(centre)
    notice.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab does not come back to it
    for part in (notice, QLineEdit(), QLineEdit()):
        layout.addWidget(part)
    page.show()
    for by in (1, -1):
        notice.setFocus()
        step_pane(centre, by)
        assert isinstance(page.focusWidget(), QLineEdit)
