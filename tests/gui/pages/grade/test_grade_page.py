from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.building import alignment, topic
from tests.gui.conftest import ref, small_topic
from tests.gui.frame.test_language import left_in_english
from tests.gui.seeing import button, column, has_button, label_with, pick, resize, says
from tests.in_part import in_turn
from tests.oracles.corpus_edits import corpus_edit

from awase.core.analysis.grading import SentenceEffect, goals_of
from awase.core.annotation.actions import RANK
from awase.core.annotation.formula import running_numbers
from awase.core.metrics.extracts.gold import KnownSize
from awase.core.records.corpus import Corpus, Person
from awase.core.records.edits import EDIT_PROJECT, REMOVE_TOPICS, Changes, RankEdit
from awase.core.records.topic import Extract
from awase.gui.frame.main_window import MainWindow
from awase.gui.kit.i18n import set_language
from awase.gui.kit.look.fitting import unbroken
from awase.gui.pages.grade.composition import DraftStep, grade_table, source_table
from awase.gui.pages.grade.page import GradePage


def has_a_goal(page):
    return len(page.composition.goals) == 1


@pytest.fixture
def session(session_over):
    return session_over(small_topic("t"), small_topic("u"))


@pytest.fixture
def page(page_over, session):
    return page_over(GradePage, session=session, size=(1100, 700), ready=has_a_goal)


def test_that_every_sentence_shows_what_it_would_add_in_every_language(page):
    # {1} | {1, 2} or {2, 3}: sentence 1 covers the first need and half of the second.
    assert column(page.sources, 3) == ["+0.750", "+0.250", "+0.250"]
    page.composition.toggle(ref(1))
    assert column(page.sources, 0) == ["1", "", ""]
    assert column(page.sources, 3) == ["−0.750", "+0.250", "0.000"]
    assert column(page.sources, 4) == ["−0.833", "+0.167", "0.000"]
    assert says(page, "1 sentence   3 words")
    assert page.sources.grid.index(2, 3).data(Qt.ItemDataRole.ToolTipRole) == "0 = 0.000000"
    assert left_in_english(page) == []


def test_that_keys_and_a_double_click_take_in_and_out_and_change_the_order(page, qtbot):
    page.sources.choose(1)
    qtbot.keyClick(page.sources, Qt.Key.Key_Space)
    assert page.composition.extract == (ref(2),)
    page.sources.doubleClicked.emit(page.sources.currentIndex())
    assert page.composition.extract == ()
    page.composition.set_extract([ref(3), ref(1)])
    for key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketLeft):  # the row of s1, and at its end
        page.sources.choose(0)
        qtbot.keyClick(page.sources, key)
        assert page.composition.extract == (ref(1), ref(3))
    qtbot.keyClick(page.sources, Qt.Key.Key_BracketRight)
    assert page.composition.extract == (ref(3), ref(1))


def test_that_the_next_best_the_best_and_those_of_a_system_are_taken(page, qtbot):
    for _ in range(2):
        qtbot.keyClick(page.sources, Qt.Key.Key_N)
    assert page.composition.extract == (ref(1), ref(2))
    qtbot.keyClick(page.sources, Qt.Key.Key_N)
    assert says(page, "No sentence adds anything")
    assert column(page.grades, 3) == ["1.000"]
    page.actions_row.most.setValue(1)
    page.actions_row.best.click()
    qtbot.waitUntil(lambda: page.composition.extract == (ref(1),))
    assert says(page, "Proved: no extract of this size has more than 0.750.")
    pick(page.actions_row.box("goal"), True)
    page.actions_row.best.click()
    qtbot.waitUntil(lambda: says(page, "Proved: no extract of this size has more than 0.833."))
    pick(page.actions_row.systems, "last")
    assert page.composition.extract == (ref(3), ref(2))


