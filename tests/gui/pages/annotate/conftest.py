import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QTabBar
from pytestqt.qtbot import QtBot
from tests import building
from tests.gui.conftest import composed
from tests.gui.seeing import texts
from tests.stored import corpus_file

from awase.core.records.abstract import Alignment, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.storage.store import CorpusStore

WHO = "1"


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
    (document,) = made.documents
    return replace(made, documents=(replace(document, title="A document", date="1998-01-01"),))


def with_long_texts(topic: Topic, n_times: int) -> Topic:
    """Returns the topic with sentences that fill many lines."""
    (document,) = topic.documents
    more = " and so it went on and on" * n_times
    sentences = tuple(replace(one, text=one.text + more) for one in document.sentences)
    return replace(topic, documents=(replace(document, sentences=sentences),))


class OpenPage:
    def __init__(self, page: AnnotatePage, store: CorpusStore) -> None:
        self.page = page
        self.store = store
        self.n_keys = 0

    @property
    def session(self) -> CorpusSession:
        return self.page.annotation.session

    def press(self, *keys: Qt.Key | str, modifier: Qt.KeyboardModifier | None = None) -> None:
        for key in keys:
            self.n_keys += 1
            widget = QApplication.focusWidget() or self.page.centre.view
            QTest.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)

    def press_candidates(self, *numbers: int) -> None:
        for number in numbers:
            self.press(str(self.page.annotation.order.index(s(number)) + 1))

    def end(self) -> None:
        """Stops what goes on behind the page, and closes the store."""
        self.page.live_results.stop()
        self.store.close()

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


@pytest.fixture
def corpus_path(tmp_path: Path) -> Callable[..., Path]:
    def make(*topics: Topic) -> Path:
        return corpus_file(tmp_path / "corpus.awase", Corpus(name="c", topics=topics), who=WHO)

    return make


def opened(path: Path, services: Services, *, read_only: bool = False) -> OpenPage:
    store = CorpusStore.open(path, who=WHO, read_only=read_only)
    page = AnnotatePage(CorpusSession(store, who=WHO), services, None)
    page.annotation.open_first()
    page.resize(1280, 800)
    page.show()
    assert QTest.qWaitForWindowExposed(page)
    page.activateWindow()
    page.setFocus()
    return OpenPage(page, store)


@pytest.fixture
def open_page(qtbot: QtBot, services: Services) -> Iterator[Callable[..., OpenPage]]:
    pages: list[OpenPage] = []

    def open_it(path: Path, **options: bool) -> OpenPage:
        pages.append(opened(path, services, **options))
        qtbot.addWidget(pages[-1].page)
        return pages[-1]

    yield open_it
    for annotation in pages:
        annotation.end()


class LentPage:
    """One page for the tests of a module, each of which finds it as if it had just been opened."""

    def __init__(self, content: Corpus, folder: Path) -> None:
        self._content = content
        self._folder = folder
        self._lent: OpenPage | None = None
        self._resources = ExitStack()
        self._place: tuple[str, str, int, int] | None = None
        self._beginning: object = None

    def as_new(self) -> OpenPage:
        """Takes back what was done to the page; where that is not enough, opens another one."""
        if self._lent is None or not self._is_as_in_the_beginning(self._lent):
            self.end()
            folder = Path(tempfile.mkdtemp(dir=self._folder))
            path = corpus_file(folder / "corpus.awase", self._content, who=WHO)
            self._lent = opened(path, self._resources.enter_context(composed(folder)))
            self._lent.page.setUpdatesEnabled(False)
            self._place = self._lent.page.place()
            self._beginning = _state(self._lent)
        self._lent.n_keys = 0
        return self._lent

    def end(self) -> None:
        if self._lent is not None:
            self._lent.end()
            self._lent.page.close()
            self._lent.page.deleteLater()
            self._lent = None
        self._resources.close()

    def _is_as_in_the_beginning(self, lent: OpenPage) -> bool:
        session, page = lent.session, lent.page
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
        page.resize(1280, 800)
        page.activateWindow()
        assert QTest.qWaitForWindowActive(page)
        assert self._place is not None
        page.return_to(self._place)
        page.live_results.choose(next(iter(page.live_results.state.systems), ""))
        return _state(lent) == self._beginning


def _state(lent: OpenPage) -> object:
    page = lent.page
    page.suggestion.hide()  # it comes after a moment of quiet
    return (
        lent.store.corpus(), page.place(), page.annotation.alternative_idx,
        page.annotation.order, page.live_results.state, page.live_results.system,
        texts(page), QApplication.focusWidget(), page.centre.view, page.size(),
        page.isActiveWindow(), page.abstract.model.numbers, page.abstract.filter.current,
    )  # fmt: skip


Lend = Callable[[Corpus], OpenPage]


@pytest.fixture(scope="module")
def lend_page(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lend]:
    """Opens a page on a corpus, or gives the one that the module has, as if just opened.

    What the log and the clock tell goes on from test to test, and so does the file.
    """
    pages: dict[Corpus, LentPage] = {}

    def lend(content: Corpus) -> OpenPage:
        if content not in pages:
            pages[content] = LentPage(content, tmp_path_factory.mktemp("lent"))
        return pages[content].as_new()

    yield lend
    for page in pages.values():
        page.end()


@pytest.fixture
def annotation(lend_page: Lend, table_1: Topic) -> OpenPage:
    """The page on table 1, nothing annotated yet; it is the module's."""
    return lend_page(Corpus(name="c", topics=(table_1,)))


@pytest.fixture
def own_annotation(
    table_1: Topic, corpus_path: Callable[..., Path], open_page: Callable[..., OpenPage]
) -> OpenPage:
    """The same, of the test's own."""
    return open_page(corpus_path(table_1))
