"""How texts, icons and controls fit and look, whichever way they are read."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPointF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QIcon,
    QImage,
    QPainter,
    QPixmap,
    QTextDocument,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QStyle,
    QStyleOptionViewItem,
    QTabBar,
    QTableView,
    QTextEdit,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)
from tests.gui.seeing import resize
from tests.in_part import in_part, in_turn

from awase.core.errors import Problem
from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.frame.commands import PAGES
from awase.gui.frame.welcome import IconButton
from awase.gui.kit.grid.grid import CellDelegate, GridView
from awase.gui.kit.i18n import below, beside, inline, is_right_to_left, set_language
from awase.gui.kit.look.fitting import (
    ButtonRows,
    ElidedButton,
    ElidedComboBox,
    ElidedLine,
    FoldedLabel,
    TextEditor,
)
from awase.gui.kit.look.flow import FlowLayout, scrolled_down, stacked, together
from awase.gui.kit.look.rows import WrappedText, clamped
from awase.gui.kit.look.stylesheet import PALETTES
from awase.gui.kit.look.theme import Theme, ThemeBox, icon
from awase.gui.kit.notices import ProgressBar
from awase.gui.kit.problems import ProblemsDialog


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["storm", "a", "harbour", "x"]), min_size=1, max_size=40), st.data()
)
def test_that_what_is_shown_fits_and_marks_the_same_words(words, data):
    text = " ".join(words)
    spans, at = [], 0
    for word in words:
        if word in ("storm", "harbour"):
            spans.append((at, at + len(word)))
        at += len(word) + 1
    size = data.draw(st.integers(12, 80))
    shown, moved = clamped(text, spans, size, lambda one: len(one) <= size)
    assert len(shown) <= size or shown == text
    for start, end in moved:
        assert shown[start:end]
        assert any(text[a:b].startswith(shown[start:end].rstrip("…")) for a, b in spans)
    if len(text) <= size:
        assert (shown, moved) == (text, tuple(spans))
    elif any(b - a + 2 + 12 <= size for a, b in spans):
        assert moved


def test_that_the_part_with_most_matches_is_shown():
    text = "storm " + "blah " * 30 + "the ferry sank in the harbour."
    spans = [(0, 5), (text.index("ferry"), text.index("ferry") + 5),
             (text.index("harbour"), text.index("harbour") + 7)]  # fmt: skip
    shown, moved = clamped(text, spans, 50, lambda one: len(one) <= 50)
    assert shown.startswith("…")
    assert [shown[a:b] for a, b in moved] == ["ferry", "harbour"]


LONG = "/home/anna/corpora of 1998/a village and its university/tsc3.awase"
WIDTH = 200
MODES = (Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle)


@pytest.fixture
def picture(qtbot, painted):
    windows = []

    def draw(line: QLineEdit, *, has_keyboard: bool = False) -> QImage:
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        layout = QVBoxLayout(window)
        line.setFixedWidth(WIDTH)
        other = QLineEdit()
        for one in (other, line):
            layout.addWidget(one)
        window.show()
        window.activateWindow()
        (line if has_keyboard else other).setFocus()
        QApplication.processEvents()
        return line.grab().toImage()

    return draw


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_that_it_looks_like_a_line_of_the_shortened_text(picture, mode):
    line = ElidedLine(LONG, mode)
    shown, metrics = picture(line), line.fontMetrics()
    texts = dict.fromkeys(metrics.elidedText(LONG, mode, px) for px in range(WIDTH // 2, WIDTH))
    (alike,) = [text for text in texts if picture(QLineEdit(text)) == shown]
    assert "…" in alike
    assert metrics.horizontalAdvance(alike) > WIDTH * 0.8


def test_that_all_of_it_is_there_to_who_writes_in_it(picture):
    written = ElidedLine(LONG)
    assert picture(written, has_keyboard=True) == picture(QLineEdit(LONG), has_keyboard=True)
    assert written.text() == LONG


GUESSED = Problem(
    what="The encoding of {n} files was guessed: {encoding}; {name} is one.",
    hint="If characters are wrong, import the files again and name their encoding.",
    fields={"n": 1, "encoding": "cp1252", "name": "latin.txt"},
    source="texts",
)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "points"), in_part([("ja", 9), ("en", 16)]))
def test_that_a_row_has_room_for_all_its_lines(qtbot, language, points):
    set_language(language)
    ThemeBox(Theme.named("light", points, language)).apply()
    dialog = qtbot.shown(ProblemsDialog("The files were imported. Please note:", [GUESSED]))
    table = dialog.table
    for width in range(400, 900, 5):
        dialog.resize(width, 400)
        QApplication.processEvents()
        table.resizeRowsToContents()
        for column in (1, 2):
            needed, room = drawn_and_room_px(table, table.model().index(0, column))
            assert needed <= room, (width, column)
    dialog.close()


def drawn_and_room_px(table: QTableView, index: QModelIndex) -> tuple[float, int]:
    """Returns how high the text is as Qt draws it, and how high its place is."""
    option, style = QStyleOptionViewItem(), table.style()
    table.initViewItemOption(option)
    table.itemDelegate().initStyleOption(option, index)
    option.rect = table.visualRect(index)
    place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, table)
    margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, table) + 1
    wrapping = QTextOption()
    wrapping.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout = QTextLayout(str(index.data()), option.font)
    layout.setTextOption(wrapping)
    layout.beginLayout()
    height = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(place.width() - 2 * margin)
        height += line.height()
    layout.endLayout()
    return height, place.height()


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
    acts = together(None, *buttons)
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


def test_that_buttons_stand_in_a_row_and_the_first_above_the_others_where_they_lack_room(qtbot):
    buttons = [QPushButton(text) for text in ("one", "another", "a third")]
    rows = qtbot.shown(ButtonRows(buttons), 900, 100)
    assert [one.y() for one in buttons] == [0, 0, 0]
    assert rows.heightForWidth(900) == buttons[0].height()
    assert buttons[-1].geometry().right() == rows.rect().right()
    resize(rows, rows.minimumSizeHint().width(), 100)
    first, *others = buttons
    assert first.width() == rows.width()
    assert [one.y() > first.geometry().bottom() for one in others] == [True, True]


def test_that_a_narrow_button_says_its_short_text_and_a_folded_label_one_line(qtbot, painted):
    pictures = []
    for text, short in (("Metrics: rouge-1, rouge-2", "Metrics"), ("Metrics", "")):
        button = ElidedButton()
        button.setText(text)
        button.set_short(short)
        pictures.append(qtbot.shown(button, 80, 30).grab().toImage())
    assert pictures[0] == pictures[1]
    label = FoldedLabel()
    label.setText("one\ntwo")
    heights = [label.minimumSizeHint().height()]
    label.fold(True)
    heights.append(label.minimumSizeHint().height())
    assert heights[0] > heights[1] == label.fontMetrics().height()


class Counted(QWidgetItem):
    n_measured = 0

    def sizeHint(self) -> QSize:
        Counted.n_measured += 1
        return super().sizeHint()


def test_that_lines_of_controls_are_measured_when_something_changed_and_only_then(qtbot):
    page, flow, button, other = QWidget(), FlowLayout(), QPushButton("one"), QPushButton("two")
    QVBoxLayout(page).addLayout(flow)
    flow.addChildWidget(button)
    flow.addItem(Counted(button))
    flow.addWidget(other)
    qtbot.shown(page, 900, 100)
    hint, between = other.sizeHint(), flow.spacing()
    width, line = 2 * hint.width() + between + button.sizeHint().width(), hint.height()
    assert flow.heightForWidth(width) == line
    n_measured = Counted.n_measured
    assert flow.heightForWidth(width) == line
    assert Counted.n_measured == n_measured
    for n_lines, change in (
        (2, lambda: button.setText("so many words that nothing has room beside them")),
        (1, other.hide),
        (2, other.show),
        (3, lambda: flow.setSpacing(3 * hint.width()) or flow.addWidget(QPushButton("two"))),
        (2, lambda: flow.removeWidget(other)),
    ):
        change()
        QApplication.processEvents()
        assert flow.heightForWidth(width) == n_lines * (line + flow.spacing()) - flow.spacing()


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


SIDE_PX = 64


def inks(drawn: QIcon, mode: QIcon.Mode) -> set[str]:
    image = drawn.pixmap(QSize(SIDE_PX, SIDE_PX), mode).toImage()
    dots = (image.pixelColor(x, y) for x in range(SIDE_PX) for y in range(SIDE_PX))
    return {dot.name() for dot in dots if dot.alpha() == 255}


@in_turn(("palette", "role"), product(PALETTES, ("text", "link")))
def test_that_an_icon_is_in_the_colours_of_its_role_and_palette(qapp, palette, role):
    theme = Theme.named(palette)
    drawn = icon("open", theme, role=role)
    assert inks(drawn, QIcon.Mode.Normal) == {getattr(theme.colours, role).lower()}
    assert inks(drawn, QIcon.Mode.Disabled) == {theme.colours.muted.lower()}


def test_that_what_is_done_to_an_icon_is_done_to_no_other(qapp):
    theme = Theme.named("light")
    icon("open", theme).addPixmap(QPixmap(SIDE_PX + 1, SIDE_PX + 1))
    assert max(size.width() for size in icon("open", theme).availableSizes()) == SIDE_PX


def test_that_icons_grow_with_the_letters(qtbot):
    sides = {}
    for points in (10, 16, 20):
        ThemeBox(Theme.named("light", points)).apply()
        widgets = (QPushButton(icon("open", Theme.named("light")), "Open"), QTabBar())
        for widget in widgets:
            qtbot.addWidget(widget)
            widget.ensurePolished()
            assert widget.iconSize().height() == widget.fontMetrics().height()
        sides[points] = widgets[0].iconSize().height()
    assert sides[10] < sides[16] < sides[20]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_that_an_icon_of_the_rail_fills_its_side_and_none_is_cut(qapp, page):
    drawn = icon(page.id, Theme.named("light")).pixmap(QSize(SIDE_PX, SIDE_PX)).toImage()
    inked = [
        (x, y)
        for x in range(SIDE_PX)
        for y in range(SIDE_PX)
        if drawn.pixelColor(x, y).alpha() > 60
    ]
    for side in zip(*inked, strict=True):
        assert min(side) > 0
        assert max(side) < SIDE_PX - 1
    assert max(max(side) - min(side) + 1 for side in zip(*inked, strict=True)) > 0.85 * SIDE_PX


@pytest.mark.parametrize("points", [10, 20])
def test_that_an_icon_keeps_off_the_text_behind_it(qtbot, points):
    ThemeBox(Theme.named("light", points)).apply()
    button = qtbot.added(IconButton(icon("open", Theme.named("light")), "l"))
    button.resize(button.sizeHint())
    image = button.grab().toImage()
    middle, across = image.height() // 2, range(4, image.width() - 4)
    ground = image.pixel(4, middle)
    inked = [x for x in across if image.pixel(x, middle) != ground]
    letter = inked[-1]
    end_of_icon = max(x for x in inked if x < letter - 5)
    assert letter - end_of_icon >= button.fontMetrics().height() * 0.3


LEAST = 0.07
"""Of a line of text; one pixel is less with letters of any size that people use."""


def _box() -> QComboBox:
    box = QComboBox()
    box.addItem("several words")
    return box


MAKERS = (lambda: QPushButton("several words"), _box, QSpinBox, QLineEdit, QPlainTextEdit)


def rim(picture: QImage, accent: str) -> int:
    """How many pixels at the top, in the middle, have the colour."""
    colours = [picture.pixelColor(picture.width() // 2, y) for y in range(picture.height())]
    return next(at for at, one in enumerate(colours) if one != QColor(accent))


@pytest.mark.parametrize("points", [10, 16, 20])
@pytest.mark.parametrize("palette", in_part(PALETTES))
def test_that_the_rim_is_seen_and_moves_nothing(qtbot, painted, palette, points):
    theme = Theme.named(palette, points)
    ThemeBox(theme).apply()
    window, other = QWidget(), QPushButton("other")
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    parts = [make() for make in MAKERS]
    for part in (other, *parts):
        layout.addWidget(part)
    window.show()
    window.activateWindow()
    for part in parts:
        other.setFocus()
        QApplication.processEvents()
        before, size = part.grab().toImage(), part.sizeHint()
        part.setFocus()
        QApplication.processEvents()
        after = part.grab().toImage()
        name = type(part).__name__
        assert rim(before, theme.colours.accent) == 0, name
        wide = rim(after, theme.colours.accent)
        assert wide >= max(2, part.fontMetrics().height() * LEAST), name
        assert part.sizeHint() == size, name
        if isinstance(part, (QPushButton, QComboBox)):  # in others a cursor blinks
            text = before.rect().adjusted(wide + 3, wide + 1, -before.width() // 4, -wide - 1)
            is_alike = after.copy(text) == before.copy(text)
            assert is_alike, name


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen there is no keyboard
@pytest.mark.parametrize("current", [0, 3])
@pytest.mark.parametrize("points", [10, 20])
def test_that_no_choice_is_behind_an_arrow(qtbot, points, current):
    ThemeBox(Theme.named("light", points)).apply()
    window, box = QWidget(), ElidedComboBox()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(box)
    box.addItems(["As the system", "Light", "Dark", "High contrast"])
    box.setCurrentIndex(current)
    window.show()
    window.activateWindow()
    box.setFocus()
    QApplication.processEvents()
    box.showPopup()
    QApplication.processEvents()
    view = box.view()
    assert view.verticalScrollBar().maximum() == 0
    rows = [view.visualRect(box.model().index(row, 0)) for row in range(4)]
    assert (rows[0].top(), rows[-1].bottom() + 1) == (0, view.viewport().height())
    box.hidePopup()


def test_that_a_box_shows_no_choices_without_any_and_has_room_for_them_in_another_language(qtbot):
    box = qtbot.shown(ElidedComboBox())
    box.showPopup()
    assert not box.view().isVisible()
    box.addItem("gold")
    short = box.sizeHint().width()
    box.setItemText(0, "each abstract's first alignment")
    needed = box.fontMetrics().horizontalAdvance("each abstract's first alignment")
    assert short < needed < box.sizeHint().width()


class _Paints(QObject):
    n = 0

    def eventFilter(self, _watched, event) -> bool:
        self.n += event.type() is QEvent.Type.Paint
        return False


def test_that_a_bar_is_drawn_with_the_window_and_not_each_time_that_it_is_told(qtbot):
    bar, paints = ProgressBar(), _Paints()
    qtbot.addWidget(bar)
    bar.installEventFilter(paints)
    bar.show_progress(0, 20)
    bar.show()
    qtbot.waitUntil(lambda: paints.n > 0)
    paints.n = 0
    for done in range(1, 10):
        bar.show_progress(done, 20)
    assert paints.n == 0
    qtbot.waitUntil(lambda: paints.n > 0)
    assert (bar.value(), bar.maximum()) == (9, 20)


HEBREW, ARABIC = "הספינה נמצאה באגם.", "عُثر على السفينة في البحيرة."
LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
SHEET_WIDTH = 600


@in_turn(
    ("text", "is_so"),
    [
        (HEBREW, True),
        (ARABIC, True),
        (f"12. “{HEBREW}”", True),
        (f"NATO, GPS-7 {ARABIC}", True),
        ("עברית: a sentence about a ship in the lake.", False),
        ("980722003:3", False),
        ("船は湖で見つかった。", False),
        ("", False),
    ],
)
def test_that_most_letters_with_a_direction_decide(text, is_so):
    assert is_right_to_left(text) is is_so


def ink_of(text: str, **how: bool) -> np.ndarray:
    """Returns which pixels a row of the Annotate page inks."""
    image = QImage(SHEET_WIDTH, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter, ink = QPainter(image), QColor("black")
    WrappedText().draw(painter, QPointF(0, 0), text, QFont(), SHEET_WIDTH, ink, **how)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(60, SHEET_WIDTH, 4)[..., 0] < 128


@in_turn("text", [HEBREW * 9, ARABIC * 9])
def test_that_what_one_line_cannot_hold_ends_in_dots_at_the_left(qapp, text):
    ink, height = ink_of(text, wraps=False), QFontMetrics(QFont()).height()
    assert np.flatnonzero(ink.any(axis=1))[-1] < height * 1.2
    at_left = np.flatnonzero(ink[:, :8].any(axis=1))  # dots, low in the line
    assert len(at_left)
    assert at_left[0] > height / 2


def test_that_a_row_begins_at_the_right_but_for_an_address_and_other_texts(qapp):
    for text in (HEBREW, ARABIC):
        columns = np.flatnonzero(ink_of(text).any(axis=0))
        assert columns[0] > SHEET_WIDTH / 2
        assert columns[-1] > SHEET_WIDTH - 20
    for text in ("s27 · 980722003:3", "The boat was found.", "船は湖で見つかった。"):
        columns = np.flatnonzero(ink_of(text).any(axis=0))
        assert columns[0] < 20
        assert columns[-1] < SHEET_WIDTH / 2


@in_turn(
    ("text", "side"),
    [(HEBREW, RIGHT), (ARABIC, RIGHT), (f"GPS-7 {ARABIC}", RIGHT), ("A boat.", LEFT)],
)
def test_that_a_text_below_or_beside_an_address_has_its_own_direction(qapp, text, side):
    document = QTextDocument()
    document.setHtml(f"<p>980722003:3 · s27{below(text, f'<b>{text}</b>', '')}")
    blocks = [document.findBlockByNumber(at) for at in range(document.blockCount())]
    assert blocks[0].textDirection() is LEFT
    assert blocks[0].text().startswith("980722003:3 · s27")
    assert blocks[-1].textDirection() is side
    assert document.toPlainText() == f"980722003:3 · s27\n{text}"
    document.setHtml(beside("s27 · 980722003:3", text))
    assert document.firstBlock().textDirection() is side
    shown = document.toPlainText()
    assert shown.replace("\u2068", "").replace("\u2069", "") == f"s27 · 980722003:3 {text}"
    assert shown.startswith("\u2068s27 · 980722003:3\u2069") is (side is RIGHT)


def test_that_it_stands_isolated_in_a_line_of_other_words():
    assert inline("a < b") == "a &lt; b"
    assert inline(HEBREW) == f"\u2067{HEBREW}\u2069"


@pytest.mark.parametrize(("text", "side"), [(HEBREW, RIGHT), ("s27 · 980722003:3", LEFT)])
def test_that_a_cell_begins_where_its_text_does(qtbot, text, side):
    view = qtbot.added(GridView())
    view.show_grid(grid_of((Column(title="Sentence"),), [(Cell(text=text, value=text),)]))
    delegate, option = view.itemDelegate(), QStyleOptionViewItem()
    assert isinstance(delegate, CellDelegate)
    delegate.initStyleOption(option, view.model().index(0, 0))
    assert option.direction is side


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        (f"{ARABIC} للمستكشفين: GPS-7 سجّل هزة بقوة 4.2 درجات.", ("GPS-7", "سجّل")),
        ("The whole of the paper " * 2 + f"quotes “{ARABIC}” twice.", ("عُثر", "السفينة")),
    ],
)
def test_that_what_is_cut_of_a_text_runs_as_the_whole(text, matches):
    spans = [(text.index(one), text.index(one) + len(one)) for one in matches]
    shown, moved = clamped(text, spans, 24, lambda one: len(one) <= 24)
    assert shown.lstrip("\u200e\u200f").startswith("…")
    assert is_right_to_left(shown) is is_right_to_left(text)
    assert [shown[a:b] for a, b in moved] == list(matches)[: len(moved)]
    assert moved


@pytest.mark.parametrize("text", [HEBREW, ARABIC, f"{ARABIC}\n1  {ARABIC}"])
def test_that_lines_that_are_written_begin_where_they_run_from(qtbot, text):
    editor = qtbot.shown(TextEditor(), SHEET_WIDTH, 200)
    for one, begins_at_right in ((text, True), ("The boat.", False), (text, True), ("", False)):
        editor.setPlainText(one)
        cursor = editor.textCursor()
        for block in (editor.document().firstBlock(), editor.document().lastBlock()):
            cursor.setPosition(block.position())
            x = editor.cursorRect(cursor).center().x()
            assert x > 0.9 * SHEET_WIDTH if begins_at_right else x < 20