def test_that_the_best_extract_of_a_topic_that_was_left_is_not_taken_and_a_draft_waits(
    page, services, qtbot
):
    page.actions_row.most.setValue(1)
    page.actions_row.best.click()
    page.composition.go_to("u", "u-short")
    qtbot.waitUntil(lambda: has_a_goal(page) and not services.jobs.is_busy)
    assert page.composition.extract == ()
    page.composition.toggle(ref(1))
    page.composition.go_to("t", "t-short")
    assert page.composition.extract == ()
    page.composition.go_to("u", None)  # where the draft waits
    assert page.composition.extract == (ref(1),)


def test_that_a_system_is_graded_beside_the_draft(page):
    pick(page.compared, "last")
    page.composition.set_extract([ref(3), ref(1)])
    assert not says(page, "only the first")  # for h is 2
    page.composition.toggle(ref(2))
    assert [column(page.grades, at) for at in range(7)] == [
        ["1: this extract", "1: last"], ["2", "2"],
        ["1.000", "1.000"], ["0.750", "0.500"], ["0.833", "0.333"],
        ["1.000", "0.500"], ["1.000", "0.333"],
    ]  # fmt: skip
    assert says(page, "only the first 2 sentences count")


def test_that_the_clipboard_and_a_file_are_read(page, tmp_path):
    for pasted in ("s3, d:1", "s3 s9"):  # there is no s9: nothing changes
        QGuiApplication.clipboard().setText(pasted)
        page.actions_row.paste.click()
        assert page.composition.extract == (ref(3), ref(1))
    assert says(page, "Not sentences of topic “t”: s9")
    path = tmp_path / "run.txt"
    path.write_text("s2\ns1\n")
    page.open_file(path)
    assert page.composition.extract == (ref(2), ref(1))
    page.open_file(tmp_path / "none.txt")
    assert says(page, "cannot be read")


def test_that_saving_is_stored_told_until_the_next_change_and_can_be_undone(
    page, session, qtbot, services
):
    page.save_as("mine")
    assert says(page, "The extract is empty.")
    page.composition.set_extract([ref(2)])
    page.save_as("  ")
    assert says(page, "The system has no name.")
    assert session.store.topic("t").outputs == small_topic("t").outputs
    page.save_as("mine")
    qtbot.waitUntil(lambda: has_a_goal(page) and not services.jobs.is_busy)
    assert says(page, "Saved as the extract of “mine”")  # h is looked for anew meanwhile
    stored = session.store.topic("t")
    assert stored.outputs[-1] == Extract(system="mine", length="short", sentences=(ref(2),))
    session.undo_stack.undo()
    assert session.store.topic("t").outputs == small_topic("t").outputs
    assert page.composition.extract == (ref(2),)
    page.composition.toggle(ref(1))
    assert not says(page, "Saved")


def test_that_what_the_last_change_brought_is_told_of_the_same_abstract_alone(page, qtbot):
    page.composition.toggle(ref(1))
    assert says(page, "0.750 (+0.750)")
    page.compared.activated.emit(0)
    assert says(page, "0.750 (+0.750)")  # nothing was changed
    page.composition.go_to("u", None)
    qtbot.waitUntil(lambda: has_a_goal(page))
    assert says(page, "Coverage for 1: 0.000")
    assert not says(page, "(−")
    page.composition.toggle(ref(3))
    assert says(page, "0.250 (+0.250)")


def test_that_it_is_told_why_no_sentence_is_best_where_weights_are_missing(page_over):
    page = page_over(GradePage, topic(docs=2, links=["s1"]), ready=has_a_goal)
    pick(page.actions_row.box("goal"), True)
    page.add_best()
    assert says(page, "without a rank: 1")


