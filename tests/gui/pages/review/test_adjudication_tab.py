"""Adjudication: deciding by key and mouse, and taking what all agree on."""

import csv
import io
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from threading import current_thread, main_thread

import pytest
from PySide6.QtCore import Qt
from tests import building
from tests.agreement_corpora import MERGED, TABLE_1, annotate, corpus, topic
from tests.gui.seeing import column
from tests.reporters import Heard

from awase.cli.corpora import open_corpus
from awase.core.agreement.adjudication import cases_of, union
from awase.core.records.abstract import AlignmentState, Alternative, GoldOrigin
from awase.core.reports.study_report import adjudication_csv
from awase.gui.kit.number_explanation import whys_on
from awase.gui.pages.review.adjudication_tab import NoteDialog, UnlockDialog
from awase.gui.pages.review.cases import Hand, columns_of
from awase.gui.pages.review.page import ReviewPage
from awase.storage.rows import reading

WHO = "lead"
DEMO = Path(str(files("awase.resources"))) / "demo"
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def shown(page_over, qtbot):
    def show(made):
        page = page_over(ReviewPage, corpus=made, who=WHO, size=(1000, 700))
        page.tabs.setCurrentWidget(page.adjudication)
        qtbot.waitUntil(lambda: bool(page.adjudication.queue.cases))
        page.adjudication.queue.setFocus()
        return page

    return show


def two(**options):
    return corpus(topic("T", {"A1": TABLE_1, "A2": MERGED}, **options))


@pytest.fixture
def deciding(shown):
    return shown(two())


@pytest.fixture
def tab(deciding):
    """Where two annotators differ about the first of three sentences."""
    return deciding.adjudication


@pytest.fixture
def press(tab, deciding, qtbot):
    """Presses a key in the list, and returns what the gold has then."""

    def key(key, modifiers=Qt.KeyboardModifier.NoModifier):
        qtbot.keyClick(tab.queue, key, modifiers)
        return gold(deciding)

    return key


def gold(page, n=1):
    (abstract,) = page.session.topic("T").abstracts
    return next((one for one in abstract.gold if one.n == n), None)


@pytest.mark.slow
def test_that_the_demonstration_is_decided_with_two_keys_a_disagreement(shown, qtbot):
    page = shown(open_corpus(str(DEMO / "en.json")).corpus)
    tab = page.adjudication
    n_cases = len(tab.queue.cases)
    assert n_cases == 24
    n_keys = 0
    while any(case.is_open for case in tab.queue.cases):
        # By turns: an annotator's whole, and all of them joined.
        if n_keys % 4:
            qtbot.keyClick(tab.queue, Qt.Key.Key_Plus)
        else:
            qtbot.keyClick(tab.queue, Qt.Key.Key_1, SHIFT)
        qtbot.keyClick(tab.queue, Qt.Key.Key_Return)
        n_keys += 2
        assert n_keys <= 2 * n_cases
    assert n_keys == 2 * n_cases
    stored = page.session.store.corpus()
    decided = [one for t in stored.topics for a in t.abstracts for one in a.gold]
    assert len(decided) == n_cases
    assert {one.decided_by for one in decided} == {"lead"}
    assert {one.entry.state for one in decided} == {AlignmentState.CONFIRMED}
    assert {one.origin for one in decided} == {GoldOrigin.TAKEN, GoldOrigin.UNION}


def test_that_the_strip_says_what_a_decision_does_and_numbers_what_they_are(shown, qtbot, services):
    page = shown(two(extracts={"lead": [1, 2]}))
    tab = page.adjudication
    assert f"distance {tab.queue.current().distance:.3f}" in tab.detail.toPlainText()
    qtbot.waitUntil(lambda: tab.effects.effects is not None)
    of_case, of_effects = whys_on(page, tab.detail)
    assert f"{tab.queue.current().distance:.6f}" in of_case.text
    assert "h: the fewest source sentences" in of_effects.text
    assert re.search(r"Coverage of lead .*\.\d{6}", of_effects.text)
    (case,) = tab.queue.cases
    assert (tab.effects.effects.n_sentences, tab.effects.effects.n_open) == (2, 1)
    assert "1 more still open" in tab.effects.told.text()
    qtbot.keyClick(tab.queue, Qt.Key.Key_1, SHIFT)
    qtbot.waitUntil(lambda: tab.effects.effects.n_open == 0)
    found = tab.effects.effects
    assert found.gold.h == found.by_annotator[columns_of(case)[0]].h
    told = tab.effects.told.text()
    assert told.startswith("h   ⇧1: 8 · Gold: 8 · ⇧2: 6   |   Coverage of lead   ⇧1: 0.222 · Gold")
    assert told.endswith("of 3 sentences")
    tab.effects.show_case(case, page.session.topic("T"), shows_names=True)
    tab.effects.show_case(None, None, shows_names=True)
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert tab.effects.told.text() == ""


