import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.pages.annotate.conftest import s
from tests.gui.seeing import says

from awase.core.records.alignment import AlignmentState
from awase.gui.pages.annotate.panes import sources_pane as centre_pane
from awase.gui.pages.annotate.rows.dragging import mime_of, ref_of

K = Qt.Key
LEFT, NOTHING = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NONE, COPY = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction


def drop(desk, mime, at, *, widget=None):
    widget = widget or desk.page.alternatives.view.viewport()
    enter = QDragEnterEvent(at, COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(widget, enter)
    event = QDropEvent(QPointF(at), COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(widget, event)
    return enter.isAccepted()


def middle_of(desk, row):
    view = desk.page.alternatives.view
    return view.visualRect(desk.page.alternatives.model.index(row)).center()


def below(desk):
    return QPoint(20, desk.page.alternatives.view.viewport().height() - 5)


def test_that_a_sentence_dropped_on_an_alternative_joins_it(desk):
    desk.press_candidates(1)
    desk.press(K.Key_N)
    desk.press_candidates(10)
    assert drop(desk, mime_of(s(40)), middle_of(desk, 0))
    assert desk.stored() == [[1, 40], [10]]
    assert desk.page.desk.alternative_idx == 0


def test_that_a_sentence_dropped_below_begins_an_alternative(desk):
    desk.press_candidates(1)
    drop(desk, mime_of(s(40)), below(desk))
    assert desk.stored() == [[1], [40]]


def test_that_a_sentence_dropped_where_it_is_stays(desk):
    desk.press_candidates(1)
    drop(desk, mime_of(s(1)), middle_of(desk, 0))
    assert desk.stored() == [[1]]
    assert says(desk.page.strip, "already")


def test_that_a_sentence_dropped_on_no_source_reopens_it(desk):
    desk.press(K.Key_U)
    notice = desk.page.alternatives.content.notice
    assert notice.isVisible()
    drop(desk, mime_of(s(1)), QPoint(5, 5), widget=notice)
    assert desk.stored() == [[1]]
    assert desk.stored_state() is not AlignmentState.NO_SOURCE


@pytest.mark.parametrize("data", [None, b"nothing", b"\xff", b""])
def test_that_anything_else_is_not_taken(desk, data):
    mime = QMimeData()
    mime.setText("s1")
    if data is not None:
        mime.setData("application/x-awase-sentence", data)
    assert ref_of(mime) is None
    assert not drop(desk, mime, below(desk))
    assert desk.stored() == []


def test_that_the_alternative_under_the_mouse_is_marked(desk):
    desk.press_candidates(1)
    mime = mime_of(s(3))  # the event does not keep it alive
    enter = QDragEnterEvent(middle_of(desk, 0), COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(desk.page.alternatives.view.viewport(), enter)
    assert desk.page.alternatives.view.itemDelegate().drop_row == 0


def test_that_pulling_at_a_row_drags_it_and_does_not_click_it(desk, monkeypatch):
    dragged = []
    monkeypatch.setattr(centre_pane, "drag", lambda ref, _view: dragged.append(ref))
    view = desk.page.centre.candidates
    start = view.visualRect(desk.page.centre.candidate_model.index(2)).center()
    end = start + QPoint(QApplication.startDragDistance() + 5, 0)
    QTest.mousePress(view.viewport(), LEFT, NONE, start)
    move = QMouseEvent(QEvent.Type.MouseMove, QPointF(end), QPointF(end), NOTHING, LEFT, NONE)
    QCoreApplication.sendEvent(view.viewport(), move)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, end)
    assert dragged == [desk.page.desk.order[2]]
    assert desk.stored() == []
