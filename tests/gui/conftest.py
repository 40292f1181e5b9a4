import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before any test module imports Qt

import tests.gui.fonts  # noqa: F401, I001 (before Qt)
import gc
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QSize, QTimer
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from tests import building
from tests.goldens.conftest import golden as golden
from tests.stored import corpus_file

from awase.core.records.abstract import AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.app import compose
from awase.gui.frame.main_window import MainWindow
from awase.gui.kit.jobs import running
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.i18n import language, set_language
from awase.gui.main_screens import Stage, offstage, wait
from awase.gui.session.settings import Services
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Settings
from awase.storage.store import CorpusStore

_Shown = TypeVar("_Shown", bound=QWidget)
MOST_MS = 120_000
"""How long a test waits for what must come: no machine is so busy that it comes later."""


class _WindowsThreadOnly:
    """Fails what loads modules that make classes of Qt's on another thread than the window's."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if threading.current_thread() is not threading.main_thread():
            assert not name.startswith(("awase.gui", "PySide6")), f"{name} is loaded by a job"


sys.meta_path.insert(0, _WindowsThreadOnly())


running.gc = SimpleNamespace(**vars(gc) | {"freeze": lambda: None, "unfreeze": lambda: None})
"""A corpus that is closed would thaw the million objects of modules, and each collection take as
long as three tests; `tests/gui/session/test_garbage_collection.py` is about both."""


class Bot(QtBot):
    """Waits for events instead of for 10 ms, and shows windows that are not painted.

    Painting, for nobody to see, took a third of what tests of windows take. What paints itself is
    grabbed by a test of its own; `painted` lets Qt paint after every change.
    """

    is_painting = False

    def addWidget(self, widget: QWidget, **options: Any) -> None:
        super().addWidget(widget, **options)
        if not self.is_painting:
            widget.setUpdatesEnabled(False)

    def added(self, widget: _Shown) -> _Shown:
        """Returns the widget, which is closed when the test ends."""
        self.addWidget(widget)
        return widget

    def shown(self, widget: _Shown, *size_px: int) -> _Shown:
        """Returns the widget, which is shown until the test ends; width and height may be told."""
        self.addWidget(widget)
        if size_px:
            widget.resize(*size_px)
        widget.show()
        return widget

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = MOST_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = MOST_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals: Any, *, timeout: int = MOST_MS, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **options)

    def wait(self, ms: int) -> None:
        """Returns when something has happened, or after `ms`: `waitUntil` looks again at once."""
        latest = QTimer()
        latest.setSingleShot(True)
        latest.start(ms)
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> Bot:
    return Bot(request)


@pytest.fixture
def painted(qtbot: Bot) -> None:
    """For tests of what only painting does: widgets added from now on are painted."""
    qtbot.is_painting = True


@cache
def _begin_in_english() -> None:
    set_language("en")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Where another was chosen: exchanging translators takes a millisecond."""
    _begin_in_english()
    if language() != "en":
        set_language("en")
    yield
    if language() != "en":
        set_language("en")


