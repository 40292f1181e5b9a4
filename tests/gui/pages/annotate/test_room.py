"""What panes, rows and parts do with the room that they have, in letters of any size."""

from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPushButton,
    QSpinBox,
    QSplitter,
    QToolButton,
    QToolTip,
)
from tests import building
from tests.gui.conftest import demonstration, small_topic
from tests.gui.looking import cut_texts, least_size, outside, overlaps
from tests.gui.pages.annotate.conftest import (
    painted_row,
    s,
    with_document,
    with_long_texts,
    with_work,
)
from tests.gui.seeing import label_with, resize, says
from tests.in_part import in_turn

from awase.core.metrics.extracts.scorers import Tsc3Values
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.frame.page_stack import Rail
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Button, ChoiceField, Field, Number, Row
from awase.gui.kit.i18n import LANGUAGES, mark, set_language, tr
from awase.gui.kit.look.fitting import ButtonRows, ElidedComboBox, ElidedLabel, ElidedLine
from awase.gui.kit.look.rows import WrappedText, metrics_of
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.notices import WholeLabel
from awase.gui.main_screens import settle, wait
from awase.gui.pages.annotate.live_results import LiveState
from awase.gui.pages.annotate.rows.abstract_rows import state_text
from awase.gui.pages.annotate.rows.sources import SUBJECT
from awase.gui.pages.annotate.status_strip import AnnotatorButton, Strip

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
    for height in (600, 900, 4000):
        resize(long_texts.page, 1280, height)
        seen.append(heights(long_texts))
    low, middle, high = seen
    assert len(set(low[1:])) == 1
    assert low[1] < 4 * line  # two members, a line each
    assert low[1] < middle[1] < high[1]
    assert middle[0] == high[0]  # the current one is whole
    long_texts.press("]")
    assert heights(long_texts) == high  # and so is each, where all of them have room
    resize(long_texts.page, 1280, 600)
    before, current, after = heights(long_texts)[:3]
    assert before == after == low[1] < high[1] <= current
    long_texts.press("[")
    view = long_texts.page.alternatives.view
    for height in (*range(800, 860, 7), 600, *range(900, 940, 7)):
        long_texts.page.resize(1280, height)
        settle()
        if height >= 800:  # with more lines they stay in sight together
            assert heights(long_texts)[1] > 3 * line
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
    table_1, lend_page, monkeypatch, painted_parts
):
    texts = WrappedText()

    def is_lower(font: QFont) -> bool:
        return texts.height("x", font, 2000.0) + 1 < texts.height(ARABIC, font, 2000.0)

    fonts = (QFont(family, 16) for family in QFontDatabase.families())
    font = next(filter(is_lower, fonts), None)
    if font is None:
        pytest.skip("every font here is as high as the one with Arabic letters")
    view = lend_page(with_document(table_1, lambda _: ARABIC * 9)).page.centre.candidates
    monkeypatch.setattr(view, "font", lambda: font)
    for n_lines in (3, 40):
        monkeypatch.setattr(view.itemDelegate(), "room", lambda n=n_lines: n * 16)
        parts = painted_parts(view, view.model().index(0, 0), 500, 200)
        assert any(ARABIC[:20] in part for part in parts)


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
    table_1, lend_page, painted_parts
):
    opened = lend_page(aligned(table_1, (1,), (10, 11), elsewhere=(10,)))
    opened.page.annotation.select(1)
    model, view = opened.page.centre.candidate_model, opened.page.centre.candidates
    low = round(view.fontMetrics().height() * 1.6)
    parts = painted_parts(view, model.index_of(s(10)), 500, low)
    assert next(one for one in parts if "text right" in one) == "text right alt 2 text small"


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


def test_that_a_documents_title_goes_before_its_id_on_a_narrow_page(
    table_1, lend_page, painted_parts
):
    about = {"title": "A whale on the beach", "source": "The Harbour Courier"}
    opened = lend_page(with_document(table_1, **about))
    view = opened.page.centre.documents
    index, line = view.model().index(0, 0), view.fontMetrics().height()
    *_, about, title = painted_parts(view, index, 20 * line, 3 * line)
    assert about.startswith("text left …")
    assert about.endswith("1998-01-01 muted small")
    assert title.startswith("text left A whale on")


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


LONG = (
    "Workers on a peat bog north of the port have come upon a boat of oak planks sewn together "
    "with yew, one of the rarest finds in the history of the country."
)


