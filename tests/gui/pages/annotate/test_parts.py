"""Small parts of the page: legend, header, map, rows that are dragged or out of sight."""

from dataclasses import replace

import pytest
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage, QMouseEvent, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.building import extract
from tests.gui.pages.annotate.conftest import s
from tests.gui.seeing import resize, says
from tests.in_part import in_turn

from awase.core.records.abstract import Abstract, AbstractSentence, AlignmentState
from awase.gui.kit.look import rows
from awase.gui.kit.look.rows import RowDelegate
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.pages.annotate import sources_pane
from awase.gui.pages.annotate.abstract_pane import BarLegend
from awase.gui.pages.annotate.header import abstract_text
from awase.gui.pages.annotate.rows.row_view import RowView, mime_of, ref_of
from awase.gui.pages.annotate.rows.source_delegate import SourceDelegate


def test_that_the_legend_has_the_colours_of_the_bars_and_ends_with_dots_on_its_second_line(qtbot):
    themes = ThemeBox(Theme.named("light"))
    legend = qtbot.added(BarLegend(themes))
    legend.show_systems([(0, "lead"), (1, "tfidf"), (2, "mmr")], "tfidf")
    legend.resize(600, legend.heightForWidth(600))
    assert legend.names() == ("lead", "tfidf", "mmr")
    picture = QImage(legend.size(), QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    legend.render(picture)
    colours = [
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
    ]
    places = [colours.index(themes.theme.bar(at).name()) for at in range(3)]
    assert places == sorted(places)
    names = [f"a system {n}" for n in range(8)]
    legend.show_systems(list(enumerate(names)), "")
    wide = legend.heightForWidth(4000)
    assert legend.heightForWidth(250) == 2 * wide
    legend.resize(250, 2 * wide)
    *whole, last = legend.names()
    assert list(whole) == names[: len(whole)]
    assert last.endswith("…")
    assert all(name in legend.toolTip() for name in names)


@pytest.mark.slow
def test_that_the_legend_names_the_only_bar_where_there_are_many_systems(table_1, lend_page):
    outputs = tuple(extract(f"system {n}", n, n + 1) for n in range(1, 12))
    opened = lend_page(replace(table_1, outputs=outputs))
    legend = opened.page.abstract.legend
    assert legend.names() == ("system 1",)
    opened.page.live_results.choose("system 4")
    assert legend.names() == ("system 4",)


@in_turn(
    ("name", "length", "author", "shown"),
    [
        ("0710-short", "short", "1", "0710-short"),
        ("a1", "short", "1", "a1 (short, 1)"),
        ("a1", "long", None, "a1 (long)"),
        ("a1", None, "sato", "a1"),
    ],
)
def test_that_an_abstract_is_called_by_what_its_id_does_not_tell(name, length, author, shown):
    sentence = AbstractSentence(n=1, text="One.")
    abstract = Abstract(id=name, sentences=(sentence,), length=length, author=author)
    assert abstract_text(abstract) == shown


K = Qt.Key


@pytest.fixture
def minimap(annotation):
    annotation.press(K.Key_V)
    return annotation.page.centre.minimap


def y_of(minimap, number):
    return round((number - 0.6) * minimap.height() / 61)


def test_that_links_stand_out_on_the_map_and_a_click_goes_to_the_sentence(
    annotation, minimap, themes
):
    accent = QColor(themes.theme.colours.accent).name()

    def colours_at(number):
        picture = minimap.grab().toImage()
        y = y_of(minimap, number)
        return {picture.pixelColor(picture.width() - 5, row).name() for row in range(y - 3, y + 6)}

    annotation.page.annotation_actions.toggle(s(30))
    assert accent in colours_at(30)
    assert minimap.accessibleName()
    for number in (50, 2):
        QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(8, y_of(minimap, number)))
        assert annotation.page.centre.current_ref() == s(number)
        view = annotation.page.centre.documents
        assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
    assert annotation.stored() == [[30]]
    annotation.session.undo_stack.undo()
    assert accent not in colours_at(30)


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


