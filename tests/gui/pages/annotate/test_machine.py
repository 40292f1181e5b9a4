"""Whatever is pressed and clicked, what is stored is what a plain model says."""

import shutil
import tempfile
from contextlib import ExitStack
from copy import deepcopy
from itertools import product
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests import building
from tests.gui.conftest import composed
from tests.machines import run_machine
from tests.stored import corpus_file

from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.pages.annotate.rows.sources import SUBJECT
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

WHO = "1"
TOPICS = ("t1", "t2")
SOURCES = (
    "The whale stranded near Harbour Bridge.",
    "A night train entered the tunnel.",
    "Councillors voted against the tunnel.",
    "The whale stranded near Harbour Bridge.",
    "Volunteers buried whale bones.",
    "It rained.",
)
TWINS = {1: [4], 4: [1]}
ABSTRACTS = ("The whale stranded.", "A train entered the tunnel.", "Volunteers voted.")


class Model:
    """The corpus as dictionaries: what a patient clerk would have written down."""

    def __init__(self) -> None:
        empty = {"state": "todo", "alternatives": [], "note": None, "rank": None}
        self.now = {(topic, n): deepcopy(empty) for topic in TOPICS for n in (1, 2, 3)}
        self.before, self.after = [], []

    def change(self, place, **changes) -> None:
        wanted = {**self.now[place], **changes}
        if wanted != self.now[place]:
            self.before.append(deepcopy(self.now))
            self.after.clear()
            self.now[place] = wanted

    def undo(self) -> None:
        if self.before:
            self.after.append(self.now)
            self.now = self.before.pop()

    def redo(self) -> None:
        if self.after:
            self.before.append(self.now)
            self.now = self.after.pop()

    def set_alternatives(self, place, alternatives) -> None:
        flagged = self.now[place]["state"] == "flagged"
        state = "incomplete" if alternatives else "todo"
        self.change(place, alternatives=alternatives, state="flagged" if flagged else state)

    def toggle(self, place, at: int, source: int) -> None:
        sets = deepcopy(self.now[place]["alternatives"])
        if at >= len(sets):
            sets.append([source])
        elif source in sets[at]:
            sets[at].remove(source)
            sets = [members for members in sets if members]
        else:
            sets[at].append(source)
        self.set_alternatives(place, sets)

    def exchange(self, place, at: int, source: int) -> None:
        sets = deepcopy(self.now[place]["alternatives"])
        kept = sets[min(at, len(sets) - 1)][:-1] if sets else []
        made = [*kept, source]
        if source not in kept and set(made) not in map(set, sets):
            self.set_alternatives(place, [*sets, made])

    def remove(self, place, at: int) -> None:
        sets = self.now[place]["alternatives"]
        if at < len(sets):
            self.set_alternatives(place, sets[:at] + sets[at + 1 :])

    def add_twins(self, place, at: int) -> None:
        sets = deepcopy(self.now[place]["alternatives"])
        if at < len(sets):
            for variant in product(*([source, *TWINS.get(source, [])] for source in sets[at])):
                members = list(dict.fromkeys(variant))
                if set(members) not in map(set, sets):
                    sets.append(members)
            if sets != self.now[place]["alternatives"]:
                self.set_alternatives(place, sets)

    def no_source(self, place) -> None:
        is_marked = self.now[place]["state"] == "no_source"
        self.change(place, state="todo" if is_marked else "no_source", alternatives=[])

    def flag(self, place) -> None:
        entry = self.now[place]
        unflagged = "incomplete" if entry["alternatives"] else "todo"
        self.change(place, state=unflagged if entry["state"] == "flagged" else "flagged")

    def confirm(self, place) -> None:
        if self.now[place]["alternatives"] and self.now[place]["state"] != "flagged":
            self.change(place, state="confirmed")


def topic(topic_id: str) -> Topic:
    abstracts = [building.abstract("a", texts=ABSTRACTS)]
    return building.topic(topic_id, docs=SOURCES, abstracts=abstracts)


def stored(store: CorpusStore) -> dict:
    found = {}
    for topic_id in TOPICS:
        abstract = store.topic(topic_id).abstracts[0]
        alignment = abstract.alignment_by(WHO)
        entries = {entry.n: entry for entry in alignment.sentences} if alignment else {}
        for sentence in abstract.sentences:
            entry = entries.get(sentence.n)
            found[topic_id, sentence.n] = {
                "state": entry.state.value if entry else "todo",
                "alternatives": [
                    [ref.n for ref in alternative.members]
                    for alternative in (entry.alternatives if entry else ())
                ],
                "note": entry.note if entry else None,
                "rank": sentence.rank,
            }
    return found