@pytest.fixture
def window(services, window_over, make_corpus):
    long = "A Title that Goes on and on, as Titles of News Do when Nobody Stops Them in Time"
    documents = (building.document("d", [LONG] * 9),)
    topic = replace(small_topic(), title=long, documents=documents)
    yield window_over(make_corpus(topic))
    file = services.settings
    file.change(replace(file.settings, point_size=10))


def test_that_the_annotate_page_fits_1280_by_800_in_letters_of_16_points(window, services):
    for language in LANGUAGES:
        file = services.settings
        file.change(replace(file.settings, language=language, point_size=16))
        QApplication.processEvents()
        page = window.workspace.annotate
        assert least_size(window).width() <= 1280
        assert least_size(window).height() <= 800
        window.resize(1280, 800)
        settle()  # a pane within a pane is asked for its least width in turns
        assert cut_texts(page) == outside(page) == []
        resize(window, 1366, 728)
        assert n_candidates_in_sight(page) >= 2  # whole
        page.centre.fold(True)
        QApplication.processEvents()
        assert n_candidates_in_sight(page) >= 6
        page.centre.fold(False)


def test_that_letters_too_large_for_the_screen_let_the_window_scroll_and_not_grow(
    window, services, qtbot
):
    window.resize(1024, 600)
    file = services.settings
    file.change(replace(file.settings, point_size=20))
    area, rail = window.centralWidget(), window.workspace.findChild(Rail)
    qtbot.waitUntil(lambda: area.horizontalScrollBar().maximum() > 0)
    assert window.size() == QSize(1024, 600)
    assert rail.height() >= rail.minimumSizeHint().height()
    for bar in (area.horizontalScrollBar(), area.verticalScrollBar()):
        bar.setValue(bar.maximum())
    who = window.workspace.annotate.strip.who  # in the corner that is farthest
    assert area.viewport().rect().contains(who.mapTo(area.viewport(), who.rect().center()))
    file.change(replace(file.settings, point_size=10))
    qtbot.waitUntil(lambda: area.horizontalScrollBar().maximum() == 0)
    buttons, sides = rail.findChildren(QToolButton), []
    for height in (rail.minimumSizeHint().height(), 1200):  # it takes of its icons first
        rail.resize(rail.width(), height)
        sides.append(buttons[0].iconSize().height())
        assert sum(one.sizeHint().height() for one in buttons) <= height
    assert sides[0] < sides[1]


def test_that_no_widget_keeps_letters_that_nobody_chose(window, services, qtbot):
    for page in ("scores", "inspect", "review", "project", "annotate"):
        window.workspace.show_page(page)
        QApplication.processEvents()
    file, before = services.settings, 10
    for size in (16, 10, 20):
        file.change(replace(file.settings, point_size=size))
        qtbot.waitUntil(lambda: QApplication.font().pointSize() == size)  # noqa: B023
        qtbot.waitUntil(lambda: not with_letters_of(before))  # noqa: B023
        before = size


def with_letters_of(points):
    """Returns the widgets with letters of this size that were not given them."""
    return [
        widget for widget in QApplication.allWidgets()
        if not widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
        and widget.font().pointSize() == points
    ]  # fmt: skip


def test_that_a_candidate_that_is_cut_goes_on_to_the_edge_where_it_has_no_marks(window):
    window.workspace.annotate.centre.fold(True)
    centre = window.workspace.annotate.centre
    view, sources = centre.candidates, centre.sources
    delegate, font = view.itemDelegate(), window.font()

    def end_of_text(row, width):
        """Returns where the ink of the row's first lines ends, chips of marks not counted."""
        index = view.model().index(row, 0)
        picture = painted_row(view, index, width, 40, font)
        has_marks = bool(sources.facts(index.data(SUBJECT)).used_by)
        edge = round(delegate.columns(width, font).gutter) if has_marks else width
        dark = [
            x
            for x in range(edge)
            if any(picture.pixelColor(x, y).lightness() < 128 for y in range(40))
        ]
        return max(dark)

    QTest.keyClick(view, Qt.Key.Key_1)
    uses = [sources.facts(view.model().index(at, 0).data(SUBJECT)).used_by for at in range(9)]
    used = next(at for at in range(9) if uses[at])
    free = next(at for at in range(9) if not uses[at])
    for width, is_cut in ((300, True), (1200, False)):
        gutter = delegate.columns(width, font).gutter
        assert end_of_text(used, width) < gutter
        assert (end_of_text(free, width) > gutter) is is_cut


def n_candidates_in_sight(page) -> int:
    view = page.centre.candidates
    model, area = view.model(), view.viewport().rect()
    places = (view.visualRect(model.index(row, 0)) for row in range(model.rowCount()))
    return sum(area.contains(place) for place in places)


