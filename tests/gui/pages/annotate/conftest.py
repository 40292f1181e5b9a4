from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partialmethod
from typing import Any, ClassVar

import pytest
from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QTabBar,
)
from tests import building
from tests.gui.lending import LentPage, Opened
from tests.gui.seeing import texts

from awase.core.records.abstract import Alignment, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.look.rows import Span, WrappedText
from awase.gui.kit.look.theme import DEFAULT_POINT_SIZE, Theme, ThemeBox
from awase.gui.main_screens import wait
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

WHO = "1"
State = QStyle.StateFlag
SIZE = (1280, 800)


# Hirao et al. (2004), table 1; what each abstract sentence is about, so that words lead to it.
TABLE_1 = {
    1: ("A", "whale bones beach", [[1], [10, 11]]),
    2: ("B", "harbour crane bridge", [[3, 5, 6]]),
    3: ("C", "night train tunnel", [[21, 23], [1, 30, 60]]),
}
SYSTEM_1 = (10, 11, 5, 17, 60, 61)
SYSTEM_2 = (1, 10, 11, 3, 5, 60)


def s(number: int) -> SentenceRef:
    return SentenceRef("d", number)


def _source_text(number: int) -> str:
    words = [f"filler{number}", f"padding{number % 7}"]
    for _, words_of_sentence, alternatives in TABLE_1.values():
        if any(number in members for members in alternatives):
            words.append(words_of_sentence)
    return " ".join(words) + "."


@pytest.fixture(scope="session")
def table_1() -> Topic:
    """The topic of table 1 before anybody annotated it, with the paper's two systems."""
    texts = [f"The {text}." for _, text, _ in TABLE_1.values()]
    made = building.topic(
        "0310",
        docs=[_source_text(n) for n in range(1, 62)],
        abstracts=(building.abstract("0310-short", length="short", texts=texts),),
        outputs=(building.extract("system 1", *SYSTEM_1), building.extract("system 2", *SYSTEM_2)),
        title="Table 1",
    )
    return with_document(made, title="A document", date="1998-01-01")


def with_document(
    topic: Topic, text: Callable[[str], str] = lambda text: text, **changes: str | None
) -> Topic:
    """Returns the topic with other texts in its document, or other words about it."""
    (document,) = topic.documents
    sentences = tuple(replace(one, text=text(one.text)) for one in document.sentences)
    return replace(topic, documents=(replace(document, sentences=sentences, **changes),))


def with_long_texts(topic: Topic, n_times: int) -> Topic:
    """Returns the topic with sentences that fill many lines."""
    return with_document(topic, lambda text: text + " and so it went on and on" * n_times)


def with_work(topic: Topic, *alignments: Alignment) -> Topic:
    """Returns the topic with these alignments of its abstract."""
    (abstract,) = topic.abstracts
    return replace(topic, abstracts=(replace(abstract, alignments=alignments),))