def test_that_a_case_shows_all_that_was_done_and_names_once_they_are_asked_for(tab, press):
    (case,) = tab.queue.cases
    assert [column(tab.queue, at) for at in range(4)] == [
        ["T-a · 1"], [f"{5 / 9:.3f}"], [""], [case.text]
    ]  # fmt: skip
    press(Qt.Key.Key_1)
    press(Qt.Key.Key_B)
    tab.decisions.set_cause("oversight")
    tab.decisions.note("See s10.")
    press(Qt.Key.Key_J)
    source = "Source sentence number {0} says thing{0}."
    for heads, one, two in ((("⇧1", "⇧2"), "⇧1", "⇧2"), (("⇧1 A2", "⇧2 A1"), "A2", "A1")):
        shown = tab.detail.toPlainText().replace("\u00a0", " ")
        assert shown.split() == " ".join((
            f"T-a · 1 · distance 0.556 Thing1 was said. {heads[0]} Gold {heads[1]}",
            "s1 ∧ s10 ∧ s11 s1 s1 ∨ (s10 ∧ s11) incomplete · put together · rank B · oversight",
            f"✓ 1 s1 {two} · 2 s10 ∧ s11 {two} · 3 s1 ∧ s10 ∧ s11 {one}",
            f"⇧1 Gold ⇧2 ● ● ● s1 {source.format(1)} ▸ ● ○ ● s10 {source.format(10)}",
            f"● ○ ● s11 {source.format(11)} Gold: See s10.",
        )).split()  # fmt: skip
        press(Qt.Key.Key_Z)
    bold = re.findall(r'font-weight:\d+;">([^<]+)<', tab.detail.toHtml())
    assert bold == [case.text, "Gold", "s1", "1", "2", "3", source.format(10)]


def test_that_a_cause_and_a_note_stay_with_the_decision_of_a_sentence(tab, press, deciding):
    press(Qt.Key.Key_Plus)
    tab.decisions.rank(9)  # of fewer
    tab.decisions.set_cause("oversight")
    press(Qt.Key.Key_M)
    note = tab.findChild(NoteDialog)
    note.fields.set("text", "See the guidelines.")
    note.confirm()
    noted = gold(deciding)
    assert (noted.entry.note, noted.cause) == ("See the guidelines.", "oversight")
    press(Qt.Key.Key_M)
    assert tab.findChildren(NoteDialog)[-1].fields.text("text") == "See the guidelines."


def test_that_a_decision_is_put_together_by_hand(tab, press, deciding):
    first, second, *_ = tab.hand.refs
    assert press(Qt.Key.Key_Space).entry.alternatives == (Alternative((first,)),)
    press(Qt.Key.Key_J)
    made = press(Qt.Key.Key_Space)
    assert made.entry.alternatives == (Alternative((first, second)),)
    assert (made.origin, made.decided_by) == (GoldOrigin.EDITED, None)
    press(Qt.Key.Key_N)
    press(Qt.Key.Key_K)
    both = (Alternative((first, second)), Alternative((first,)))
    assert press(Qt.Key.Key_Space).entry.alternatives == both  # may still grow
    assert press(Qt.Key.Key_Return).entry.alternatives == (Alternative((first,)),)
    assert "contains" in tab.said.text()
    press(Qt.Key.Key_V)
    assert len(tab.hand.refs) == len([*deciding.session.topic("T").sentences()])


@pytest.mark.slow
def test_that_near_duplicates_join_the_gold(shown, qtbot):
    twice = "The old ferry left the harbour at noon."
    texts = [twice, "Rain fell on the hills.", twice]
    page = shown(corpus(topic("T", {"A1": [[(1,)]], "A2": [[(2,)]]}, texts=texts)))
    tab = page.adjudication
    qtbot.keyClick(tab.queue, Qt.Key.Key_D)
    assert gold(page) is None
    assert "No near-duplicate" in tab.said.text()
    qtbot.keyClick(tab.queue, Qt.Key.Key_Plus)
    qtbot.keyClick(tab.queue, Qt.Key.Key_D)
    assert gold(page).entry.alternatives == building.alternatives("1|2|3")


