"""What the panes do with the room that they have: texts, marks, formula."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QPainter
from PySide6.QtWidgets import QApplication, QPushButton, QSplitter
from tests import building
from tests.gui.looking import outside, overlaps
from tests.gui.pages.annotate.conftest import (
    painted_row,
    s,
    with_document,
    with_long_texts,
    with_work,
)
from tests.gui.seeing import resize

from awase.core.records.topic import Topic
from awase.gui.kit.look.fitting import ButtonRows
from awase.gui.kit.look.rows import WrappedText
from awase.gui.kit.notices import WholeLabel
from awase.gui.main_screens import settle
from awase.gui.pages.annotate.rows import source_delegate
from awase.gui.pages.annotate.rows.sources import SUBJECT

pytestmark = pytest.mark.slow

ARABIC = "عُثر على السفينة في البحيرة. "


def aligned(topic: Topic, *sets: tuple[int, ...], elsewhere: tuple[int, ...] = ()) -> Topic:
    """Returns the topic with alternatives of its first sentence, and one of its second."""
    rows = ("|".join("&".join(map(str, one)) for one in of) for of in (sets, [elsewhere]))
    return with_work(topic, building.alignment("1", [*rows]))


@pytest.fixture
def long_texts(table_1, lend_page):
    sets = tuple((n, n + 1) for n in range(10, 20, 2))
    opened = lend_page(aligned(with_long_texts(table_1, 12), *sets))
    opened.page.annotation.select(1)
    return opened


def heights(opened) -> list[int]:
    view = opened.page.alternatives.view
    view.executeDelayedItemsLayout()
    return [
        view.visualRect(view.model().index(row, 0)).height()
        for row in range(view.model().rowCount())
    ]


def test_that_alternatives_have_as_many_lines_as_there_is_room_for(long_texts):
    line = long_texts.page.fontMetrics().height()
    seen = []
    for height in (600, 900, 2400):
        resize(long_texts.page, 1280, height)
        seen.append(heights(long_texts))
    low, middle, high = seen
    assert len(set(low[1:])) == 1
    assert low[1] < 4 * line  # two members, a line each
    assert low[1] < middle[1] < high[1]
    assert middle[0] == high[0]  # the current one is whole


def test_that_alternatives_with_more_lines_stay_in_sight_together(long_texts):
    view = long_texts.page.alternatives.view
    for height in (600, *range(800, 860, 7), 600, *range(900, 940, 7)):
        long_texts.page.resize(1280, height)
        for _ in range(3):
            QApplication.processEvents()
        if height >= 800:
            assert heights(long_texts)[1] > 3 * long_texts.page.fontMetrics().height()
            assert sum(heights(long_texts)) <= view.viewport().height()
            assert view.verticalScrollBar().maximum() == 0


@pytest.mark.main
@pytest.mark.parametrize(
    "text", ["one two three four five six", "文字を数える文字を数える", "😀 " * 30]
)
def test_that_first_lines_are_the_beginning_of_a_text_and_fit(qapp, text):
    texts, font, width = WrappedText(), QFont(), 60.0
    assert texts.n_lines(text, font, width) > 2
    shown = texts.first_lines(text, font, width, 2)
    assert texts.n_lines(shown, font, width) == 2
    assert text.startswith(shown.rstrip("…"))
    assert shown.endswith("…")
    assert texts.first_lines(text, font, 4000.0, 2) == text


@pytest.mark.main
def test_that_lines_are_as_high_as_the_letters_of_another_font_in_them(qapp):
    texts, font, width = WrappedText(), QFont(), 60.0
    text = "one two three four five six"
    line = texts.height("x", font, width)
    assert texts.height_up_to(text, font, width, 2) == pytest.approx(2 * line)
    assert texts.height_up_to(text, font, 4000.0, 2) == pytest.approx(line)
    for family in QFontDatabase.families():
        font = QFont(family)
        line = texts.height("عُ", font, width)
        written = texts.height_up_to(ARABIC, font, width, 2)
        assert written == pytest.approx(2 * line), family


def test_that_a_text_in_letters_of_a_higher_font_is_not_cut_to_nothing(
    table_1, lend_page, monkeypatch
):
    texts = WrappedText()

    def is_lower(font: QFont) -> bool:
        return texts.height("x", font, 2000.0) + 1 < texts.height(ARABIC, font, 2000.0)

    fonts = (QFont(family, 16) for family in QFontDatabase.families())
    font = next(filter(is_lower, fonts), None)
    if font is None:
        pytest.skip("every font here is as high as the one with Arabic letters")
    view = lend_page(with_document(table_1, lambda _: ARABIC * 9)).page.centre.candidates
    drawn: list[str] = []
    real = WrappedText.draw
    monkeypatch.setattr(
        WrappedText, "draw",
        lambda self, painter, at, text, *more: (
            drawn.append(text), real(self, painter, at, text, *more)
        ),
    )  # fmt: skip
    for n_lines in (3, 40):
        monkeypatch.setattr(view.itemDelegate(), "room", lambda n=n_lines: n * 16)
        painted_row(view, view.model().index(0, 0), 500, 200, font)
    assert [len(text) > 20 for text in drawn] == [True, True]


@pytest.mark.parametrize("n_lines", [16, 24])
def test_that_nine_folded_texts_stay_in_sight_in_a_low_pane(table_1, lend_page, n_lines):
    opened = lend_page(with_long_texts(table_1, 12))
    opened.page.centre.fold(True)
    view = opened.page.centre.candidates
    view.setFixedHeight(view.fontMetrics().height() * n_lines)
    QApplication.processEvents()
    view.executeDelayedItemsLayout()
    rects = [view.visualRect(view.model().index(row, 0)) for row in range(9)]
    assert view.viewport().rect().contains(rects[8])
    view.setMinimumHeight(0)
    view.setMaximumHeight(16_777_215)
    # Where two lines fit, they go before wide margins.
    assert (rects[0].height() > 2.3 * view.fontMetrics().height()) is (n_lines == 24)


def test_that_a_low_row_says_first_which_alternative_has_the_sentence(
    table_1, lend_page, monkeypatch
):
    opened = lend_page(aligned(table_1, (1,), (10, 11), elsewhere=(10,)))
    opened.page.annotation.select(1)
    model, view = opened.page.centre.candidate_model, opened.page.centre.candidates
    facts = opened.page.centre.sources.facts(s(10))
    assert facts.others
    assert facts.used_by
    drawn: list[str] = []
    real = source_delegate.draw_chip
    monkeypatch.setattr(
        source_delegate, "draw_chip",
        lambda painter, rect, text, **more: drawn.append(text) or real(painter, rect, text, **more),
    )  # fmt: skip
    painted_row(view, model.index_of(s(10)), 500, round(view.fontMetrics().height() * 1.6))
    assert "alt 2" in drawn


def test_that_a_whole_text_that_would_be_narrow_stands_below_its_digit(table_1, lend_page):
    opened = lend_page(with_long_texts(table_1, 12))
    centre = opened.page.centre
    index, font = centre.document_model.index_of(s(1)), centre.documents.font()
    line = centre.documents.fontMetrics().height()
    documents = centre.documents.itemDelegate()
    narrow = documents.columns(17 * line, font)
    assert narrow.text_width > 0.9 * 17 * line
    texts = WrappedText()
    height = texts.height(index.data(), font, narrow.text_width)
    assert documents.row_height(index, font, 17.0 * line) > height + line
    assert documents.columns(30 * line, font).text > narrow.text
    # A candidate that is cut has one line anyway.
    assert centre.candidates.itemDelegate().columns(17 * line, font).text > narrow.text


def test_that_members_whose_texts_would_be_narrow_stand_below_their_labels(long_texts):
    view = long_texts.page.alternatives.view
    delegate, font = view.itemDelegate(), view.font()
    line = view.fontMetrics().height()
    index = view.model().index(0, 0)  # the current one, so its texts are whole
    texts = WrappedText()
    for n_lines, is_below in ((9, True), (30, False)):
        width = float(line * n_lines)
        # Beside the texts: the number, the label, the cross.
        whole = sum(
            texts.height(one.text, font, width - 2.1 * line) for one in index.data(SUBJECT).members
        )
        beside = sum(
            texts.height(one.text, font, width - 5 * line) for one in index.data(SUBJECT).members
        )
        height = delegate.row_height(index, font, width)
        assert (whole <= height < beside) is is_below


def test_that_a_documents_title_goes_before_its_id_on_a_narrow_page(table_1, lend_page):
    about = {"title": "A whale on the beach", "source": "The Harbour Courier"}
    opened = lend_page(with_document(table_1, **about))
    view = opened.page.centre.documents
    index, line = view.model().index(0, 0), view.fontMetrics().height()
    written: list[str] = []

    class Painter(QPainter):
        def drawText(self, *given) -> None:
            written.append(given[-1])

    painted_row(view, index, 20 * line, 3 * line, painted_by=Painter)
    about, title = written
    assert about.startswith("…")
    assert about.endswith("1998-01-01")
    assert len(title) > 12


def test_that_a_formula_is_cut_where_it_would_take_the_room_of_the_alternatives(table_1, lend_page):
    opened = lend_page(aligned(table_1, *((n, n + 1) for n in range(1, 40, 2))))
    opened.page.annotation.select(1)
    pane = opened.page.alternatives
    for height, is_cut in ((500, True), (1600, False)):
        resize(opened.page, 1280, height)
        label = next(one for one in pane.findChildren(WholeLabel) if "∨" in one.text())
        assert label.height() <= pane.height() / 7
        assert label.heightForWidth(label.width()) <= label.height()
        assert label.text().endswith(" ∨ …") is is_cut
        assert len(label.toolTip()) >= len(label.text())


@pytest.mark.main
def test_that_rows_of_buttons_and_headings_are_never_cut_in_a_splitter(qtbot):
    splitter = qtbot.added(QSplitter(Qt.Orientation.Vertical))
    rows = ButtonRows([QPushButton(text) for text in ("Confirm", "No source", "Flag")])
    label = WholeLabel()
    label.setText("what other annotators did with this sentence, to be read only " * 3)
    for widget in (rows, label):
        splitter.addWidget(widget)
    width = rows.minimumSizeHint().width()
    splitter.resize(QSize(width, 10))
    splitter.show()
    settle()
    assert rows.height() >= rows.heightForWidth(width) > rows.sizeHint().height()
    assert outside(rows) == overlaps(rows) == []
    assert label.height() >= label.heightForWidth(width)