def test_that_annotators_are_rows_ones_own_first_or_alone_if_blind(
    page_over, session_over, services, qtbot
):
    plain = small_topic("t")
    (abstract,) = plain.abstracts
    both = replace(abstract, alignments=(alignment("0", "s3; s3"), *abstract.alignments))
    topics = (replace(plain, abstracts=(both, replace(abstract, id="long", length="long"))),)
    persons = Person(id="0"), Person(id="x")
    corpus = Corpus(name="p", topics=topics, persons=persons, is_blind=True)
    page = page_over(GradePage, session=(session := session_over(corpus=corpus)))
    qtbot.waitUntil(lambda: len(page.composition.goals) == 2)
    page.composition.set_extract([ref(3)])
    assert column(page.grades, 0) == ["1: this extract", "0: this extract"]
    assert column(page.grades, 1) == ["2", "1"]
    assert column(page.grades, 3)[0] == "0.250"
    assert column(page.grades, 3)[1].startswith("1.000")
    page.actions_row.best.click()
    session.set_who("x")  # whose best extract it would not be
    assert not says(page, "Looking for")
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert says(page, "you have not linked anything in this abstract yet")
    page.add_best()  # by no goal
    assert column(page.grades, 0) == []
    session.set_who("0")
    qtbot.waitUntil(lambda: column(page.grades, 0) == ["0: this extract"])
    assert (says(page, "Coverage for 0: 1.000"), says(page, "(+")) == (True, False)
    assert page.composition.extract == (ref(3),)
    for is_blind, role, n in ((True, "lead", 2), (False, "annotator", 1)):  # who left one abstract
        made = replace(corpus, is_blind=is_blind, persons=(Person(id="0", role=role),))
        assert session.perform(corpus_edit(session.corpus(), made, verb=EDIT_PROJECT))
        qtbot.waitUntil(lambda n=n: len(page.composition.goals) == n)


def test_that_nothing_of_a_topic_stays_beside_one_without_an_abstract(page_over, services, qtbot):
    bare = topic("bare", docs=2)
    page = page_over(GradePage, small_topic("t"), bare, ready=has_a_goal)
    page.composition.set_extract([ref(1), ref(2)])
    page.composition.score_now()
    qtbot.waitUntil(lambda: says(page, "rouge"))
    acts = [button(page, name) for name in ("Paste", "From a file", "Clear", "Save as a system")]
    assert all(one.isEnabled() for one in acts)
    page.composition.score_now()  # and this comes too late
    page.composition.go_to("bare", None)
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert says(page, "Nothing to grade against yet")
    assert not any(one.isEnabled() for one in acts)
    assert not any(says(page, words) for words in ("rouge", "Coverage for", "2 sentences"))


def test_that_covers_are_sought_once_after_a_change_of_the_topic_and_the_corpus(page, session):
    shown = []
    page.composition.placeChanged.connect(lambda: shown.append(page.composition.goals))
    session.reload(Changes(corpus=True, topics=frozenset({"t"})))
    assert shown == [()]


@pytest.mark.slow
def test_that_bounds_are_told_where_h_is_not_proved(page, qtbot, monkeypatch):
    monkeypatch.setattr(
        "awase.jobs.covers.known_size_of_cover", lambda *_: KnownSize(lower=4, upper=6)
    )
    page.composition.go_to("u", "u-short")
    qtbot.waitUntil(lambda: says(page, "is not proved in the time allowed: 4 ≤ h ≤ 6"))
    assert page.composition.goals == ()


@pytest.mark.slow
def test_that_every_grade_is_in_sight_and_a_message_takes_room_only_while_it_stands(page, qtbot):
    pick(page.compared, "last")
    resize(page, 1100, 420)
    assert page.grades.verticalScrollBar().maximum() == 0
    before = page.sources.height()
    page.save_as("mine")
    QApplication.processEvents()
    assert page.sources.height() < before
    page.composition.set_extract(())
    QApplication.processEvents()
    assert page.sources.height() == before


