from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSpinBox, QToolButton, QToolTip
from tests import building
from tests.gui.conftest import demonstration, small_topic
from tests.gui.looking import cut_texts, least_size, outside, overlaps
from tests.gui.pages.annotate.conftest import painted_row
from tests.gui.seeing import label_with, resize, says
from tests.in_part import in_turn

from awase.core.metrics.extracts.scorers import Tsc3Values
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.source import SentenceRef
from awase.gui.frame.page_stack import Rail
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Button, ChoiceField, Field, Number, Row
from awase.gui.kit.i18n import LANGUAGES, mark, set_language, tr
from awase.gui.kit.look.fitting import ElidedComboBox, ElidedLabel, ElidedLine
from awase.gui.kit.look.rows import Scale, WrappedText, metrics_of, smaller
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.main_screens import settle, wait
from awase.gui.pages.annotate.live_results import LiveState
from awase.gui.pages.annotate.rows.abstract_rows import state_text
from awase.gui.pages.annotate.rows.source_delegate import SourceDelegate
from awase.gui.pages.annotate.rows.sources import SUBJECT
from awase.gui.pages.annotate.status_strip import AnnotatorButton, Strip

pytestmark = pytest.mark.slow

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


def test_that_the_rail_takes_of_its_icons_before_it_outgrows_a_low_screen(window):
    rail = window.workspace.findChild(Rail)
    buttons, sides = rail.findChildren(QToolButton), []
    for height in (rail.minimumSizeHint().height(), 1200):
        rail.resize(rail.width(), height)
        sides.append(buttons[0].iconSize().height())
        assert sum(one.sizeHint().height() for one in buttons) <= height
    assert sides[0] < sides[1]


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
    panel = qtbot.added(FormPanel((Row(*parts, wraps=True),)))
    whole = panel.sizeHint()
    panel.resize(whole.width() // 2, panel.heightForWidth(whole.width() // 2))
    panel.show()
    QApplication.processEvents()
    assert panel.height() > whole.height()
    assert outside(panel) == overlaps(panel) == []


def test_that_a_part_that_is_hidden_leaves_no_gap_in_a_row_that_wraps(qtbot):
    parts = [Button(name, mark("Paste"), lambda: None) for name in ("first", "second")]
    panel, one = FormPanel((Row(*parts, wraps=True),)), FormPanel((Row(*parts[1:], wraps=True),))
    for each in (panel, one):
        qtbot.addWidget(each)
    panel.show_part("first", False)
    QApplication.processEvents()
    assert panel.sizeHint().width() == one.sizeHint().width()


@pytest.mark.main
def test_that_numbers_begin_where_other_fields_begin_their_text(qtbot):
    ThemeBox(Theme.named("light", 16)).apply()
    panel = qtbot.added(FormPanel((Field("n", mark("Sentences allowed"), Number(6, 1, 9)),)))
    box = panel.widget_as("n", QSpinBox)
    assert box.lineEdit().textMargins().left() >= box.fontMetrics().height() // 4


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_where_a_candidate_stands_is_written_right_below_it(monkeypatch, language):
    rects, texts = [], []

    def paint_row(self, painter, rect, index, font, paint=SourceDelegate.paint_row) -> None:
        rects.append(rect)
        paint(self, painter, rect, index, font)

    def draw(
        self, painter, at, text, font, width, *more, draws=WrappedText.draw, wraps=True
    ) -> None:
        if wraps and rects and rects[-1].top() < at.y() < rects[-1].bottom():
            about = metrics_of(smaller(font)).height()
            line = self.height("x", font, width)
            lines = round(self.height(text, font, width) / line)
            of_it = max(lines, 1.3) * line + 2 * Scale.of(font).pad
            about = about if rects[-1].height() > of_it + about / 2 else 0
            texts.append(
                (text, at.y() + self.height(text, font, width), rects[-1].bottom() - about)
            )
        draws(self, painter, at, text, font, width, *more, wraps=wraps)

    monkeypatch.setattr(SourceDelegate, "paint_row", paint_row)
    monkeypatch.setattr(WrappedText, "draw", draw)
    with demonstration(language, size=(1366, 768)) as stage:
        wait(lambda: not stage.services.jobs.is_busy)
        texts.clear()
        stage.window.workspace.annotate.centre.candidates.viewport().grab()
    assert len(texts) > 9
    assert [one for one in texts if one[1] > one[2]] == []
    free = [bottom - end for _, end, bottom in texts]
    assert max(free) - min(free) < metrics_of(QFont()).height() / 2


@pytest.mark.parametrize(("size", "are_whole"), [((1920, 1080), True), ((1200, 700), False)])
def test_that_alternatives_are_whole_where_all_of_them_have_room(monkeypatch, size, are_whole):
    cut = []

    def draw(self, painter, at, text, *more, draws=WrappedText.draw, wraps=True) -> None:
        cut.extend([text] if text.endswith("…") or not wraps else [])
        draws(self, painter, at, text, *more, wraps=wraps)

    monkeypatch.setattr(WrappedText, "draw", draw)
    with demonstration(size=size) as stage:
        settle()
        pane = stage.window.workspace.annotate.alternatives
        cut.clear()
        pane.view.viewport().grab()
        assert pane.model.rowCount() > 3
        assert (cut == []) is are_whole
        assert not are_whole or pane.view.verticalScrollBar().maximum() == 0
        stage.window.resize(1200, 700 if are_whole else 2000)
        settle()
        cut.clear()
        pane.view.viewport().grab()
        assert (cut == []) is not are_whole


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