@pytest.mark.main
def test_that_a_label_that_is_cut_says_all_in_its_tool_tip(qtbot):
    label = qtbot.shown(ElidedLabel("9 documents · 111 sentences"), 40, 20)
    label.grab()
    for text in ("9 documents · 111 sentences", "文書9、文111、そのうち確定したもの", ""):
        label.setText(text)  # and is not painted anew
        assert label.cut_text() == text
    label.setText("9 documents")
    label.resize(600, 20)
    assert label.cut_text() == ""


@pytest.mark.main
@in_turn(
    ("fitting", "shown"),
    [
        ("9 documents · 11…", "9 documents · …"),
        ("9 documents · 1…", "9 documents · …"),
        ("9 docu…", "9 docu…"),
        ("9…", ""),
        ("…", ""),
    ],
)
def test_that_a_label_ends_amid_no_number_and_says_no_letter_alone(qtbot, painted, fitting, shown):
    label, plain = ElidedLabel("9 documents · 111 sentences"), QLabel(shown)
    for one in (label, plain):
        qtbot.addWidget(one)
        one.resize(one.fontMetrics().horizontalAdvance(fitting) + 1, 20)
        one.setContentsMargins(0, 0, 0, 0)
        one.show()
    assert label.grab().toImage() == plain.grab().toImage()


@pytest.mark.main
@pytest.mark.parametrize("kind", [ElidedComboBox, ElidedLine])
def test_that_a_field_that_is_cut_says_all_in_its_tool_tip(qtbot, monkeypatch, kind):
    field, told, text = kind(), [], "h  –  the first h sentences"
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, _widget: told.append(text))
    qtbot.addWidget(field)
    field.addItem(text) if kind is ElidedComboBox else field.setText(text)
    field.show()
    for width, tip in ((60, "first"), (60, ""), (600, "")):
        field.setToolTip(tip)
        field.resize(width, field.height())
        at = field.rect().center()
        QApplication.sendEvent(field, QHelpEvent(QEvent.Type.ToolTip, at, field.mapToGlobal(at)))
    assert told == [f"{text}\nfirst", text]


class Live(QObject):
    """Results of an action after which every score is another one."""

    changed = Signal()
    system = "a system with a long name"
    state = LiveState(
        has_abstract=True,
        lower=12,
        upper=12,
        n_covers=128,
        systems=(system,),
        skipped=(1,),
        values=Tsc3Values(
            precision=Fraction(2, 3), coverage=Fraction(4, 9), weighted_coverage=Fraction(5, 9)
        ),
        before=Tsc3Values(
            precision=Fraction(1, 3), coverage=Fraction(1, 9), weighted_coverage=Fraction(1, 9)
        ),
    )


def large_strip(qtbot) -> Strip:
    ThemeBox(Theme.named("light", 16)).apply()
    strip = Strip(Live(), AnnotatorButton(tuple))
    strip.who.set_who("Yamamoto")
    return qtbot.shown(strip)


@pytest.mark.main
def test_that_the_strip_with_changes_and_news_fits_beside_the_rail(qtbot):
    for language in LANGUAGES:
        set_language(language)
        strip = large_strip(qtbot)
        strip.show_saved(tr("not saved"), look="danger")
        strip.show_news(("Anna", "Yamamoto"), "R")
        assert says(strip, "(+0.444)")
        assert strip.minimumSizeHint().width() <= 1366 - 165


@pytest.mark.main
def test_that_the_word_before_a_name_gives_way_to_what_the_strip_tells(qtbot):
    strip = large_strip(qtbot)
    covers = label_with(strip, "minimal covers")
    needed = covers.fontMetrics().horizontalAdvance(covers.text())
    strip.resize(3000, strip.height())
    resize(strip, strip.sizeHint())
    assert covers.width() >= needed
    assert strip.who.width() == strip.who.whole_width()
    resize(
        strip, strip.width() - strip.fontMetrics().horizontalAdvance("annotator"), strip.height()
    )
    assert covers.width() >= needed
    assert strip.who.width() == strip.who.sizeHint().width() < strip.who.whole_width()


