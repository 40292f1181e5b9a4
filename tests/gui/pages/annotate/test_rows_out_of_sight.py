"""Rows are measured when they can be seen, for the width that they then have."""

import pytest
from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QTextLayout
from tests.gui.pages.annotate.conftest import s

from awase.gui.kit.look import rows
from awase.gui.kit.look.rows import RowDelegate
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.rows.source_delegate import SourceDelegate


class TallRows(RowDelegate):
    """Rows of 57 pixels that remember how often they were measured."""

    n_measured = 0

    def row_height(self, index, font, width) -> float:
        self.n_measured += 1
        return 57.0

    def paint_row(self, painter, rect, index, font) -> None:
        """Draws nothing."""


@pytest.mark.slow
def test_that_rows_out_of_sight_are_not_measured_and_have_their_height_once_shown(qtbot):
    view = RowView()
    qtbot.addWidget(view)
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
    model.setStringList(["another"] * 20)
    view.doItemsLayout()
    view.show()
    assert view.visualRect(model.index(3)).top() == 3 * 57


def test_that_a_view_tells_of_another_width_too_as_when_its_scroll_bar_comes(qtbot):
    view = RowView()
    qtbot.addWidget(view)
    model = QStringListModel([str(n) for n in range(5)])
    view.setModel(model)
    view.setItemDelegate(TallRows(ThemeBox(Theme.named("light")), view))
    view.resize(300, 400)
    view.show()
    view.doItemsLayout()
    width, told = view.viewport().width(), []
    view.resized.connect(lambda: told.append(view.viewport().width()))
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    qtbot.waitUntil(lambda: view.viewport().width() < width)
    assert told[-1] == view.viewport().width()


@pytest.mark.slow
def test_that_the_key_that_shows_the_documents_finds_their_sentences_measured(
    own_annotation, qtbot, monkeypatch
):
    page = own_annotation.page
    documents = page.annotation.place.topic.documents
    left = {sentence.text for document in documents for sentence in document.sentences}
    measure, laid_out = SourceDelegate.measure_whole, []

    def measured(delegate, text, width) -> None:
        measure(delegate, text, width)
        left.discard(text)

    class Layout(QTextLayout):
        def __init__(self, *of) -> None:
            super().__init__(*of)
            laid_out.append(of[0])

    monkeypatch.setattr(SourceDelegate, "measure_whole", measured)
    page.resize(1270, 790)
    qtbot.waitUntil(lambda: not left)
    monkeypatch.setattr(rows, "QTextLayout", Layout)
    own_annotation.press(Qt.Key.Key_V)
    assert page.centre.view is page.centre.documents
    assert page.centre.documents.visualRect(page.centre.document_model.index_of(s(3))).height() > 1
    assert not laid_out
