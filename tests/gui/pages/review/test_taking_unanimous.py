"""Taking everything on which all agree: one job, one step to undo, and never a stale number."""

from threading import current_thread, main_thread

import pytest
from PySide6.QtCore import Qt
from tests.agreement_corpora import MERGED, TABLE_1, corpus, topic
from tests.stored import corpus_file

from awase.core.errors import Cancelled
from awase.gui.pages.review.page import ReviewPage
from awase.gui.session.session import CorpusSession
from awase.storage.rows import reading
from awase.storage.store import CorpusStore

WHO = "lead"
_TOPICS = [f"T{n}" for n in range(5)]


class Stoppable:
    """Waits as the window does: what is done meanwhile is told, and may be stopped.

    Attributes:
        titles: Of what was waited for.
        told: Topics that were told since then.
        stops: Whether the user stops it at once.
    """

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.told: list[tuple[int, int]] = []
        self.stops = False
        self.is_running = False

    def __call__(self, title, work):
        self.titles.append(title)
        self.is_running = True
        try:
            return work(self)
        finally:
            self.is_running = False

    def advance(self, done: int, total: int, what: str = "") -> None:
        self.told.append((done, total))
        if self.stops:
            raise Cancelled


@pytest.fixture
def waits() -> Stoppable:
    return Stoppable()


@pytest.fixture
def page(services, qtbot, tmp_path, waits):
    made = corpus(*(topic(name, {"A1": TABLE_1, "A2": MERGED}) for name in _TOPICS))
    store = CorpusStore.open(corpus_file(tmp_path / "c.awase", made, who=WHO), who=WHO)
    page = qtbot.shown(ReviewPage(CorpusSession(store, who=WHO, waits=waits), services))
    page.tabs.setCurrentWidget(page.adjudication)
    yield page
    services.jobs.stop_all()
    store.close()


def looked_at(page, qtbot):
    tab = page.adjudication
    qtbot.waitUntil(lambda: bool(tab.queue.cases) and tab.take_all.isEnabled())
    return tab


def in_gold(page) -> list[int]:
    return [len(one.abstracts[0].gold) for one in page.session.store.corpus().topics]


def test_that_it_is_a_job_that_tells_each_topic_can_be_stopped_and_is_undone_in_one(
    page, qtbot, waits, monkeypatch
):
    tab = looked_at(page, qtbot)
    read, at_once = reading.topics_in_order, []

    def watched(connection, ids, **options):
        if current_thread() is main_thread() and not waits.is_running:
            at_once.append(len(ids))
        return read(connection, ids, **options)

    monkeypatch.setattr(reading, "topics_in_order", watched)
    waits.stops = True
    qtbot.keyClick(tab.queue, Qt.Key.Key_T)
    assert in_gold(page) == [0] * 5
    assert (tab.said.text().startswith("Took"), page.session.undo_stack.index()) == (False, 0)
    waits.stops = False
    waits.told.clear()
    qtbot.keyClick(tab.queue, Qt.Key.Key_T)
    assert waits.titles[-1] == "Writing: take unanimous sentences (10) …"
    assert len(waits.told) >= len(_TOPICS)
    assert in_gold(page) == [2] * 5
    assert tab.said.text() == "Took 10 sentences."
    assert max(at_once, default=0) <= 1, "the window's own thread reads all topics"
    assert page.session.undo_stack.undoText() == "take unanimous sentences (10)"
    page.session.undo_stack.undo()
    assert in_gold(page) == [0] * 5
    assert looked_at(page, qtbot).take_all.text() == "Take 10 unanimous"


@pytest.mark.slow
def test_that_what_is_still_looked_for_is_waited_for(page, qtbot, waits):
    tab = looked_at(page, qtbot)
    waits.titles.clear()
    tab.compute()
    tab.decisions.take_unanimous()
    assert waits.titles[0] == "Looking for what annotators agree on …"
    assert in_gold(page) == [2] * 5


@pytest.mark.slow
def test_that_it_says_why_nothing_is_taken(page, qtbot):
    tab = looked_at(page, qtbot)
    tab.decisions.take_unanimous()
    before = page.session.undo_stack.index()
    qtbot.keyClick(tab.queue, Qt.Key.Key_T)
    assert tab.said.text() == "There is no sentence left on which all agree."
    assert page.session.undo_stack.index() == before


@pytest.mark.slow
def test_that_a_decision_leaves_the_number_to_take_as_it_was(page, qtbot, waits):
    tab = looked_at(page, qtbot)
    waits.titles.clear()
    qtbot.keyClick(tab.queue, Qt.Key.Key_Plus)
    assert tab.take_all.text() == "Take 10 unanimous"
    qtbot.keyClick(tab.queue, Qt.Key.Key_T)
    assert waits.titles == ["Writing: take unanimous sentences (10) …"]