@pytest.mark.main
def test_that_numbers_give_way_to_a_remark_that_has_no_room_beside_them(qtbot):
    strip = large_strip(qtbot)
    strip.who.setFocus()
    resize(strip, 1366 - 165, strip.sizeHint().height())
    height = strip.minimumSizeHint().height()
    remark = "Nothing to confirm yet: link a sentence, or mark “no source”."
    strip.show_message(remark)
    QApplication.processEvents()
    label = label_with(strip, "Nothing to confirm")
    assert label.width() >= label.fontMetrics().horizontalAdvance(remark)
    assert says(strip, "h = 12")
    assert not says(strip, "WC")
    assert strip.minimumSizeHint().height() == height
    strip.resize(3000, strip.height())
    assert says(strip, "WC")
    strip.resize(1366 - 165, strip.height())
    assert not says(strip, "WC")
    strip.show_message("")
    assert says(strip, "WC")
    strip.show_message(remark)
    QApplication.processEvents()
    strip.resize(600, strip.height())
    qtbot.waitUntil(lambda: label.cut_text() == remark)  # it ends with dots


@pytest.mark.main
def test_that_a_row_of_choices_goes_on_below_where_there_is_no_room(qtbot):
    parts = [
        Field("goal", mark("Level"), ChoiceField([("a", "System means")])),
        Button("add", mark("Paste"), lambda: None),
        Field("most", mark("Sentences allowed"), Number(6, 1, 9), is_title_shown=False),
    ]
    ThemeBox(Theme.named("light", 16)).apply()
    panel = qtbot.added(FormPanel((Row(*parts, wraps=True),)))
    box = panel.widget_as("most", QSpinBox)  # its number begins where other fields begin their text
    assert box.lineEdit().textMargins().left() >= box.fontMetrics().height() // 4
    whole = panel.sizeHint()
    panel.resize(whole.width() // 2, panel.heightForWidth(whole.width() // 2))
    panel.show()
    QApplication.processEvents()
    assert panel.height() > whole.height()
    assert outside(panel) == overlaps(panel) == []
    without = qtbot.added(FormPanel((Row(*parts[1:], wraps=True),)))
    panel.show_part("goal", False)  # which leaves no gap
    QApplication.processEvents()
    assert panel.sizeHint().width() == without.sizeHint().width()


@pytest.mark.main
@in_turn(
    ("room_for", "expected"),
    [("confirmed · 4 alts · note", "confirmed · 4 alts · note"),
     ("confirmed · 4 alts · no", "confirmed · 4 alts"), ("4 alts · note", "4 alts · note"),
     ("4 alts · no", "4 alts"), ("4 a", "…")],
)  # fmt: skip
def test_that_of_a_sentences_state_whole_words_are_left_out(qtbot, room_for, expected):
    four = tuple(Alternative(members=(SentenceRef("d", n),)) for n in range(1, 5))
    confirmed = AlignmentState.CONFIRMED
    entry = SentenceAlignment(n=1, state=confirmed, alternatives=four, note="?")
    metrics = QFontMetricsF(QFont())
    shown = state_text(entry, metrics.horizontalAdvance(room_for) + 1, metrics)
    assert shown == expected or (expected == "…" and shown.endswith("…"))


def test_that_the_sentences_around_one_keep_off_the_frame_around_them(window):
    pane = window.workspace.annotate.centre
    pane.peek()
    QApplication.processEvents()
    picture = pane.around.grab().toImage()
    free = window.fontMetrics().height() * 2 // 5
    columns = [*range(2, free), *range(picture.width() - free, picture.width() - 2)]
    shades = {
        picture.pixelColor(x, y).lightness()
        for x in columns
        for y in range(9, picture.height() - 9)
    }
    pane.end_peek()
    assert len(shades) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_where_a_candidate_stands_is_written_right_below_it(monkeypatch, language):
    ends: list[float] = []

    def draw(self, painter, at, text, font, width, *more, draws=WrappedText.draw, **how) -> None:
        ends.append(at.y() + self.height(text, font, width))
        draws(self, painter, at, text, font, width, *more, **how)

    class Painter(QPainter):
        def drawText(self, at, *given) -> None:
            if " · d:" not in given[-1] and " · " in given[-1]:
                ends.append(at.y() - self.fontMetrics().ascent())

    monkeypatch.setattr(WrappedText, "draw", draw)
    with demonstration(language, size=(1366, 768)) as stage:
        wait(lambda: not stage.services.jobs.is_busy)
        view = stage.window.workspace.annotate.centre.candidates
        for row in range(9):
            place = view.visualRect(view.model().index(row, 0))
            ends.clear()
            painted_row(
                view, view.model().index(row, 0), place.width(), place.height(), painted_by=Painter
            )
            text, about = ends
            assert 0 <= about - text < metrics_of(QFont()).height() / 2
