from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests import building
from tests.gui.conftest import unstyled
from tests.stored import corpus_file

from awase.core.records.alignment import Alignment, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.frame.commands import default_bindings
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

WHO = "1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform remarks on every window that has a smallest size."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


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


@pytest.fixture
def table_1() -> Topic:
    """The topic of table 1 before anybody annotated it, with the paper's two systems."""
    texts = [f"The {text}." for _, text, _ in TABLE_1.values()]
    made = building.topic(
        "0310",
        docs=[_source_text(n) for n in range(1, 62)],
        abstracts=(building.abstract("0310-short", length="short", texts=texts),),
        outputs=(
            building.extract("system 1", *SYSTEM_1),
            building.extract("system 2", *SYSTEM_2),
        ),
        title="Table 1",
    )
    (document,) = made.documents
    return replace(made, documents=(replace(document, title="A document", date="1998-01-01"),))


class OpenPage:
    """An open page in a window, and the store behind it."""

    def __init__(self, page: AnnotatePage, store: CorpusStore) -> None:
        self.page = page
        self.store = store
        self.n_keys = 0

    @property
    def session(self) -> CorpusSession:
        session = self.page.annotation.session
        assert session is not None
        return session

    def press(self, *keys: Qt.Key | str, modifier: Qt.KeyboardModifier | None = None) -> None:
        """Presses keys in whatever widget has the keyboard."""
        for key in keys:
            self.n_keys += 1
            widget = QApplication.focusWidget() or self.page.centre.view
            QTest.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)

    def press_candidates(self, *numbers: int) -> None:
        """Presses the digits that stand beside the source sentences."""
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
def themes(qapp: QApplication) -> ThemeBox:
    unstyled()
    return ThemeBox(Theme.named("light"))


@pytest.fixture
def corpus_path(tmp_path: Path) -> Callable[..., Path]:
    def make(*topics: Topic) -> Path:
        return corpus_file(tmp_path / "corpus.awase", Corpus(name="c", topics=topics), who=WHO)

    return make


@pytest.fixture
def open_page(qtbot: QtBot, themes: ThemeBox) -> Iterator[Callable[..., OpenPage]]:
    opened: list[OpenPage] = []

    def open_it(path: Path, *, read_only: bool = False, **options: object) -> OpenPage:
        store = CorpusStore.open(path, who=WHO, read_only=read_only)
        page = AnnotatePage(
            CorpusSession(store, who=WHO), themes, **{"keys": KeyMap(default_bindings()), **options}
        )
        qtbot.addWidget(page)
        page.resize(1280, 800)
        with qtbot.waitExposed(page):
            page.show()
        page.activateWindow()
        page.setFocus()
        opened.append(OpenPage(page, store))
        return opened[-1]

    yield open_it
    for annotation in opened:
        annotation.page.live_results.stop()
        annotation.store.close()


@pytest.fixture
def annotation(
    table_1: Topic, corpus_path: Callable[..., Path], open_page: Callable[..., OpenPage]
) -> OpenPage:
    """The page on table 1, nothing annotated yet."""
    return open_page(corpus_path(table_1))
