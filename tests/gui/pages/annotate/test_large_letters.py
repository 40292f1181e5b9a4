from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QPainter,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSpinBox, QToolButton
from tests.gui.conftest import small_topic, unstyled
from tests.gui.looking import overlaps
from tests.gui.seeing import says

from awase.core.metrics.extracts.scorers import Tsc3Values
from awase.core.records.alignment import AlignmentState
from awase.gui.frame.main_window import MainWindow
from awase.gui.frame.rail import Rail
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Button, Choice, Field, Number, Row
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.rows.painting import metrics_of, smaller
from awase.gui.kit.rows.wrapped_text import WrappedText
from awase.gui.kit.texts.i18n import LANGUAGES, mark, set_language, tr
from awase.gui.kit.wrapping_widgets import ButtonRows, ElidedLabel
from awase.gui.main_screens import offstage, wait
from awase.gui.pages.annotate.bars.annotator_button import AnnotatorButton
from awase.gui.pages.annotate.bars.status_strip import Strip
from awase.gui.pages.annotate.rows.abstract_delegate import state_text
from awase.gui.pages.annotate.rows.roles import AbstractRole, SourceRole
from awase.gui.pages.annotate.rows.source_delegate import SourceDelegate
from awase.gui.pages.annotate.state.live_results import LiveState

LONG = (
    "Workers on a peat bog north of the port have come upon a boat of oak planks sewn together "
    "with yew, one of the rarest finds in the history of the country."
)


@pytest.fixture
def window(services, qtbot, make_corpus):
    long = "A Title that Goes on and on, as Titles of News Do when Nobody Stops Them in Time"
    window = MainWindow(services)
    qtbot.addWidget(window)
    (document,) = small_topic().documents
    sentences = tuple(replace(document.sentences[0], n=n, text=LONG) for n in range(1, 10))
    documents = (replace(document, sentences=sentences),)
    window.open_location(str(make_corpus(replace(small_topic(), title=long, documents=documents))))
    qtbot.waitUntil(lambda: window.workspace is not None)
    yield window
    file = services.settings
    file.change(replace(file.settings, point_size=10))
    window.close_corpus()


def test_that_the_annotate_page_fits_1280_by_800_in_letters_of_16_points(window, services):
    window.show()
    for language in LANGUAGES:
        file = services.settings
        file.change(replace(file.settings, language=language, point_size=16))
        QApplication.processEvents()
        page = window.workspace.annotate
        assert window.minimumSizeHint().width() <= 1280
        assert window.minimumSizeHint().height() <= 800
        rail = window.workspace.findChild(Rail)
        assert page.minimumSizeHint().width() + rail.minimumSizeHint().width() <= 1280
        window.resize(1280, 800)
        QApplication.processEvents()
        for button in page.findChildren(QPushButton):
            if button.isVisible():
                assert button.width() >= button.minimumSizeHint().width(), button.text()
                assert page.rect().contains(button.mapTo(page, button.rect().center()))
        window.resize(1366, 728)
        QApplication.processEvents()
        assert n_candidates_in_sight(page) >= 6


def test_that_no_widget_keeps_letters_that_nobody_chose(window, services):
    window.show()
    for page in ("scores", "inspect", "review", "project", "annotate"):
        window.workspace.show_page(page)
        QApplication.processEvents()
    file, before = services.settings, 10
    for size in (16, 10, 20):
        file.change(replace(file.settings, point_size=size))
        kept = [
            widget for widget in QApplication.allWidgets()
            if not widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)
            and widget.font().pointSize() == before
        ]  # fmt: skip
        assert not kept
        before = size


def test_that_nothing_covers_another_with_guidelines_and_others_on_a_low_screen(window, services):
    window.show()
    file = services.settings
    file.change(replace(file.settings, point_size=16))
    page = window.workspace.annotate
    page.annotation.toggle_others()
    page.toggle_guidelines()
    formula = next(one for one in page.alternatives.findChildren(QLabel) if one.wordWrap())
    formula.setText("(s14 ∧ s15) ∨ " * 8)
    window.resize(1366, 728)
    QApplication.processEvents()
    assert overlaps(window) == []


