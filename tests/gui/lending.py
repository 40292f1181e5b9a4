"""Pages that the tests of a module share: each test finds its page as if just opened."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QSplitter,
    QWidget,
)
from tests.gui.conftest import composed
from tests.stored import corpus_file

from awase.core.records.corpus import Corpus
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.storage.store import CorpusStore

Kind = Callable[[CorpusSession, Services], Any]
Wait = Callable[..., None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A page in a window of its own, and what it was made of."""

    page: Any
    session: CorpusSession
    services: Services


class LentPage:
    """Opens a page again only where a test left another one than it found.

    An edit always leaves another one, unless `restore` `undoes` it; else what can be read, chosen
    and pressed decides, or the `state` that is told.
    """

    def __init__(
        self,
        kind: Kind,
        content: Corpus,
        folder: Path,
        *,
        ready: Callable[[Any], bool] = lambda _: True,
        restore: Callable[[Any], None] = lambda _: None,
        undoes: bool = False,
        state: Callable[[Opened], object] | None = None,
        size: tuple[int, int] = (1100, 700),
    ) -> None:
        self._kind, self._content, self._folder = kind, content, folder
        self._ready, self._restore, self._undoes = ready, restore, undoes
        self._state, self._size = state or _state, size
        self._lent: Opened | None = None
        self._beginning: object = None
        self._resources = ExitStack()
        self.n_opened = 0

    def as_new(self, wait: Wait) -> Opened:
        """Takes back what was done to the page; where that is not enough, opens another one."""
        if self._lent is None or not self._is_as_in_the_beginning(self._lent):
            self.end()
            self._lent = self._open(wait)
            self._restore(self._lent.page)
            self._beginning = self._state(self._lent)
        self._lent.page.activateWindow()  # another window of the test before may have been it
        return self._lent

    def end(self) -> None:
        if self._lent is not None:
            self._lent.page.close()
            self._lent.page.deleteLater()
            self._lent = None
        self._resources.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _open(self, wait: Wait) -> Opened:
        self.n_opened += 1
        folder = self._folder / str(self.n_opened)
        folder.mkdir()
        path = corpus_file(folder / "c.awase", self._content)
        store = self._resources.enter_context(CorpusStore.open(path, who="1"))
        services = self._resources.enter_context(composed(folder))
        session = CorpusSession(store, who="1")
        page: Any = self._kind(session, services, None)
        page.resize(*self._size)
        page.show()
        wait(lambda: self._ready(page) and not services.jobs.is_busy)
        assert not page.grab().isNull()  # each page paints itself once, and then for nobody
        page.setUpdatesEnabled(False)
        return Opened(page=page, session=session, services=services)

    def _is_as_in_the_beginning(self, lent: Opened) -> bool:
        stack = lent.session.undo_stack
        is_edited = stack.canUndo() or stack.canRedo()
        if (is_edited and not self._undoes) or lent.services.jobs.is_busy:
            return False
        for dialog in lent.page.findChildren(QDialog):
            dialog.close()
            dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._restore(lent.page)
        return not lent.services.jobs.is_busy and self._state(lent) == self._beginning


def _state(lent: Opened) -> object:
    QApplication.processEvents()
    store = lent.session.store
    widgets = lent.page.findChildren(QWidget)
    seen = [_seen(one) for one in widgets if one.isVisibleTo(lent.page)]
    settings, keys = lent.services.settings.settings, lent.services.keys.keys
    return store.corpus(), store.score_runs(), settings, keys, seen


_PROPERTIES = ("enabled", "text", "toolTip", "checked", "currentIndex", "plainText")


def _seen(widget: QWidget) -> tuple[object, ...]:
    """Returns what a person can read, choose and press here."""
    about = (type(widget), *map(widget.property, _PROPERTIES))
    match widget:
        case QComboBox():
            return (*about, *map(widget.itemText, range(widget.count())))
        case QSplitter():
            return (*about, *widget.sizes())
        case QAbstractItemView():
            return (*about, *_rows(widget))
    return about


def _rows(view: QAbstractItemView) -> Iterator[object]:
    model, current = view.model(), view.currentIndex()
    yield current.row(), current.column()
    if model is not None:
        for row in range(min(model.rowCount(), 50)):
            yield [model.index(row, column).data() for column in range(model.columnCount())]


Lend = Callable[..., LentPage]


@pytest.fixture(scope="module")
def lend(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lend]:
    """Lends pages to the tests of a module, and closes them in the end."""
    pages: list[LentPage] = []

    def lend_it(kind: Kind, content: Corpus, **options: Any) -> LentPage:
        pages.append(LentPage(kind, content, tmp_path_factory.mktemp("lent"), **options))
        return pages[-1]

    yield lend_it
    for page in pages:
        page.end()
