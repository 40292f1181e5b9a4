import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.pages.annotate.conftest import s
from tests.gui.seeing import says

from awase.core.records.alignment import AlignmentState
from awase.gui.pages.annotate import sources_pane
from awase.gui.pages.annotate.rows.row_view import mime_of, ref_of

K = Qt.Key
LEFT, NOTHING = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NONE, COPY = Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction


def drop(annotation, mime, at, *, widget=None):
    widget = widget or annotation.page.alternatives.view.viewport()
    enter = QDragEnterEvent(at, COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(widget, enter)
    event = QDropEvent(QPointF(at), COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(widget, event)
    return enter.isAccepted()


def middle_of(annotation, row):
    view = annotation.page.alternatives.view
    return view.visualRect(annotation.page.alternatives.model.index(row)).center()


def below(annotation):
    return QPoint(20, annotation.page.alternatives.view.viewport().height() - 5)


def test_that_a_sentence_dropped_on_an_alternative_joins_it(annotation):
    annotation.press_candidates(1)
    annotation.press(K.Key_N)
    annotation.press_candidates(10)
    assert drop(annotation, mime_of(s(40)), middle_of(annotation, 0))
    assert annotation.stored() == [[1, 40], [10]]
    assert annotation.page.annotation.alternative_idx == 0


@pytest.mark.slow
def test_that_a_sentence_dropped_below_begins_an_alternative(annotation):
    annotation.press_candidates(1)
    drop(annotation, mime_of(s(40)), below(annotation))
    assert annotation.stored() == [[1], [40]]


@pytest.mark.slow
def test_that_a_sentence_dropped_where_it_is_stays(annotation):
    annotation.press_candidates(1)
    drop(annotation, mime_of(s(1)), middle_of(annotation, 0))
    assert annotation.stored() == [[1]]
    assert says(annotation.page.strip, "already")


@pytest.mark.slow
def test_that_a_sentence_dropped_on_no_source_reopens_it(annotation):
    annotation.press(K.Key_U)
    notice = annotation.page.alternatives.content.notice
    assert notice.isVisible()
    drop(annotation, mime_of(s(1)), QPoint(5, 5), widget=notice)
    assert annotation.stored() == [[1]]
    assert annotation.stored_state() is not AlignmentState.NO_SOURCE


@pytest.mark.slow
def test_that_anything_else_is_not_taken(annotation):
    for data in (None, b"nothing", b"\xff", b""):
        mime = QMimeData()
        mime.setText("s1")
        if data is not None:
            mime.setData("application/x-awase-sentence", data)
        assert ref_of(mime) is None
        assert not drop(annotation, mime, below(annotation))
        assert annotation.stored() == []


def test_that_the_alternative_under_the_mouse_is_marked(annotation):
    annotation.press_candidates(1)
    mime = mime_of(s(3))  # the event does not keep it alive
    enter = QDragEnterEvent(middle_of(annotation, 0), COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(annotation.page.alternatives.view.viewport(), enter)
    assert annotation.page.alternatives.view.itemDelegate().drop_row == 0


def test_that_pulling_at_a_row_drags_it_and_does_not_click_it(annotation, monkeypatch):
    dragged = []
    monkeypatch.setattr(sources_pane, "drag", lambda ref, _view: dragged.append(ref))
    view = annotation.page.centre.candidates
    start = view.visualRect(annotation.page.centre.candidate_model.index(2)).center()
    end = start + QPoint(QApplication.startDragDistance() + 5, 0)
    QTest.mousePress(view.viewport(), LEFT, NONE, start)
    move = QMouseEvent(QEvent.Type.MouseMove, QPointF(end), QPointF(end), NOTHING, LEFT, NONE)
    QCoreApplication.sendEvent(view.viewport(), move)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, end)
    assert dragged == [annotation.page.annotation.order[2]]
    assert annotation.stored() == []