def test_that_a_candidate_without_marks_goes_on_to_the_edge(window):
    window.show()
    view = window.workspace.annotate.centre.candidates
    delegate, font = view.itemDelegate(), window.font()

    def end_of_text(row):
        """Returns where the ink of the row's first lines ends, chips of marks not counted."""
        index = view.model().index(row, 0)
        picture = QImage(600, 40, QImage.Format.Format_RGB32)
        picture.fill(QColor("white"))
        painter = QPainter(picture)
        delegate.paint_row(painter, QRectF(0, 0, 600, 40), index, font)
        painter.end()
        edge = (
            600 if not index.data(SourceRole.USED_BY) else round(delegate.columns(600, font).gutter)
        )
        dark = [
            x
            for x in range(edge)
            if any(picture.pixelColor(x, y).lightness() < 128 for y in range(40))
        ]
        return max(dark)

    QTest.keyClick(view, Qt.Key.Key_1)
    used = next(at for at in range(9) if view.model().index(at, 0).data(SourceRole.USED_BY))
    free = next(at for at in range(9) if not view.model().index(at, 0).data(SourceRole.USED_BY))
    assert end_of_text(used) < delegate.columns(600, font).gutter < end_of_text(free)


def test_that_the_rail_takes_of_its_icons_before_it_outgrows_a_low_screen(window):
    window.show()
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


def test_that_buttons_take_a_second_row_rather_than_overlap(qtbot):
    buttons = [QPushButton(text) for text in ("Confirm", "No source", "Flag")]
    rows = ButtonRows(buttons)
    qtbot.addWidget(rows)
    for width in (rows.sizeHint().width(), rows.minimumSizeHint().width()):
        rows.resize(width, rows.heightForWidth(width))
        rows.show()
        QApplication.processEvents()
        areas = [button.geometry() for button in buttons]
        assert all(rows.rect().contains(area) for area in areas)
        assert not any(a.intersects(b) for a in areas for b in areas if a is not b)
    assert rows.heightForWidth(rows.minimumSizeHint().width()) > rows.sizeHint().height()


def test_that_a_label_that_is_cut_says_all_in_its_tool_tip(qtbot):
    label = ElidedLabel("9 documents · 111 sentences")
    qtbot.addWidget(label)
    label.resize(40, 20)
    label.show()
    label.grab()
    assert label.toolTip() == "9 documents · 111 sentences"
    label.resize(600, 20)
    assert label.toolTip() == ""


def test_that_a_cut_label_that_is_not_painted_has_no_tool_tip_of_an_older_text(qtbot):
    label = ElidedLabel("9 documents · 111 sentences")
    qtbot.addWidget(label)
    label.setFixedSize(40, 20)
    label.setText("文書9、文111、そのうち確定したもの")
    assert label.toolTip() == "文書9、文111、そのうち確定したもの"
    label.setText("")
    assert label.toolTip() == ""


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


def test_that_the_strip_with_changes_and_news_fits_beside_the_rail(qtbot):
    ThemeBox(Theme.named("light", 16)).apply()
    for language in LANGUAGES:
        set_language(language)
        strip = Strip(Live(), AnnotatorButton(tuple))
        qtbot.addWidget(strip)
        strip.who.set_who("Yamamoto")
        strip.show_saved(tr("not saved"), look="danger")
        strip.show_news(("Anna", "Yamamoto"), "R")
        strip.show()
        assert says(strip, "(+0.444)")
        assert strip.minimumSizeHint().width() <= 1366 - 165
    unstyled()


