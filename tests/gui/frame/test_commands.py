"""Commands of the window that take work, take imports back, or look for covers."""

import random
import re
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressDialog, QPushButton
from tests import building
from tests.benchmarks.cover_instances import crossing, steiner
from tests.building import abstract, corpus, topic
from tests.gui.conftest import small_topic
from tests.gui.seeing import says, texts
from tests.stored import corpus_file

from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus, Person
from awase.core.solvers.cover import CoverProblem
from awase.core.text import tokenisers
from awase.gui.app import forget_dictionary
from awase.gui.kit.problems import ProblemsDialog
from awase.storage.store import CorpusStore


@pytest.fixture
def project_window(window_over, tmp_path):
    made = corpus(*(topic(f"t{at}", abstracts=(abstract("a", texts=["one"]),)) for at in range(2)))
    made = replace(made, persons=(Person(id="A1"), Person(id="A2")))
    return window_over(corpus_file(tmp_path / "c.awase", made))


def test_that_the_key_gives_a_topic_and_shows_it_and_undo_gives_it_back(project_window):
    session = project_window.shown.session
    project_window.shown.show_page("project")
    session.set_who("A2")
    session.store.take_next(who="A1")  # behind the window's back
    project_window.menus.choose("menu:next-free")
    assert project_window.shown.page_id == "annotate"
    assert says(project_window, "Topic t1 is yours now.")
    assert [(one.topic, one.person) for one in session.frame.assignments] == [
        ("t0", "A1"),
        ("t1", "A2"),
    ]
    project_window.menus.choose("menu:next-free")
    assert says(project_window, "Topic t1 is already yours, and not begun.")
    session.undo_stack.undo()
    assert session.frame.assignments == session.store.corpus().assignments
    assert [one.person for one in session.frame.assignments] == ["A1"]


def test_that_who_is_not_of_the_project_is_told_and_gets_nothing(project_window):
    project_window.shown.session.set_who("X")
    project_window.menus.choose("menu:next-free")
    assert says(
        project_window, "“X” is not in this project."
    )  # one line, and nothing was to be stored
    assert not project_window.findChildren(ProblemsDialog)
    assert "saved" in texts(project_window.shown.annotate.strip)
    assert project_window.shown.session.frame.assignments == ()


N_TOPICS = 5


class Held:
    """A reporter that waits in the middle of the work until it is let go on."""

    def __init__(self, reporter, go_on):
        self._reporter, self._go_on = reporter, go_on

    def advance(self, done, total, what=""):
        self._reporter.advance(done, total, what)
        if done:
            while not self._go_on.wait(0.05):
                self._reporter.advance(done, total, what)


@pytest.fixture
def imported(window_over, make_corpus):
    """A window with a corpus into which topics were imported."""
    path = make_corpus(*(small_topic(f"t{n}") for n in range(N_TOPICS - 2)))
    with CorpusStore.open(path, who="1") as store:
        more = tuple(small_topic(f"n{n}") for n in range(2))
        store.add(Addition(topics=more), who="1", source="more.json")
    window = window_over(path)
    window.shown.session.set_who("1")
    return window


def hold(monkeypatch, name, go_on):
    original = getattr(CorpusStore, name)

    def held(store, *, who, reporter=None):
        return original(store, who=who, reporter=Held(reporter, go_on))

    monkeypatch.setattr(CorpusStore, name, held)


def when_shown(window, does):
    timer = QTimer(window)

    def look():
        dialog = window.findChild(QProgressDialog)
        if dialog is not None and dialog.isVisible() and 0 < dialog.value() < N_TOPICS:
            timer.stop()
            does(dialog)

    timer.timeout.connect(look)
    timer.start(5)


def topics(window):
    session = window.shown.session
    assert session.corpus() == session.store.corpus()
    return len(session.topic_ids())


@pytest.mark.slow
def test_that_undo_and_redo_of_an_import_say_how_far_they_are(imported, monkeypatch):
    window, seen = imported, []
    undo, redo = window.menus.actions["undo"], window.menus.actions["redo"]
    for name, choose in (("undo", undo), ("redo", redo)):
        go_on = threading.Event()
        hold(monkeypatch, name, go_on)
        when_shown(window, lambda dialog, go_on=go_on: (seen.append(dialog), go_on.set()))
        choose.trigger()
        seen.append(topics(window))
    assert seen[1::2] == [N_TOPICS - 2, N_TOPICS]
    assert window.shown.session.undo_stack.undoText() == "import more.json"


