import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QStyleOptionViewItem
from tests.in_part import in_turn

from awase.core.reports.grid import Cell, Column, grid_of
from awase.gui.kit.grid.grid import CellDelegate, GridView
from awase.gui.kit.look.fitting import TextEditor
from awase.gui.kit.look.rows import WrappedText, clamped
from awase.gui.kit.texts import below, beside, inline, is_right_to_left

HEBREW, ARABIC = "הספינה נמצאה באגם.", "عُثر على السفينة في البحيرة."
LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
WIDTH = 600


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


def inked(text: str) -> tuple[int, int]:
    """Returns the first and the last column that a row of the Annotate page inks."""
    image = QImage(WIDTH, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    WrappedText().draw(painter, QPointF(0, 0), text, QFont(), WIDTH, QColor("black"))
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(60, WIDTH, 4)
    columns = np.flatnonzero((pixels[..., 0] < 128).any(axis=0))
    return int(columns[0]), int(columns[-1])


@pytest.mark.parametrize("text", [HEBREW * 9, ARABIC * 9])
def test_that_what_one_line_cannot_hold_ends_in_dots_at_the_left(qapp, text):
    image = QImage(WIDTH, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    WrappedText().draw_line(painter, QPointF(0, 0), text, QFont(), WIDTH, QColor("black"))
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(60, WIDTH, 4)[..., 0] < 128
    height = QFontMetrics(QFont()).height()
    inked = np.flatnonzero(pixels.any(axis=1))
    assert inked[-1] < height * 1.2
    at_left = np.flatnonzero(pixels[:, :8].any(axis=1))  # dots, low in the line
    assert len(at_left)
    assert at_left[0] > height / 2


@pytest.mark.parametrize("text", [HEBREW, ARABIC])
def test_that_a_row_of_it_begins_at_the_right(qapp, text):
    first, last = inked(text)
    assert first > WIDTH / 2
    assert last > WIDTH - 20


def test_that_an_address_and_other_texts_begin_at_the_left(qapp):
    for text in ("s27 · 980722003:3", "The boat was found.", "船は湖で見つかった。"):
        first, last = inked(text)
        assert first < 20
        assert last < WIDTH / 2


@pytest.mark.parametrize(("text", "side"), [(HEBREW, RIGHT), ("The boat.", LEFT)])
def test_that_a_text_below_an_address_has_its_own_direction(qapp, text, side):
    document = QTextDocument()
    document.setHtml(f"<p>980722003:3 · s27{below(text, f'<b>{text}</b>', '')}")
    blocks = [document.findBlockByNumber(at) for at in range(document.blockCount())]
    assert blocks[0].textDirection() is LEFT
    assert blocks[0].text().startswith("980722003:3 · s27")
    assert blocks[-1].textDirection() is side
    assert document.toPlainText() == f"980722003:3 · s27\n{text}"


def test_that_it_stands_isolated_in_a_line_of_other_words():
    assert inline("a < b") == "a &lt; b"
    assert inline(HEBREW) == f"\u2067{HEBREW}\u2069"


@pytest.mark.parametrize(("text", "side"), [(HEBREW, RIGHT), ("s27 · 980722003:3", LEFT)])
def test_that_a_cell_begins_where_its_text_does(qtbot, text, side):
    view = GridView()
    qtbot.addWidget(view)
    view.show_grid(grid_of((Column(title="Sentence"),), [(Cell(text=text, value=text),)]))
    delegate, option = view.itemDelegate(), QStyleOptionViewItem()
    assert isinstance(delegate, CellDelegate)
    delegate.initStyleOption(option, view.model().index(0, 0))
    assert option.direction is side


@pytest.mark.parametrize(
    ("text", "side"), [(ARABIC, RIGHT), (f"GPS-7 {ARABIC}", RIGHT), ("A boat.", LEFT)]
)
def test_that_a_text_beside_an_address_has_its_own_direction(qapp, text, side):
    document = QTextDocument()
    document.setHtml(beside("s27 · 980722003:3", text))
    assert document.firstBlock().textDirection() is side
    shown = document.toPlainText()
    assert shown.replace("\u2068", "").replace("\u2069", "") == f"s27 · 980722003:3 {text}"
    assert shown.startswith("\u2068s27 · 980722003:3\u2069") is (side is RIGHT)


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
    editor = qtbot.shown(TextEditor(), WIDTH, 200)
    for one, begins_at_right in ((text, True), ("The boat.", False), (text, True), ("", False)):
        editor.setPlainText(one)
        cursor = editor.textCursor()
        for block in (editor.document().firstBlock(), editor.document().lastBlock()):
            cursor.setPosition(block.position())
            x = editor.cursorRect(cursor).center().x()
            assert x > 0.9 * WIDTH if begins_at_right else x < 20