def test_that_a_dash_among_the_grades_says_why_there_is_no_value(qapp):
    known = topic(docs=2, links=["s1"])
    abstract = known.abstracts[0]
    (goal,) = goals_of(abstract, (("A", 1.0),), {abstract.alignments[0].annotator: 1})
    effect = SentenceEffect(is_member=False, coverage=Fraction(1), weighted_coverage=None)
    sources = source_table(known, (), dict.fromkeys(known.refs(), effect), goal)
    grades = grade_table((goal,), (), None)
    for cell in (sources.rows[0][-1], grades.rows[0][4], grades.rows[0][6]):
        assert (cell.text, "without a rank: 1" in cell.tip) == ("—", True)
    set_language("ja")  # every row has the colon of its language
    system = Extract(system="lead", sentences=(ref(1),))
    titles = [row[0].text for row in grade_table((goal,), (), system).rows]
    assert titles == ["1：この抽出結果", "1：lead"]


@pytest.fixture
def grading(qtbot, window_over, make_corpus):
    """A window whose Grade page is in sight, over a corpus with an edit of its own."""
    window = window_over(make_corpus(small_topic("t"), small_topic("u")))
    session = window.shown.session
    edit = RankEdit(verb=RANK, topic="t", abstract="t-short", n=1, old="A", new="C")
    assert session.perform(edit)
    window.shown.show_page("grade")
    page = window.shown.page("grade")
    qtbot.waitUntil(lambda: has_a_goal(page))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)  # no other has its shortcuts
    return window


def press(window: MainWindow, key: Qt.Key, held=Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window.windowHandle(), key, held)


CONTROL = Qt.KeyboardModifier.ControlModifier
WITH_SHIFT = CONTROL | Qt.KeyboardModifier.ShiftModifier


def rank_of(window: MainWindow) -> str:
    return window.shown.session.store.topic("t").abstracts[0].sentences[0].rank


def test_that_undo_takes_back_the_draft_step_by_step_and_then_what_the_menu_names(grading):
    composition = grading.shown.page("grade").composition
    undo, redo = grading.menus.actions["undo"], grading.menus.actions["redo"]
    assert "rank" in undo.text()
    press(grading, Qt.Key.Key_N)
    press(grading, Qt.Key.Key_N)
    assert composition.extract == (ref(1), ref(2))
    assert undo.text() == "&Undo: add s2 to the extract"
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert (composition.extract, undo.text()) == ((ref(1),), "&Undo: add s1 to the extract")
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert (composition.extract, rank_of(grading)) == ((), "C")
    assert "rank" in undo.text()
    assert redo.text() == "&Redo: add s1 to the extract"
    press(grading, Qt.Key.Key_Z, WITH_SHIFT)
    press(grading, Qt.Key.Key_Y, CONTROL)
    assert (composition.extract, redo.isEnabled()) == ((ref(1), ref(2)), False)
    edit = RankEdit(verb=RANK, topic="t", abstract="t-short", n=1, old="C", new="B")
    assert grading.shown.session.perform(edit)
    assert "rank" in undo.text()
    for page in ("annotate", "grade"):  # where the steps of the draft come first once more
        grading.shown.show_page(page)
    assert undo.text() == "&Undo: add s2 to the extract"
    grading.shown.session.undo_stack.undo()
    for _ in range(3):
        press(grading, Qt.Key.Key_Z, CONTROL)
    assert (composition.extract, rank_of(grading)) == ((), "A")
    press(grading, Qt.Key.Key_Z, WITH_SHIFT)  # what was taken back last comes first
    assert (composition.extract, rank_of(grading)) == ((), "C")


@pytest.mark.slow
def test_that_what_was_saved_last_is_undone_before_the_draft_and_in_its_turn(grading):
    page, session = grading.shown.page("grade"), grading.shown.session
    press(grading, Qt.Key.Key_N)
    page.save_as("mine")
    n_outputs = len(session.store.topic("t").outputs)
    assert "mine" in grading.menus.actions["undo"].text()
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert len(session.store.topic("t").outputs) == n_outputs - 1
    assert page.composition.extract == (ref(1),)
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert page.composition.extract == ()
    press(grading, Qt.Key.Key_Y, CONTROL)
    press(grading, Qt.Key.Key_Y, CONTROL)
    assert page.composition.extract == (ref(1),)
    assert len(session.store.topic("t").outputs) == n_outputs
    session.undo_stack.undo()
    grading.shown.show_page("annotate")  # the draft is undone on its page alone
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert rank_of(grading) == "A"
    assert page.composition.extract == (ref(1),)
    assert not grading.menus.actions["undo"].isEnabled()