def test_that_a_row_of_choices_goes_on_below_where_there_is_no_room(qtbot):
    parts = [
        Field("goal", mark("Level"), Choice([("a", "System means")])),
        Button("add", mark("Paste"), lambda: None),
        Field("most", mark("Sentences allowed"), Number(6, 1, 9), is_title_shown=False),
    ]
    panel = FormPanel((Row(parts, wraps=True),))
    qtbot.addWidget(panel)
    whole = panel.sizeHint()
    panel.resize(whole.width() // 2, panel.heightForWidth(whole.width() // 2))
    panel.show()
    QApplication.processEvents()
    controls = [panel["goal"], panel["add"], panel["most"]]
    areas = [one.rect().translated(one.mapTo(panel, QPoint())) for one in controls]
    assert panel.height() > whole.height()
    assert all(panel.rect().contains(area) for area in areas)
    assert not any(a.intersects(b) for a in areas for b in areas if a is not b)


def test_that_a_part_that_is_hidden_leaves_no_gap_in_a_row_that_wraps(qtbot):
    parts = [Button(name, mark("Paste"), lambda: None) for name in ("first", "second")]
    panel, one = FormPanel((Row(parts, wraps=True),)), FormPanel((Row(parts[1:], wraps=True),))
    for each in (panel, one):
        qtbot.addWidget(each)
    panel.show_part("first", False)
    QApplication.processEvents()
    assert panel.sizeHint().width() == one.sizeHint().width()


def test_that_numbers_begin_where_other_fields_begin_their_text(qtbot):
    ThemeBox(Theme.named("light", 16)).apply()
    panel = FormPanel((Field("n", mark("Sentences allowed"), Number(6, 1, 9)),))
    qtbot.addWidget(panel)
    box = panel.widget_as("n", QSpinBox)
    assert box.lineEdit().textMargins().left() >= box.fontMetrics().height() // 4


@pytest.mark.parametrize(
    ("n_letters", "expected"),
    [(60, "confirmed · 4 alts · note"), (20, "confirmed · 4 alts"), (15, "4 alts · note"),
     (7, "4 alts"), (3, "…")],
)  # fmt: skip
def test_that_of_a_sentences_state_whole_words_are_left_out(qtbot, n_letters, expected):
    model = QStandardItemModel(1, 1)
    item = QStandardItem()
    item.setData(AlignmentState.CONFIRMED, AbstractRole.STATE)
    item.setData(4, AbstractRole.N_ALTERNATIVES)
    item.setData(True, AbstractRole.HAS_NOTE)
    model.setItem(0, 0, item)
    metrics = QFontMetricsF(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    shown = state_text(model.index(0, 0), metrics.horizontalAdvance("m") * n_letters, metrics)
    assert shown == expected or (expected == "…" and shown.endswith("…"))


def test_that_no_candidate_is_written_over_where_its_sentence_stands(monkeypatch) -> None:
    rects, texts = [], []

    def paint_row(self, painter, rect, index, font, paint=SourceDelegate.paint_row) -> None:
        rects.append(rect)
        paint(self, painter, rect, index, font)

    def draw(self, painter, at, text, font, width, *more, draws=WrappedText.draw) -> None:
        if rects and rects[-1].top() < at.y() < rects[-1].bottom():
            about = metrics_of(smaller(font)).height() if rects[-1].height() > 50 else 0
            texts.append(
                (text, at.y() + self.height(text, font, width), rects[-1].bottom() - about)
            )
        draws(self, painter, at, text, font, width, *more)

    monkeypatch.setattr(SourceDelegate, "paint_row", paint_row)
    monkeypatch.setattr(WrappedText, "draw", draw)
    with offstage(10, QSize(1366, 768)) as stage:
        stage.look("en", "light")
        stage.window.open_demonstration("en")
        wait(lambda: stage.window.workspace is not None)
        wait(lambda: not stage.services.jobs.is_busy)
        texts.clear()
        stage.window.workspace.annotate.centre.candidates.viewport().grab()
    assert len(texts) > 9
    assert [one for one in texts if one[1] > one[2]] == []
