import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before any test module imports Qt

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.stored import corpus_file

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.gui.app import compose
from awase.gui.kit.texts.i18n import set_language
from awase.gui.session.services import Services


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Passes over the one warning that the offscreen platform itself gives."""
    for item in items:
        if "/gui/" in item.path.as_posix():
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


@pytest.fixture(autouse=True)
def _widgets_gone() -> Iterator[None]:
    """Deletes what was closed: no event loop does it here, and new styles reach every widget."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def unstyled() -> None:
    """Takes the style sheet away that an earlier test gave the application."""
    app = QApplication.instance()
    if isinstance(app, QApplication) and app.styleSheet():
        app.setStyleSheet("")


@pytest.fixture
def services(qtbot: QtBot, tmp_path: Path) -> Iterator[Services]:
    """What the program composes, in folders of its own and in English.

    Without its style sheet, which Qt applies anew to all that lies below a widget whenever that is
    put into another: half of the time that a window takes. Tests of looks set their theme.
    """
    services = compose(config=tmp_path / "config", data=tmp_path / "data", log=tmp_path / "log")
    file = services.settings
    file.change(replace(file.settings, language="en", palette="light"))
    set_language("en")
    unstyled()
    yield services
    services.jobs.stop_all()


def ref(n: int) -> SentenceRef:
    return SentenceRef("d", n)


def small_topic(topic_id: str = "t", *, state: AlignmentState = AlignmentState.CONFIRMED) -> Topic:
    """A topic of three source sentences in which {d:1} and {d:2, d:3} suffice, h = 2."""
    alignment = Alignment(
        annotator="1",
        sentences=(
            SentenceAlignment(n=1, state=state, alternatives=(Alternative((ref(1),)),)),
            SentenceAlignment(
                n=2,
                state=state,
                alternatives=(Alternative((ref(1), ref(2))), Alternative((ref(2), ref(3)))),
            ),
        ),
    )
    abstract = Abstract(
        id=f"{topic_id}-short",
        length="short",
        sentences=(
            AbstractSentence(n=1, text="One.", rank="A"),
            AbstractSentence(n=2, text="Two.", rank="B"),
        ),
        alignments=(alignment,),
    )
    return Topic(
        id=topic_id,
        title="Dogs",
        language="en",
        documents=(
            Document(
                id="d",
                sentences=tuple(
                    SourceSentence(n=n, text=text)
                    for n, text in ((1, "The dog ran."), (2, "The cat slept."), (3, "It rained."))
                ),
            ),
        ),
        abstracts=(abstract,),
        outputs=(
            Extract(system="lead", length="short", sentences=(ref(1), ref(2))),
            Extract(system="last", length="short", sentences=(ref(3), ref(2))),
        ),
    )


@pytest.fixture
def make_corpus(tmp_path: Path) -> Callable[..., Path]:
    """Writes a corpus file holding the topics given and returns its path."""

    def make(*topics: Topic, name: str = "small") -> Path:
        content = Corpus(name=name, topics=topics or (small_topic(),))
        return corpus_file(tmp_path / f"{name}.awase", content)

    return make