@pytest.fixture(autouse=True)
def _widgets_gone() -> Iterator[None]:
    """Deletes what was closed: no event loop does it here, and new styles reach every widget."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    running.collect_if_due()


def unstyled() -> None:
    """Takes the style sheet away that an earlier test gave the application."""
    app = QApplication.instance()
    if isinstance(app, QApplication) and app.styleSheet():
        app.setStyleSheet("")


PLAIN = Settings(language="en", palette="light")


@cache
def _plain_look() -> tuple[QFont, QPalette]:
    """Gives the application the light look once, and returns font and colours."""
    ThemeBox(Theme.named(PLAIN.palette, PLAIN.point_size)).apply()
    unstyled()
    return QApplication.font(), QApplication.palette()


@pytest.fixture(autouse=True)
def _plain(qapp: QApplication) -> None:
    """Gives the application the usual look again, whatever a test of looks has left."""
    font, palette = _plain_look()
    unstyled()
    if QApplication.font() != font:
        QApplication.setFont(font)
    if QApplication.palette() != palette:
        QApplication.setPalette(palette)


@contextmanager
def composed(folder: Path) -> Iterator[Services]:
    """What the program composes, in folders of its own and in English.

    Without its style sheet, which Qt applies anew to all that lies below a widget whenever that is
    put into another: half of the time that a window takes. Tests of looks set their theme.
    """
    config = folder / "config"
    config.mkdir()
    (config / "settings.json").write_text(json.dumps(asdict(PLAIN)), "utf-8")
    is_plain = _plain_look() == (QApplication.font(), QApplication.palette())
    with pytest.MonkeyPatch.context() as patch:
        if is_plain:
            patch.setattr(ThemeBox, "apply", lambda _: None)
        services = compose(config=config, data=folder / "data", log=folder / "log")
    unstyled()
    yield services
    services.jobs.stop_all()


@pytest.fixture
def services(qtbot: QtBot, tmp_path: Path) -> Iterator[Services]:
    with composed(tmp_path) as services:
        yield services


@contextmanager
def demonstration(
    language: str = "en", points: int = 10, size: tuple[int, int] = (1280, 800)
) -> Iterator[Stage]:
    """The window of the program, off the screen, over the demonstration in this language."""
    with offstage(points, QSize(*size)) as stage:
        stage.look(language, "light")
        stage.window.open_demonstration(language)
        wait(lambda: stage.window.workspace is not None)
        yield stage


def ref(n: int) -> SentenceRef:
    return SentenceRef("d", n)


def small_topic(topic_id: str = "t", *, state: AlignmentState = AlignmentState.CONFIRMED) -> Topic:
    """A topic of three source sentences in which {d:1} and {d:2, d:3} suffice, h = 2."""
    made = building.abstract(
        f"{topic_id}-short", "1; 1&2|2&3", texts=("One.", "Two."), ranks="AB", length="short"
    )
    (aligned,) = made.alignments
    aligned = replace(aligned, sentences=tuple(replace(e, state=state) for e in aligned.sentences))
    return building.topic(
        topic_id,
        docs=("The dog ran.", "The cat slept.", "It rained."),
        abstracts=(replace(made, alignments=(aligned,)),),
        outputs=(
            building.extract("lead", 1, 2, length="short"),
            building.extract("last", 3, 2, length="short"),
        ),
        title="Dogs",
        language="en",
    )


@pytest.fixture
def make_corpus(tmp_path: Path) -> Callable[..., Path]:
    def make(*topics: Topic, name: str = "small", corpus: Corpus | None = None) -> Path:
        content = corpus or Corpus(name=name, topics=topics or (small_topic(),))
        return corpus_file(tmp_path / f"{content.name or name}.awase", content)

    return make


@pytest.fixture
def session_over(make_corpus: Callable[..., Path]) -> Iterator[Callable[..., CorpusSession]]:
    """Opens a corpus of the topics given in the name of `who`, and closes it after the test."""
    with ExitStack() as opened:

        def session(
            *topics: Topic, who: str = "1", corpus: Corpus | None = None, **more: Any
        ) -> CorpusSession:
            store = CorpusStore.open(make_corpus(*topics, corpus=corpus), who=who)
            return CorpusSession(opened.enter_context(store), who=who, **more)

        yield session


@pytest.fixture
def session(session_over: Callable[..., CorpusSession]) -> CorpusSession:
    """That over the small topic alone, where a module has no corpus of its own."""
    return session_over()


@pytest.fixture
def bare_window(qtbot: Bot, services: Services) -> Iterator[MainWindow]:
    window = MainWindow(services)
    qtbot.addWidget(window)
    window.show()
    yield window
    window.close_corpus()


@pytest.fixture
def window(bare_window: MainWindow) -> MainWindow:
    """The same, where a module does not look at one over a corpus of its own."""
    return bare_window


@pytest.fixture
def window_over(bare_window: MainWindow, qtbot: Bot) -> Callable[[Path], MainWindow]:
    """Opens a corpus in the program's window, and returns that once it is there."""

    def opened(path: Path) -> MainWindow:
        bare_window.open_location(str(path))
        qtbot.waitUntil(lambda: bare_window.workspace is not None)
        return bare_window

    return opened


@pytest.fixture
def open_window(
    window_over: Callable[[Path], MainWindow], make_corpus: Callable[..., Path]
) -> MainWindow:
    return window_over(make_corpus())


@pytest.fixture
def every_screen(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Shows one screen after the other: by language, palette, size of the letters and of all."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools")
    from awase.gui.main_screens import settle

    tool = pytest.importorskip("screens.every_screen", reason="only a checkout has it")

    def show(
        language: str, palette: str, points: int, size: tuple[int, int]
    ) -> Iterator[tuple[str, QWidget]]:
        with offstage(points, QSize(*size)) as stage:
            stage.look(language, palette)
            for title, widget in tool.every_screen(stage, language):
                if title != "print":  # Qt's own preview
                    settle()
                    yield title, widget

    return show
