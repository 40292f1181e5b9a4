"""Controls in lines: where they break, and what has the rest of a line."""

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTextEdit, QWidget

from awase.gui.kit.look.flow import FlowLayout, at_the_edge, scrolled_down, stacked


def test_that_a_last_widget_that_grows_has_the_rest_of_its_line_and_no_other(qtbot):
    page, inner, last = QWidget(), QWidget(), QWidget()
    qtbot.addWidget(page)
    for widget in (inner, last):
        row = QHBoxLayout(widget)
        row.addWidget(QPushButton("button"))
        row.addStretch(1)
    flow = FlowLayout(page)
    for widget in (inner, QPushButton("between"), last):
        flow.addWidget(widget)
    page.resize(800, 200)
    page.show()
    assert inner.width() == inner.sizeHint().width()
    assert last.geometry().right() == page.contentsRect().right() - flow.contentsMargins().right()
    page.resize(inner.width() + 60, 200)
    qtbot.waitUntil(lambda: last.y() > inner.y())
    assert last.x() == inner.x()


def test_that_buttons_at_the_edge_have_a_line_of_their_own_where_they_lack_room(qtbot):
    page, choice, buttons = QWidget(), QPushButton("choice"), [QPushButton("do"), QPushButton("it")]
    qtbot.addWidget(page)
    flow = FlowLayout(page)
    acts = at_the_edge(*buttons)
    for widget in (choice, acts):
        flow.addWidget(widget)
    page.resize(800, 200)
    page.show()
    assert acts.y() == choice.y()
    margin = flow.contentsMargins().right()
    assert acts.geometry().right() == page.contentsRect().right() - margin
    assert buttons[-1].geometry().right() == acts.rect().right()
    page.resize(page.minimumSizeHint().width(), 200)
    qtbot.waitUntil(lambda: acts.y() > choice.y())
    assert all(acts.rect().contains(button.geometry()) for button in buttons)


def test_that_lines_of_controls_are_scrolled_to_before_they_lie_on_what_is_below(qtbot):
    parts, flow, body = QWidget(), FlowLayout(), QTextEdit()
    buttons = [QPushButton("a button of some width") for _ in range(4)]
    for button in buttons:
        flow.addWidget(button)
    stacked(parts, flow, body, grows=body)
    body.setMinimumHeight(150)
    area = qtbot.shown(scrolled_down(parts), 5 * buttons[0].sizeHint().width(), 200)
    assert area.verticalScrollBar().maximum() == 0
    area.resize(buttons[0].sizeHint().width() + 60, 200)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert body.y() > buttons[-1].geometry().bottom()
    assert body.height() >= 150
    assert area.horizontalScrollBar().maximum() == 0
