"""Pages of print and their preview."""

from collections import Counter
from itertools import pairwise

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QTextDocument
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog
from PySide6.QtWidgets import QToolBar

from awase.gui.kit.look.theme import Theme
from awase.gui.kit.printing import give_icons, strips

WIDTH, HEIGHT = 300, 400
HEAD = "<thead><tr><th>System</th><th>Text</th></tr></thead>"


def laid_out(html: str) -> QTextDocument:
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setHtml(f"<body>{html}</body>")
    document.setTextWidth(WIDTH)
    return document


def table(rows: int, words: int) -> str:
    body = "".join(
        f"<tr><td>s{at}</td><td>{'word ' * (words + at % 4)}</td></tr>" for at in range(rows)
    )
    return f'<table border="1" cellpadding="3" width="100%">{HEAD}<tbody>{body}</tbody></table>'


def blocks_of(document: QTextDocument):
    layout, block = document.documentLayout(), document.begin()
    while block.isValid():
        if block.text():
            place = layout.blockBoundingRect(block)
            yield place.top(), place.bottom(), block.text()
        block = block.next()


@pytest.mark.parametrize("words", [1, 12, 40])
def test_that_no_row_is_on_two_pages_and_titles_are_above_each(qapp, words):
    document = laid_out(f"<h2>Scores</h2>{table(60, words)}<p>signatures</p>")
    pages = strips(document, HEIGHT)
    assert len(pages) > 2
    assert (pages[0].top, pages[-1].bottom) == (0, document.size().height())
    assert all(one.bottom == other.top for one, other in pairwise(pages))
    titles = next((top, bottom) for top, bottom, text in blocks_of(document) if text == "Text")
    for number, page in enumerate(pages):
        head = page.head[1] - page.head[0] if page.head else 0
        assert page.bottom - page.top + head <= HEIGHT
        first = next(text for top, _, text in blocks_of(document) if top >= page.top)
        assert (page.head is not None) is (number > 0 and first != "signatures")
        if page.head:
            assert page.head[0] <= titles[0] < titles[1] <= page.head[1]
    for top, bottom, text in blocks_of(document):
        assert any(page.top <= top and bottom <= page.bottom for page in pages), text


def test_that_titles_are_not_left_alone_at_the_foot_of_a_page(qapp):
    for lines in range(5, 40):
        document = laid_out(f"{'<p>line</p>' * lines}{table(3, 12)}")
        pages = strips(document, HEIGHT)
        top_of = {text: top for top, _, text in blocks_of(document)}
        page = next(page for page in pages if page.top <= top_of["Text"] < page.bottom)
        assert page.top <= top_of["s0"] < page.bottom


def test_that_a_row_higher_than_a_page_is_cut_between_its_lines(qapp):
    document = laid_out(table(1, 900))
    pages = strips(document, HEIGHT)
    assert len(pages) > 2
    block = document.lastBlock().previous()
    top = document.documentLayout().blockBoundingRect(block).top()
    rects = [block.layout().lineAt(at).rect() for at in range(block.layout().lineCount())]
    assert len(rects) > 50
    for page in pages:
        head = page.head[1] - page.head[0] if page.head else 0
        assert page.bottom - page.top + head <= HEIGHT
        cuts = [one for one in rects if top + one.top() < page.top < top + one.bottom()]
        assert not cuts
    assert len(strips(laid_out(""), HEIGHT)) == 1, "nothing is one empty page"


LARGE_PT = 30


def test_that_icons_are_higher_than_the_letters_differ_and_have_the_ink_of_texts(qtbot):
    dialog, theme = qtbot.added(QPrintPreviewDialog(QPrinter())), Theme.named("dark")
    font = dialog.font()
    font.setPointSize(LARGE_PT)
    dialog.setFont(font)
    letters = dialog.fontMetrics().ascent()
    give_icons(dialog, theme)
    icons = [
        a for bar in dialog.findChildren(QToolBar) for a in bar.actions() if not a.icon().isNull()
    ]
    assert len(icons) > 10
    for action in icons:
        bar = (
            action.parent() if isinstance(action.parent(), QToolBar) else dialog.findChild(QToolBar)
        )
        assert bar.iconSize().height() > letters
        assert action.icon().actualSize(bar.iconSize()).height() > letters, action.text()
    drawn = [action.icon().pixmap(QSize(48, 48)).toImage() for action in icons]
    assert not any(one == other for at, one in enumerate(drawn) for other in drawn[:at])
    for image in drawn:
        dots = (image.pixelColor(x, y) for x in range(48) for y in range(48))
        inks = Counter(dot.name() for dot in dots if dot.alpha() == 255)
        assert inks.most_common(1)[0][0] == theme.colours.text