def test_that_a_sentence_dropped_on_an_alternative_joins_it_and_elsewhere_begins_one(annotation):
    annotation.press_candidates(1)
    annotation.press(K.Key_N)
    annotation.press_candidates(10)
    assert drop(annotation, mime_of(s(40)), middle_of(annotation, 0))
    assert annotation.stored() == [[1, 40], [10]]
    assert annotation.page.annotation.alternative_idx == 0
    drop(annotation, mime_of(s(10)), middle_of(annotation, 1))
    assert annotation.stored() == [[1, 40], [10]]
    assert says(annotation.page.strip, "already")
    assert annotation.page.annotation.alternative_idx == 1
    drop(annotation, mime_of(s(40)), below(annotation))
    assert annotation.stored() == [[1, 40], [10], [40]]
    for data in (None, b"nothing", b"\xff", b""):  # anything else is not taken
        mime = QMimeData()
        mime.setText("s1")
        if data is not None:
            mime.setData("application/x-awase-sentence", data)
        assert ref_of(mime) is None
        assert not drop(annotation, mime, below(annotation))
    assert annotation.stored() == [[1, 40], [10], [40]]
    mime = mime_of(s(3))  # the event does not keep it alive
    enter = QDragEnterEvent(middle_of(annotation, 1), COPY, mime, LEFT, NONE)
    QCoreApplication.sendEvent(annotation.page.alternatives.view.viewport(), enter)
    assert annotation.page.alternatives.view.itemDelegate().drop_row == 1
    annotation.press(K.Key_U)
    notice = annotation.page.alternatives.content.notice
    assert notice.isVisible()
    drop(annotation, mime_of(s(1)), QPoint(5, 5), widget=notice)
    assert annotation.stored() == [[1]]
    assert annotation.stored_state() is AlignmentState.INCOMPLETE


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


class TallRows(RowDelegate):
    """Rows of 57 pixels that remember how often they were measured."""

    n_measured = 0

    def row_height(self, index, font, width) -> float:
        self.n_measured += 1
        return 57.0

    def paint_row(self, painter, rect, index, font) -> None:
        """Draws nothing."""


def test_that_rows_out_of_sight_are_not_measured_and_have_their_height_once_shown(qtbot):
    view = qtbot.added(RowView())
    model = QStringListModel([str(n) for n in range(20)])
    rows = TallRows(ThemeBox(Theme.named("light")), view)
    view.setModel(model)
    view.setItemDelegate(rows)
    view.resize(300, 400)
    view.doItemsLayout()
    assert rows.n_measured == 0
    view.show()
    assert view.visualRect(model.index(3)).top() == 3 * 57
    view.hide()
    model.setStringList(["another"] * 5)
    view.doItemsLayout()
    view.show()
    assert view.visualRect(model.index(3)).top() == 3 * 57
    width, told = view.viewport().width(), []
    view.resized.connect(lambda: told.append(view.viewport().width()))
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    qtbot.waitUntil(lambda: view.viewport().width() < width)
    assert told[-1] == view.viewport().width()  # of another width is told, too


@pytest.mark.slow
def test_that_the_key_that_shows_the_documents_finds_their_sentences_measured(
    own_annotation, qtbot, monkeypatch
):
    page = own_annotation.page
    documents = page.annotation.place.topic.documents
    texts = {sentence.text for document in documents for sentence in document.sentences}
    measure, laid_out, left, widths = SourceDelegate.measure_whole, [], set(texts), []

    def measured(delegate, text, width) -> None:
        measure(delegate, text, width)
        if widths[-1:] != [width]:  # what was measured before another width is of no use
            widths.append(width)
            left.update(texts)
        left.discard(text)

    class Layout(QTextLayout):
        def __init__(self, *of) -> None:
            super().__init__(*of)
            laid_out.append(of[0])

    monkeypatch.setattr(SourceDelegate, "measure_whole", measured)
    resize(page, 1270, 790)
    qtbot.waitUntil(lambda: not left)
    n_quiet = 0
    while n_quiet < 20:  # a scroll bar that comes or goes changes the width once more
        n_widths = len(widths)
        qtbot.wait(20)
        n_quiet = n_quiet + 1 if not left and len(widths) == n_widths else 0
    monkeypatch.setattr(rows, "QTextLayout", Layout)
    own_annotation.press(Qt.Key.Key_V)
    assert page.centre.view is page.centre.documents
    assert page.centre.documents.visualRect(page.centre.document_model.index_of(s(3))).height() > 1
    assert not laid_out
