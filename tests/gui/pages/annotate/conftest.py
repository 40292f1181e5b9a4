from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QListView, QTabBar
from tests import building
from tests.gui.lending import LentPage, Opened
from tests.gui.seeing import texts

from awase.core.records.abstract import Alignment, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.look.rows import WrappedText
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.main_screens import wait
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

WHO = "1"
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


class WordsPainter(QPainter):
    """Notes what is written: left, text and colour, in the order in which it is painted."""

    words: ClassVar[list[tuple[float, str, str]]] = []

    def drawText(self, *given: Any) -> None:
        at, text = given[0], given[-1]
        left = at.left() if isinstance(at, QRectF) else at.x()
        self.words.append((left, text, self.pen().color().name()))


@pytest.fixture
def painted_words(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[str, str]]]:
    """Returns what a list writes into a row, from left to right or `in_order`, and its colours."""

    def draw(
        _: WrappedText, painter: QPainter, at: QPointF, text: str, _font: QFont, _width: float,
        ink: QColor, *_more: Any, **_how: Any,
    ) -> None:  # fmt: skip
        WordsPainter.words.append((at.x(), text, ink.name()))

    monkeypatch.setattr(WrappedText, "draw", draw)

    def read(
        view: QListView, index: QModelIndex, width: int = 900, height: int = 90,
        font: QFont | None = None, *, in_order: bool = False,
    ) -> list[tuple[str, str]]:  # fmt: skip
        WordsPainter.words.clear()
        painted_row(view, index, width, height, font, WordsPainter)
        words = WordsPainter.words if in_order else sorted(WordsPainter.words)
        return [(text, colour) for _, text, colour in words]

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