def painted_row(
    view: QListView, index: QModelIndex, width: int, height: int, font: QFont | None = None,
    painted_by: type[QPainter] = QPainter,
) -> QImage:  # fmt: skip
    """Returns a row as its list paints it, on white."""
    picture = QImage(width, height, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = painted_by(picture)
    rect = QRectF(0, 0, width, height)
    view.itemDelegate().paint_row(painter, rect, index, font or view.font())
    painter.end()
    return picture


class PartsPainter(QPainter):
    """Notes every part that is drawn, in its colours, which go by their names in a theme."""

    parts: ClassVar[list[str]] = []
    roles: ClassVar[dict[str, str]] = {}
    trough = 0.0  # height of a whole bar

    def note(self, what: str, at: QRectF | QPointF, *more: str) -> None:
        left, top = at.toTuple()[:2] if isinstance(at, QPointF) else at.getRect()[:2]
        third = ("left", "middle", "right")[int(3 * left / self.window().width())]
        is_low = top > self.window().height() / 3
        self.parts.append(" ".join(filter(None, (what, third, "below" * is_low, *more))))

    def role(self, colour: QColor) -> str:
        return self.roles.get(colour.name(), colour.name())

    def fillRect(self, rect: QRectF, colour: QColor) -> None:
        role, high = self.role(colour), rect.height()
        self.trough = high if role == "gutter" else self.trough
        share = f"{high / self.trough:.2f}" if self.trough and role != "text" else ""
        self.note("fill", rect, role, share or "low" * (high < rect.width() / 2))

    def drawText(self, *given: Any) -> None:
        font, ink = self.font(), self.role(self.pen().color())
        look = ink, "bold" * font.bold(), "small" * (font.pointSizeF() < DEFAULT_POINT_SIZE)
        self.note("text", given[0], given[-1], *look)

    def drawn(self, at: Any, *_: object, what: str) -> None:
        at = at[0] if isinstance(at, list) else at
        at = at.boundingRect() if isinstance(at, QPainterPath) else at
        line, face = self.pen(), self.brush()
        pen = f"{line.style().name} {self.role(line.color())}" if line.style().value else ""
        self.note(what, at, pen, f"on {self.role(face.color())}" if face.style().value else "")


for shape in ("RoundedRect", "Rect", "Polyline", "Line", "Ellipse", "Pie", "Path"):
    setattr(PartsPainter, f"draw{shape}", partialmethod(PartsPainter.drawn, what=shape))


@pytest.fixture
def painted_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Returns what a list paints of a row, in a theme where no two roles have one colour."""
    theme = Theme.named("dark")
    named = {getattr(theme.colours, field.name): field.name for field in fields(theme.colours)[:-3]}
    monkeypatch.setattr(PartsPainter, "roles", named)

    def draw(
        _: WrappedText, painter: PartsPainter, at: QPointF, text: str, font: QFont, _width: float,
        ink: QColor, spans: Sequence[Span] = (), mark: QColor | None = None, *, wraps: bool = True,
    ) -> None:  # fmt: skip
        marked = [painter.role(mark), *(text[start:end] for start, end in spans)] if spans else []
        painter.note("words", at, text, painter.role(ink), *marked, "" if wraps else "on one line")

    def read(
        view: QListView, index: QModelIndex, width: int = 900, height: int = 90, *more: State
    ) -> list[str]:
        PartsPainter.parts.clear()
        picture, option = QImage(width, height, QImage.Format.Format_RGB32), QStyleOptionViewItem()
        painter, option.rect = PartsPainter(picture), picture.rect()
        for state in more:
            option.state |= state
        with monkeypatch.context() as patch:
            patch.setattr(ThemeBox, "theme", theme)
            patch.setattr(WrappedText, "draw", draw)
            view.itemDelegate().paint(painter, option, index)
        painter.end()
        return [*PartsPainter.parts]

    return read


class OpenPage:
    def __init__(self, page: AnnotatePage) -> None:
        self.page, self.session = page, page.annotation.session
        self.store = self.session.store
        self.n_keys = 0

    def press(self, *keys: Qt.Key | str, modifier: Qt.KeyboardModifier | None = None) -> None:
        for key in keys:
            self.n_keys += 1
            widget = QApplication.focusWidget() or self.page.centre.view
            QTest.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)

    def press_candidates(self, *numbers: int) -> None:
        for number in numbers:
            self.press(str(self.page.annotation.order.index(s(number)) + 1))

    def stored_alignment(self) -> Alignment | None:
        return self.store.topic("0310").abstracts[0].alignment_by(WHO)

    def stored(self, n: int = 1) -> list[list[int]]:
        alignment = self.stored_alignment() or Alignment(annotator=WHO)
        return [
            [ref.n for ref in alternative.members]
            for alternative in alignment.of_sentence(n).alternatives
        ]

    def stored_state(self, n: int = 1) -> AlignmentState:
        alignment = self.stored_alignment()
        return alignment.of_sentence(n).state if alignment else AlignmentState.TODO

    def stored_ranks(self) -> list[str | None]:
        return [sentence.rank for sentence in self.store.topic("0310").abstracts[0].sentences]


@pytest.fixture
def themes(services: Services) -> ThemeBox:
    return services.themes


def annotate_page(session: CorpusSession, services: Services, parent: None) -> AnnotatePage:
    page = AnnotatePage(session, services, parent)
    page.annotation.open_first()
    return page


def with_keyboard(page: AnnotatePage) -> OpenPage:
    page.activateWindow()
    assert QTest.qWaitForWindowActive(page)
    page.setFocus()
    return OpenPage(page)


@pytest.fixture
def open_page(page_over: Callable[..., AnnotatePage]) -> Callable[..., OpenPage]:
    """Opens a page of the test's own, over these topics."""
    return lambda *topics, **corpus: with_keyboard(
        page_over(annotate_page, *topics, size=SIZE, **corpus)
    )


Place = tuple[str, str, int, int]
Lend = Callable[..., OpenPage]


@pytest.fixture(scope="module")
def lend_page(lend: Callable[..., LentPage]) -> Lend:
    """Opens a page on a corpus of topics, or gives the one that the module has, as if just opened.

    What the log and the clock tell goes on from test to test, and so does the file.
    """
    pages: dict[Corpus, LentPage] = {}
    begun: dict[AnnotatePage, Place] = {}

    def restore(page: AnnotatePage) -> None:
        _as_at_first(page, begun.setdefault(page, page.place()))

    def lend_it(*topics: Topic, **about: Any) -> OpenPage:
        content = Corpus(name="c", topics=topics, **about)
        if content not in pages:
            pages[content] = lend(
                annotate_page, content, size=SIZE, restore=restore, state=_state, undoes=True
            )
        return OpenPage(pages[content].as_new(wait).page)

    return lend_it


def _as_at_first(page: AnnotatePage, place: Place) -> None:
    session = page.annotation.session
    if session.who != WHO:
        session.set_who(WHO)
    while session.undo_stack.canUndo():
        session.undo_stack.undo()
    if page.annotation.shows_others:
        page.annotation.toggle_others()
    page.centre.fold(False)
    page.topic_find.hide()
    page.guidelines.hide()
    page.abstract.filter.findChild(QComboBox).setCurrentIndex(0)
    page.centre.findChild(QTabBar).setCurrentIndex(0)
    page.resize(*SIZE)
    with_keyboard(page)
    page.return_to(place)
    page.live_results.choose(next(iter(page.live_results.state.systems), ""))


def _state(lent: Opened) -> object:
    page = lent.page
    page.suggestion.hide()  # it comes after a moment of quiet
    return (
        lent.session.store.corpus(), page.place(), page.annotation.alternative_idx,
        page.annotation.order, page.live_results.state, page.live_results.system,
        texts(page), QApplication.focusWidget(), page.centre.view, page.size(),
        page.isActiveWindow(), page.abstract.model.numbers, page.abstract.filter.current,
    )  # fmt: skip


@pytest.fixture
def annotation(lend_page: Lend, table_1: Topic) -> OpenPage:
    """The page on table 1, nothing annotated yet; it is the module's."""
    return lend_page(table_1)


@pytest.fixture
def own_annotation(table_1: Topic, open_page: Callable[..., OpenPage]) -> OpenPage:
    """The same, of the test's own."""
    return open_page(table_1)