class PageMachine(RuleBasedStateMachine):
    """Presses keys and clicks; reads from the screen only where the annotator stands."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._path = Path(self._folder.name, "corpus.awase")
        shutil.copy(self.template, self._path)
        self._resources = ExitStack()
        self._services = self._resources.enter_context(composed(Path(self._folder.name)))
        self.model = Model()
        self._open()

    def teardown(self) -> None:
        self._close()
        self._resources.close()
        self._folder.cleanup()

    def _open(self) -> None:
        self.store = CorpusStore.open(self._path, who=WHO)
        session = CorpusSession(self.store, who=WHO)
        self.page = AnnotatePage(session, self._services, None)
        self.page.annotation.open_first()
        session.setParent(self.page)
        self.page.resize(1100, 700)
        self.page.show()
        QApplication.processEvents()

    def _close(self) -> None:
        self.page.live_results.stop()
        self.page.close()
        self.page.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.store.close()

    # What is on the screen

    @property
    def place(self) -> tuple[str, int]:
        current = self.page.abstract.view.currentIndex()
        # A filter that keeps no sentence leaves no row, and the selected sentence selected.
        row = current.data(SUBJECT)
        n = row.sentence.n if row else self.page.annotation.n
        return self.page.header.topics.topic_id, n

    @property
    def at(self) -> int:
        if self.model.now[self.place]["state"] == "no_source":
            return 0
        return self.page.alternatives.view.currentIndex().row()

    def _press(self, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.page.centre.view, key, modifier)

    # What changes the alignment

    @rule(digit=st.integers(1, len(SOURCES)))
    def press_digit(self, digit: int) -> None:
        self.model.toggle(self.place, self.at, self._with_digit(digit))
        self._press(str(digit))

    @rule(digit=st.integers(1, len(SOURCES)))
    def press_digit_with_shift(self, digit: int) -> None:
        self.model.exchange(self.place, self.at, self._with_digit(digit))
        self._press(str(digit), Qt.KeyboardModifier.ShiftModifier)

    def _with_digit(self, digit: int) -> int:
        model = self.page.centre.candidate_model
        refs = (model.index(row).data(SUBJECT) for row in range(model.rowCount()))
        return {self.page.centre.sources.digit(ref): ref.n for ref in refs}[digit]

    @rule(source=st.integers(1, len(SOURCES)), begins_new=st.booleans())
    def click_source(self, source: int, begins_new: bool) -> None:
        view, ref = self.page.centre.view, SentenceRef("d", source)
        is_candidates = view is self.page.centre.candidates
        model = self.page.centre.candidate_model if is_candidates else view.model()
        index = model.index_of(ref)
        view.scrollTo(index)
        n_alternatives = len(self.model.now[self.place]["alternatives"])
        self.model.toggle(self.place, n_alternatives if begins_new else self.at, source)
        held = Qt.KeyboardModifier.ControlModifier if begins_new else Qt.KeyboardModifier.NoModifier
        at = view.visualRect(index).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, held, at)

    @rule(down=st.integers(0, 3))
    def toggle_row(self, down: int) -> None:
        for _ in range(down):
            self._press(Qt.Key.Key_J)
        source = self.page.centre.view.currentIndex().data(SUBJECT).n
        self.model.toggle(self.place, self.at, source)
        self._press(Qt.Key.Key_Space)

    @rule()
    def remove_alternative(self) -> None:
        self.model.remove(self.place, self.at)
        self._press(Qt.Key.Key_Delete)

    @rule()
    def add_duplicates(self) -> None:
        self.model.add_twins(self.place, self.at)
        self._press(Qt.Key.Key_D)

    @rule()
    def no_source(self) -> None:
        self.model.no_source(self.place)
        self._press(Qt.Key.Key_U)

    @rule()
    def flag(self) -> None:
        self.model.flag(self.place)
        self._press(Qt.Key.Key_F)

    @rule()
    def confirm(self) -> None:
        self.model.confirm(self.place)
        self._press(Qt.Key.Key_Return)

    @rule(rank=st.sampled_from("ABC0"))
    def rank(self, rank: str) -> None:
        self.model.change(self.place, rank=None if rank == "0" else rank)
        self._press(rank)

    @rule(text=st.sampled_from(("why", "  ", "see s1")))
    def note(self, text: str) -> None:
        self.model.change(self.place, note=text.strip() or None)
        field = self.page.alternatives.note
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    # What leaves it as it is

    @rule(key=st.sampled_from((*"NIGV[]", Qt.Key.Key_Left, Qt.Key.Key_Right)))
    def look_around(self, key: Qt.Key | str) -> None:
        self._press(key)

    @rule(key=st.sampled_from((Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)))
    def change_topic(self, key: Qt.Key) -> None:
        self._press(key, Qt.KeyboardModifier.ControlModifier)

    @rule(n=st.integers(0, 2))
    def select_sentence(self, n: int) -> None:
        view = self.page.abstract.view
        index = view.model().index(n, 0)
        if index.isValid() and view.isVisible():
            at = view.visualRect(index).center()
            QTest.mouseClick(
                view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at
            )

    @rule(times=st.integers(1, 4), is_undo=st.booleans())
    def undo_or_redo(self, times: int, is_undo: bool) -> None:
        for _ in range(times):
            (self.model.undo if is_undo else self.model.redo)()
            self._press("Z" if is_undo else "Y", Qt.KeyboardModifier.ControlModifier)

    @rule()
    def reopen(self) -> None:
        self._close()
        self._open()

    @invariant()
    def what_is_stored_is_what_the_model_says(self) -> None:
        assert stored(self.store) == self.model.now

    @invariant()
    def what_is_shown_is_what_is_stored(self) -> None:
        shown = self.page.annotation.entry
        members = [[ref.n for ref in found.members] for found in shown.alternatives]
        assert members == self.model.now[self.place]["alternatives"]
        assert shown.state.value == self.model.now[self.place]["state"]


@pytest.fixture
def template(tmp_path: Path, qapp: QApplication) -> Path:
    return corpus_file(
        tmp_path / "template.awase", Corpus(name="c", topics=tuple(map(topic, TOPICS))), who=WHO
    )


def test_that_whatever_is_pressed_the_model_is_stored(template):
    run_machine(PageMachine, template, max_examples=1, n_steps=15)


@pytest.mark.slow
def test_that_whatever_is_pressed_at_length_the_model_is_stored(template):
    run_machine(PageMachine, template, max_examples=60, n_steps=50)