@pytest.mark.slow
def test_that_undo_of_an_import_that_is_stopped_changes_nothing(imported, monkeypatch, qtbot):
    window, go_on, said = imported, threading.Event(), []
    stack = window.shown.session.undo_stack
    hold(monkeypatch, "undo", go_on)

    def stop(dialog):
        said.append(dialog.labelText())
        dialog.findChild(QPushButton).click()

    when_shown(window, stop)
    assert topics(window) == N_TOPICS
    window.menus.actions["undo"].trigger()
    assert said == ["Undoing: import more.json …"]
    qtbot.waitUntil(lambda: stack.undoText() == "import more.json")
    assert topics(window) == N_TOPICS
    assert not stack.canRedo()
    monkeypatch.undo()
    window.menus.actions["undo"].trigger()
    assert topics(window) == N_TOPICS - 2


def test_that_the_dictionary_goes_once_no_word_is_asked_for(qtbot):
    assert tokenisers.japanese_tokens("雪が降る") == ("雪", "が", "降る")
    held = tokenisers.analyser
    owner = QObject()
    forget_dictionary(owner, 1)
    qtbot.waitUntil(lambda: tokenisers.analyser is not held)
    owner.deleteLater()
    assert tokenisers.japanese_tokens("雪が降る") == ("雪", "が", "降る")


H_OF_STEINER_243 = 198
PROBLEMS = {
    "Steiner 243": (steiner(243), H_OF_STEINER_243),
    "40 x 200 x 10": (crossing(random.Random(1), 40, 200, 10), None),
}


def topic_of(problem: CoverProblem):
    n_sources = 1 + max(item for need in problem.needs for one in need for item in one)
    rows = [
        "|".join("&".join(f"s{item + 1}" for item in sorted(one)) for one in need)
        for need in problem.needs
    ]
    return building.topic(
        "t",
        docs=tuple(f"sentence {n}." for n in range(n_sources)),
        abstracts=(building.abstract("t-short", rows, length="short"),),
        outputs=(building.extract("lead", 1, 2, length="short"),),
    )


def bounds(strip) -> tuple[int, int] | None:
    found = re.search(r"h = \[(\d+), (\d+)\]", " ".join(texts(strip)))
    return (int(found[1]), int(found[2])) if found else None


@pytest.mark.slow
@pytest.mark.parametrize("name", PROBLEMS)
def test_that_links_are_made_by_keys_while_h_is_sought_in_vain(window, qtbot, tmp_path, name):
    problem, h = PROBLEMS[name]
    content = Corpus(name="hard", topics=(topic_of(problem),))
    window.open_location(str(corpus_file(tmp_path / "hard.awase", content)))
    qtbot.waitUntil(lambda: window.workspace is not None)
    page, store = window.workspace.annotate, window.workspace.session.store
    strip = page.strip

    def stored() -> int:
        alignment = store.topic("t").abstracts[0].alignment_by("1")
        return sum(map(len, (one.members for one in alignment.of_sentence(1).alternatives)))

    def press(key: Qt.Key | str) -> None:
        QTest.keyClick(QApplication.focusWidget() or page.centre.view, key)

    page.setFocus()
    before = stored()
    qtbot.waitUntil(lambda: bounds(strip) is not None and says(strip, "computing …"))
    for key, n_more in (("9", 1), ("9", 0), ("8", 1), ("8", 0)):
        press(key)
        assert stored() == before + n_more  # on the disk before anything is found out about h
        assert bounds(strip) is not None
        assert not says(strip, "minimal cover")
    lower, upper = bounds(strip)
    assert lower < upper
    assert h is None or lower <= h <= upper
    # The other process is at work on it, and each page answers.
    qtbot.waitUntil(lambda: says(strip, "computing …"))
    window.menus.choose("menu:page:scores")
    window.menus.choose("menu:page:annotate")
    press(Qt.Key.Key_Right)
    assert page.annotation.n == 2
    assert bounds(strip) is not None