def test_that_a_confirmed_sentence_leads_to_the_next_open_one_until_nothing_is_left(shown, qtbot):
    page = shown(
        corpus(topic("T", {"A1": [[(1,)], [(1,)], [(1,)]], "A2": [[(2,)], [(2,)], [(2,)]]}))
    )
    tab = page.adjudication
    assert tab.queue.current().n == 1
    qtbot.keyClick(tab.queue, Qt.Key.Key_Return, SHIFT)
    assert tab.queue.current().n == 2
    qtbot.keyClick(tab.queue, Qt.Key.Key_Plus)
    qtbot.keyClick(tab.queue, Qt.Key.Key_Return)
    assert (tab.queue.current().n, tab.progress.text()) == (3, "1 of 3 disagreements decided")
    qtbot.keyClick(tab.queue, Qt.Key.Key_Return, SHIFT)
    assert tab.queue.current().n == 1
    for is_last in (False, True):
        qtbot.keyClick(tab.queue, Qt.Key.Key_Plus)
        qtbot.keyClick(tab.queue, Qt.Key.Key_Return)
        assert (tab.said.text() == "Every disagreement is decided.") is is_last


def test_that_a_locked_abstract_is_changed_only_after_it_is_unlocked(tab, press, deciding, qtbot):
    press(Qt.Key.Key_L)
    assert "Nothing is decided" in tab.said.text()
    press(Qt.Key.Key_Plus)
    before = press(Qt.Key.Key_L)
    qtbot.waitUntil(lambda: tab.queue.current() is not None and tab.queue.current().gold.locked)
    for key in (Qt.Key.Key_1, SHIFT), (Qt.Key.Key_Return,):
        tab.said.clear()
        assert press(*key) == before
        assert "locked" in tab.said.text()
    press(Qt.Key.Key_L)
    unlock = tab.findChild(UnlockDialog)
    assert not unlock.accept_button.isEnabled()
    unlock.fields.set("text", "a typing slip")
    assert unlock.accept_button.text() == "Unlock"
    unlock.confirm()
    assert not gold(deciding).locked
    assert deciding.session.last_step().edit.subject == "a typing slip"


@pytest.mark.slow
def test_that_a_decision_goes_into_a_table_and_a_change_behind_it_shows_as_outdated(
    tab, press, deciding, qtbot
):
    tab.decisions.set_cause("oversight")
    press(Qt.Key.Key_Plus)
    press(Qt.Key.Key_Return)
    (row,) = csv.DictReader(io.StringIO(adjudication_csv(tab.queue.cases)))
    assert (row["origin"], row["cause"], row["decided_by"]) == ("union", "oversight", "lead")
    assert row["alternatives"] == "d:1 | d:10 d:11"
    assert float(row["distance"]) == pytest.approx(5 / 9)
    assert "confirmed · union · decided by lead · oversight" in tab.detail.toPlainText()
    assert not tab.queue.current().is_open
    annotate(deciding.session, building.entry(1, "s5"))
    qtbot.waitUntil(lambda: tab.queue.current() is not None and tab.queue.current().is_outdated)
    assert "outdated" in tab.detail.toPlainText()
    assert gold(deciding).decided_by == "lead"


def test_that_another_sentence_begins_at_its_first_source_and_last_alternative():
    made = topic("T", {"A1": [[(1,)], [(1,)]], "A2": [[(2,)], [(2,)]]})
    first, second = (replace(one, gold=union(one).gold) for one in cases_of(made))
    hand = Hand()
    hand.hold(first, made)
    hand.begin_alternative(first)
    hand.move(1)
    assert (hand.alternative_of(first), hand.ref) == (2, hand.refs[1])
    hand.hold(second, made)
    assert (hand.alternative_of(second), hand.ref) == (1, hand.refs[0])
    entry = replace(first.gold.entry, alternatives=building.alternatives("3"))
    hand.hold(replace(first, gold=replace(first.gold, entry=entry, sources=())), made)
    assert hand.refs == building.refs(1, 2, 3)  # what the gold alone has, too


def test_that_columns_are_in_another_order_from_sentence_to_sentence_but_always_the_same():
    made = topic("T", {"A1": [[(1,)]] * 12, "A2": [[(2,)]] * 12})
    orders = [columns_of(case) for case in cases_of(made)]
    assert len(set(orders)) == 2
    assert orders == [columns_of(case) for case in cases_of(made)]


