"""The index of a large corpus is asked for, made when it lacks much, and may be stopped."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QWidget
from tests.building import topic

from awase.core.progress import Reporter
from awase.core.records.edits.addition import Addition
from awase.gui.dialogs.find.corpus_dialog import CorpusFindDialog
from awase.gui.session.session import CorpusSession
from awase.jobs.supplies import search_index
from awase.storage import reading_store as stored_corpora
from awase.storage.search.building import built
from awase.storage.search.topic_index import index_path
from awase.storage.store import CorpusStore

N_TOPICS = 6
_COUNT = "第{n}回の職業訓練。"


@pytest.fixture
def session(tmp_path, qapp, monkeypatch) -> Iterator[CorpusSession]:
    for limit in ("FEW_TOPICS", "MANY_TOPICS"):
        monkeypatch.setattr(stored_corpora, limit, 2)
    monkeypatch.setattr(search_index, "FEW_MISSING", 2)
    topics = tuple(topic(f"t{n}", docs=(_COUNT.format(n=n),)) for n in range(N_TOPICS))
    made = Addition(topics=topics)
    with CorpusStore.create(tmp_path / "c.awase", name="c", who="1", addition=made) as store:
        yield CorpusSession(store, who="1")


def _made_here(location: str, folder: Path, reporter: Reporter) -> None:
    """Does what another process would do."""
    for done, total in built(Path(location), index_path(folder, location)):
        reporter.advance(done, total)


@pytest.fixture
def opened(session, services, qtbot) -> Callable[[], CorpusFindDialog]:
    """Opens the dialog, which at once begins to look, beside the test."""
    parent = QWidget()
    qtbot.addWidget(parent)
    return lambda: CorpusFindDialog(session, services, parent)


def found(dialog: CorpusFindDialog, qtbot, words: str) -> list[str]:
    dialog.words.setText(words)
    qtbot.waitUntil(lambda: not dialog.model.is_searching)
    model = dialog.model
    return [model.index(row).data() for row in range(model.rowCount())]


def test_that_an_index_is_made_and_asked(opened, services, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(search_index, "catch_up", _made_here)
    dialog = opened()
    known: list[object] = []
    dialog.indexing.found.connect(known.append)
    qtbot.waitUntil(lambda: bool(known) and known[-1].n_missing == 0)
    assert [*services.searches.iterdir()]
    assert known[-1].candidates("第3回") == ("t3",)
    assert found(dialog, qtbot, "第3回") == [_COUNT.format(n=3)]
    known[-1].close()


def test_that_one_who_stops_it_finds_all_the_same(opened, services, qtbot, monkeypatch) -> None:
    def endless(location: str, folder: Path, reporter: Reporter) -> None:
        while not Event().wait(0.01):
            reporter.advance(0, 1)

    monkeypatch.setattr(search_index, "catch_up", endless)
    dialog = opened()
    strip = dialog.indexing.strip
    qtbot.waitUntil(lambda: not strip.cancel.isHidden())
    strip.cancel.click()
    qtbot.waitUntil(lambda: not strip.again.isHidden())
    dialog.indexing.begin()
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert not strip.again.isHidden(), "it was made again unasked"
    assert found(dialog, qtbot, "職業") == [_COUNT.format(n=n) for n in range(N_TOPICS)]