@pytest.mark.slow
def test_that_a_step_of_another_topic_is_undone_where_it_can_be_seen(grading, qtbot):
    page = grading.shown.page("grade")
    page.composition.toggle(ref(3))
    page.composition.go_to("u", None)
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert (page.composition.topic.id, page.composition.extract) == ("t", ())
    assert page.sources.currentIndex().row() == 2


def test_that_what_came_from_elsewhere_is_no_edit_since_the_last_step(grading):
    session = grading.shown.session
    press(grading, Qt.Key.Key_N)
    edit = RankEdit(verb=RANK, topic="t", abstract="t-short", n=1, old="C", new="B")
    session.reload(session.store.apply(edit, who="1"))  # as an import does
    assert "rank B" in session.undo_stack.undoText()
    assert grading.menus.actions["undo"].text() == "&Undo: add s1 to the extract"
    press(grading, Qt.Key.Key_Z, CONTROL)
    assert grading.shown.page("grade").composition.extract == ()
    assert rank_of(grading) == "B"


def test_that_the_steps_of_a_topic_that_is_gone_are_forgotten(page, session):
    page.composition.toggle(ref(3))
    assert session.change(
        lambda corpus: replace(corpus, topics=corpus.topics[1:]), verb=REMOVE_TOPICS, subject="t"
    )
    assert not page.own_steps.canUndo()


@in_turn(
    ("before", "after", "title"),
    [
        ((), (ref(2),), "add s2 to the extract"),
        ((ref(1), ref(2)), (ref(1),), "remove s2 from the extract"),
        ((ref(1), ref(2)), (ref(2), ref(1)), "change the order of the extract"),
        ((ref(1), ref(2)), (), "empty the extract"),
        ((ref(1), ref(2)), (ref(3),), "replace the extract"),
    ],
)
def test_that_a_step_says_what_it_did(before, after, title):
    step = DraftStep(place=("t", "t-short"), before=before, after=after)
    assert step.title(running_numbers(small_topic())) == title


@pytest.mark.slow
def test_that_a_low_page_keeps_its_rows_and_has_the_other_buttons_behind_one(page):
    actions = page.actions_row
    assert has_button(page, "Paste")
    assert not has_button(page, "More")
    page.resize(1100, 20 * page.fontMetrics().height())
    assert not has_button(page, "Paste")
    button(page, "More").click()
    assert has_button(page, "Paste")
    actions.set("goal", True)
    button(page, "Fewer").click()
    assert not has_button(page, "Paste")
    assert actions.box("goal").isVisible()  # what is best is not as usual
    page.resize(1100, 700)
    assert has_button(page, "Paste")
    assert not has_button(page, "More")


def test_that_the_scores_of_the_text_have_one_line_on_a_low_page(page, qtbot):
    page.composition.toggle(ref(1))
    page.composition.score_now()
    qtbot.waitUntil(lambda: says(page, "rouge"))
    scores = label_with(page, "rouge")
    resize(page, 400, 700)
    n_lines = scores.height() // scores.fontMetrics().height()
    assert n_lines > 1
    resize(page, 400, 20 * page.fontMetrics().height())
    assert unbroken("rouge-1") in scores.text()
    assert scores.height() // scores.fontMetrics().height() == 1
    assert scores.cut_text() == scores.text()
    assert "tokens=" in scores.toolTip()
    page.composition.set_extract([])
    page.composition.score_now()
    assert not scores.text()