def test_that_the_worst_sentence_is_open_for_a_decision_with_one_key_from_the_page(shown, qtbot):
    page = shown(corpus(topic("T", {"A1": [[(1,)], *TABLE_1], "A2": [[(1,), (2,)], *MERGED]})))
    page.tabs.setCurrentWidget(page.agreement)
    results = page.agreement.results
    qtbot.waitUntil(lambda: results.current() is not None)
    results.sentences.setFocus()
    qtbot.keyClick(results.sentences, Qt.Key.Key_Return, SHIFT)
    assert page.tabs.currentWidget() is page.adjudication
    assert page.adjudication.queue.current().n == results.current().n == 2


@pytest.mark.slow
def test_that_it_says_why_there_is_nothing_to_decide_when_it_has_looked(page_over, qtbot):
    page = page_over(ReviewPage, corpus=corpus(topic("T", {"A1": TABLE_1, "A2": TABLE_1})), who=WHO)
    page.tabs.setCurrentWidget(page.adjudication)
    detail = page.adjudication.detail
    assert "Nothing to decide" not in detail.toPlainText()
    qtbot.waitUntil(lambda: "no two annotators differ" in detail.toPlainText())
    assert page.adjudication.effects.system.isVisibleTo(page) is False


_TOPICS = [f"T{n}" for n in range(5)]


class Stoppable:
    """Waits as the window does: what is done meanwhile is told, and may be stopped at once."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.stops = self.is_running = False

    def __call__(self, title, work):
        self.titles.append(title)
        self.is_running = True
        self.told = Heard(calls=0 if self.stops else None)
        try:
            return work(self.told)
        finally:
            self.is_running = False


@pytest.fixture
def waits() -> Stoppable:
    return Stoppable()


@pytest.fixture
def page(page_over, waits):
    made = corpus(*(topic(name, {"A1": TABLE_1, "A2": MERGED}) for name in _TOPICS))
    page = page_over(ReviewPage, corpus=made, who=WHO, waits=waits)
    page.tabs.setCurrentWidget(page.adjudication)
    return page


def looked_at(page, qtbot):
    tab = page.adjudication
    qtbot.waitUntil(lambda: bool(tab.queue.cases) and tab.take_all.isEnabled())
    return tab


def in_gold(page) -> list[int]:
    return [len(one.abstracts[0].gold) for one in page.session.store.corpus().topics]


def test_that_unanimous_ones_are_taken_in_a_job_that_can_be_stopped_and_is_undone_in_one(
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
    assert (tab.said.text().startswith("Accepted"), page.session.undo_stack.index()) == (False, 0)
    waits.stops = False
    qtbot.keyClick(tab.queue, Qt.Key.Key_T)
    assert waits.titles[-1] == "Writing: accept unanimous sentences (10) …"
    assert len(waits.told.steps) >= len(_TOPICS)
    assert in_gold(page) == [2] * 5
    gold = page.session.topic("T0").abstracts[0].gold
    assert [one.n for one in gold] == [2, 3]
    assert tab.said.text() == "Accepted 10 sentences."
    assert max(at_once, default=0) <= 1, "the window's own thread reads all topics"
    assert page.session.undo_stack.undoText() == "accept unanimous sentences (10)"
    page.session.undo_stack.undo()
    assert in_gold(page) == [0] * 5
    assert "Accepted" not in tab.said.text()
    assert looked_at(page, qtbot).take_all.text() == "Accept 10 unanimous"


@pytest.mark.slow
def test_that_what_is_still_looked_for_is_waited_for_and_taken_once(page, qtbot, waits):
    tab = looked_at(page, qtbot)
    waits.titles.clear()
    qtbot.keyClick(tab.queue, Qt.Key.Key_Plus)
    assert tab.take_all.text() == "Accept 10 unanimous"  # a decision leaves the number as it was
    tab.compute()
    tab.decisions.take_unanimous()
    assert waits.titles[0] == "Looking for what annotators agree on …"
    assert in_gold(page) == [3, 2, 2, 2, 2]
    before = page.session.undo_stack.index()
    qtbot.keyClick(tab.queue, Qt.Key.Key_T)
    assert tab.said.text() == "There is no sentence left on which all agree."
    assert page.session.undo_stack.index() == before
