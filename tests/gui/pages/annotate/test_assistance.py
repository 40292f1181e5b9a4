"""Suggestions, marks and what is in sight on the Annotate page."""

import sqlite3
from contextlib import closing
from functools import partial

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.building import abstract, topic
from tests.gui.pages.annotate.conftest import TABLE_1, s, with_document, with_long_texts
from tests.gui.pages.annotate.test_annotating import annotate_table_1
from tests.gui.seeing import resize, says

from awase.core.annotation.suggesters import LANGUAGE_MODEL as NAME_OF_MODEL
from awase.core.annotation.suggesters import SUGGESTERS, CachedAnswer, Closure
from awase.core.annotation.suggestion import CLOSURE
from awase.core.records.abstract import AlignmentState, Alternative, AssistOrigin, AssistSettings
from awase.core.records.corpus import Corpus
from awase.core.records.edits import EDIT_PROJECT
from awase.gui.kit.i18n import set_language
from awase.gui.pages.annotate import live_results
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.pages.annotate.rows.sources import SUBJECT
from awase.jobs.team.assisting import study_assistance, with_assist

pytestmark = pytest.mark.slow

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def assisted(table_1, open_page):
    return lambda **settings: open_page(
        corpus=Corpus(name="corpus", topics=(table_1,), assist=AssistSettings(**settings))
    )


@pytest.fixture
def lent_at(table_1, lend_page):
    """The same with the module's page for these settings."""
    return lambda **settings: lend_page(table_1, assist=AssistSettings(**settings))


@pytest.fixture
def helped(lent_at):
    """The module's page at the level of suggestions, where one is in sight."""
    opened = lent_at(level=4)
    opened.page.assistance.refresh()
    return opened


@pytest.fixture
def long_table(table_1, lend_page):
    return lend_page(with_long_texts(table_1, 20))


@pytest.fixture
def long_at_level_4(table_1, lend_page):
    return lend_page(with_long_texts(table_1, 4), assist=AssistSettings(level=4))


def entry(opened, n: int = 1):
    return opened.stored_alignment().of_sentence(n)


@pytest.mark.main
def test_that_y_takes_confirms_and_goes_on_and_its_trail_is_stored(assisted, tmp_path):
    opened = assisted(level=4)
    opened.page.assistance.refresh()
    first = opened.page.assistance.offered.suggestion
    assert not opened.page.suggestion.isHidden()
    opened.press("Y")
    assert opened.page.annotation.n == 2
    stored = entry(opened)
    assert (stored.alternatives, stored.state) == (first.family, AlignmentState.CONFIRMED)
    assert stored.assist is AssistOrigin.TAKEN
    with closing(sqlite3.connect(tmp_path / "corpus.awase")) as connection:
        row = connection.execute(
            "SELECT source, confidence, verb FROM suggestion JOIN operation "
            "ON suggestion.id = suggestion_id"
        ).fetchall()
    assert row == [("lexical-family", first.confidence, "take_suggestion")]
    (logged,) = opened.store.logged_suggestions()
    assert (logged.family, logged.model, logged.n) == ('[["d:10"]]', "1", 1)
    opened.session.undo_stack.undo()
    assert opened.stored_alignment() is None


@pytest.mark.main
def test_that_shift_y_takes_and_stays_and_a_later_change_or_a_refusal_is_remembered(helped):
    helped.press("Y", modifier=SHIFT)
    assert helped.page.annotation.n == 1
    assert helped.stored_state() is AlignmentState.INCOMPLETE
    helped.press("9")
    assert entry(helped).assist is AssistOrigin.CHANGED
    helped.page.annotation.select(2)
    helped.page.assistance.refresh()
    helped.press("9", Qt.Key.Key_Return)  # something else, where a suggestion was in sight
    assert entry(helped, 2).assist is AssistOrigin.REFUSED
    helped.page.annotation.select(1)
    helped.page.assistance.refresh()
    helped.page.annotation.select(3)  # where none was in sight yet
    assert helped.page.assistance.refused() is None


@pytest.mark.main
def test_that_a_suggestion_stays_in_sight_and_its_suggester_goes_by_words_of_the_language(helped):
    suggestion = helped.page.suggestion
    assert helped.page.assistance.offered.source == "lexical-family"
    assert " · shared words · " in suggestion.text.text()
    helped.press("V")  # beside the documents, or Y would take what nobody has read
    helped.page.assistance.refresh()
    assert helped.page.centre.view is helped.page.centre.documents
    assert helped.page.pinned.isVisible()
    assert suggestion.isVisible()
    set_language("ja")
    QApplication.processEvents()
    assert " · 共通する語 · " in suggestion.text.text()
    assert "カバーします：" in suggestion.text.text()


@pytest.mark.main
def test_that_a_suggestion_that_nobody_saw_is_shown_and_not_taken(lent_at):
    opened = lent_at(level=4)
    take = opened.page.annotation_actions.take_suggestion
    opened.page.annotation.select(2)
    assert opened.page.assistance.offered is None
    take(stays=True)
    assert opened.stored_alignment() is None
    assert not opened.page.suggestion.isHidden()
    take(stays=True)
    assert entry(opened, 2).assist is not None


def test_that_candidates_stay_where_they_are_as_suggestions_come_and_go(long_at_level_4):
    opened = long_at_level_4
    view, model = opened.page.centre.candidates, opened.page.centre.candidate_model
    opened.page.assistance.refresh()
    for height in range(600, 900, 20):
        opened.page.resize(1280, height)
        seen = []
        for is_shown in (True, False, True):
            opened.page.suggestion.setVisible(is_shown)
            QApplication.processEvents()
            view.executeDelayedItemsLayout()
            seen.append([view.visualRect(model.index(row, 0)) for row in range(9)])
        assert seen[0] == seen[1] == seen[2]


@pytest.mark.main
def test_that_a_decoy_looks_like_a_suggestion_and_the_log_knows_better(
    assisted, monkeypatch, tmp_path
):
    everything = frozenset(("0310-short", n) for n in range(1, 20))
    monkeypatch.setattr(
        live_results, "decoy_items", lambda one, _: everything if one.decoy_percent > 5 else ()
    )
    monkeypatch.setattr(live_results, "control_items", lambda *_: frozenset([("0310-short", 3)]))
    opened = assisted(level=4, decoy_percent=5, control_percent=10)
    opened.page.annotation.select(3)  # where no help is given, to be compared
    opened.page.assistance.refresh()
    assert opened.page.assistance.offered is None
    opened.page.annotation.select(1)
    opened.page.assistance.refresh()
    order = opened.page.annotation.order
    assert opened.page.assistance.offered.suggestion.family != (Alternative((order[9],)),)
    some = partial(with_assist, decoy_percent=10)
    assert opened.session.change(some, verb=EDIT_PROJECT, subject="help")
    opened.page.assistance.refresh()
    assert opened.page.assistance.offered.suggestion.family == (Alternative((order[9],)),)
    assert "wrong on purpose" in opened.page.suggestion.level.text()
    opened.press("Y")
    (row,) = opened.store.logged_suggestions()
    assert row.is_decoy
    (seen,) = study_assistance(opened.store).decoys
    assert (seen.n, seen.is_taken) == (1, True)
    assert opened.session.change(partial(with_assist, level=0), verb=EDIT_PROJECT, subject="help")
    opened.page.annotation.select(3)
    assert opened.page.assistance.level == 0  # which a comparison does not raise


@pytest.mark.parametrize("level", [pytest.param(2, marks=pytest.mark.main), 0, 1])
def test_that_levels_without_suggestions_leave_no_trail_and_level_0_ranks_nothing(lent_at, level):
    opened = lent_at(level=level, decoy_percent=10)
    assert opened.page.assistance.decoy_percent == 0  # of what is not shown nothing is wrong
    assert says(opened.page.centre, "best matches first" if level else "in reading order")
    opened.press("V")
    opened.page.centre.show_ref(s(40))
    opened.page.annotation.select(2)
    assert (opened.page.centre.current_ref() == s(40)) is (level == 0)
    opened.page.annotation.select(1)
    opened.press("V")
    opened.page.assistance.refresh()
    assert opened.page.suggestion.isHidden()
    opened.press("Y")
    assert opened.stored_alignment() is None
    opened.press("1", Qt.Key.Key_Return)
    assert entry(opened).assist is None
    assert (opened.page.annotation.order[0] == s(1)) or level > 0


@pytest.mark.main
def test_that_shift_and_a_digit_make_the_next_alternative_in_one_key(lent_at):
    opened = lent_at(level=2)
    order = [ref.n for ref in opened.page.annotation.order]
    opened.press("1", "2")
    opened.press("3", modifier=SHIFT)
    opened.press("4", modifier=SHIFT)
    assert opened.stored() == [[order[0], n] for n in order[1:4]]
    told: list[str] = []
    opened.page.annotation.said.connect(told.append)
    opened.press("2", modifier=SHIFT)
    assert len(opened.stored()) == len(told) + 2 == 3
    opened.session.undo_stack.undo()
    assert opened.stored() == [[order[0], n] for n in order[1:3]]
    opened.press("5", modifier=SHIFT | Qt.KeyboardModifier.ControlModifier)  # one of its own
    opened.press("4")
    assert [set(one) for one in opened.stored()[2:]] == [{order[4], order[3]}]


@pytest.mark.main
def test_that_no_suggestion_is_stored_without_a_key_of_the_annotator(lent_at, qtbot):
    opened = lent_at(level=4)
    for n in (1, 2, 3, 2, 1):
        opened.page.annotation.select(n)
        opened.page.assistance.refresh()
    for key in (".", "W", "]", "[", "R", "V", "V"):
        opened.press(key)
    assert opened.stored_alignment() is None
    assert opened.store.corpus().topics[0].abstracts[0].gold == ()


@pytest.mark.main
def test_that_the_pinned_sentence_tells_what_is_not_covered(lent_at):
    opened = lent_at(level=2)
    assert "<u" not in opened.page.pinned.text()
    ref = opened.page.annotation.order[0]
    opened.page.annotation_actions.toggle(ref)
    opened.page.assistance.refresh()
    assert "<u" not in opened.page.pinned.text()  # it has all three words
    opened.page.annotation_actions.toggle(ref)
    opened.page.annotation_actions.toggle(s(61))
    opened.page.assistance.refresh()
    text = "<b>1</b>&nbsp; The <u>whale</u> <u>bones</u> <u>beach</u>."
    assert opened.page.pinned.text() == text
    told = "Sentence 1, The whale bones beach., not covered: whale, bones, beach"
    assert opened.page.pinned.accessibleName() == told
    opened.page.annotation_actions.toggle(ref)
    opened.page.assistance.refresh()
    assert opened.page.pinned.text().endswith(" beach.<br><small>s10 alone may do</small>")
    told = "Sentence 1, The whale bones beach., s10 alone may do"
    assert opened.page.pinned.accessibleName() == told


@pytest.mark.main
def test_that_a_point_gives_the_digits_to_the_next_nine_and_comes_round(annotation):
    order = annotation.page.annotation.order
    annotation.press(".", "1")
    assert annotation.stored() == [[order[9].n]]
    for _ in range(6):
        annotation.press(".")
    annotation.press("1")
    assert annotation.stored() == [[order[9].n, order[0].n]]


def digits_in_sight(opened) -> list[tuple[int, bool]]:
    """Returns the rows with digits, in their order, and whether their first line is in sight."""
    view, model = opened.page.centre.candidates, opened.page.centre.candidate_model
    QApplication.processEvents()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    digit = opened.page.centre.sources.digit
    by_digit = {digit(row.data(SUBJECT)): row for row in rows if digit(row.data(SUBJECT))}
    assert [*sorted(by_digit)] == [*range(1, len(by_digit) + 1)]
    room = view.viewport().height() - view.fontMetrics().height()
    tops = [(by_digit[digit].row(), view.visualRect(by_digit[digit]).top()) for digit in by_digit]
    return sorted((row, -8 <= top <= room) for row, top in tops)


def test_that_texts_are_whole_and_digits_mark_what_is_in_sight(long_table):
    opened = long_table
    view, state = opened.page.centre.candidates, opened.page.annotation
    first = digits_in_sight(opened)
    assert 1 <= len(first) < 9
    assert all(is_in_sight for _, is_in_sight in first)
    opened.press("9")
    assert opened.stored() == []
    assert says(opened.page.strip, "No visible candidate has this digit.")
    opened.press(".")
    following = digits_in_sight(opened)
    assert following[0] == (len(first), True)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    scrolled = digits_in_sight(opened)
    assert scrolled[0][0] > following[0][0]
    assert all(is_in_sight for _, is_in_sight in scrolled)
    opened.press("1")
    assert opened.stored() == [[state.order[scrolled[0][0]].n]]


def test_that_the_nine_digits_stay_in_sight_where_texts_are_folded(long_table, services, qtbot):
    opened = long_table
    view, model = opened.page.centre.candidates, opened.page.centre.candidate_model
    view.executeDelayedItemsLayout()
    whole = view.visualRect(model.index(8, 0))
    assert not view.viewport().rect().contains(whole)
    opened.press("W")
    view.executeDelayedItemsLayout()
    assert view.viewport().rect().contains(view.visualRect(model.index(8, 0)))
    assert len(digits_in_sight(opened)) == 9
    opened.press("W")
    view.executeDelayedItemsLayout()
    assert view.visualRect(model.index(8, 0)) == whole
    for is_folded in (False, True):  # as it was left
        page = qtbot.added(AnnotatePage(long_table.session, services, None))
        assert page.centre.is_folded is is_folded
        page.commands["whole-texts"]()
        page.live_results.stop()


def test_that_a_suggester_that_fails_is_told_of_once(assisted, monkeypatch):
    def fail(*_: object) -> None:
        raise ValueError("no weights")

    opened = assisted(level=4)
    monkeypatch.setattr(Closure, "suggest", fail)
    told: list[str] = []
    opened.page.annotation.said.connect(told.append)
    opened.page.assistance.refresh()
    opened.page.assistance.refresh()
    (message,) = told
    assert CLOSURE in message
    assert "ValueError: no weights" in message
    assert opened.page.assistance.offered is not None  # the others are asked all the same


@pytest.mark.main
@pytest.mark.parametrize(
    "leave",
    [
        lambda view: QTest.keyRelease(view, "P"),
        lambda view: QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut)),
    ],
    ids=["until the key is let go", "until another window takes the keyboard"],
)
def test_that_neighbours_are_shown_while_the_key_is_held(annotation, leave):
    centre = annotation.page.centre
    QTest.keyPress(centre.candidates, "P")
    assert not centre.around.isHidden()
    ref = centre.current_ref()
    for n in (max(1, ref.n - 1), ref.n, min(61, ref.n + 1)):
        assert f"s{n} · d:{n}" in centre.around.text()
    leave(centre.candidates)
    assert centre.around.isHidden()


def test_that_neighbours_give_way_where_all_have_no_room(long_table):
    centre = long_table.page.centre
    for height, n_shown in ((2400, 5), (560, 3)):
        resize(long_table.page, 1280, height)
        centre.peek()
        assert centre.around.text().count(" · d:") == n_shown
        assert centre.around.height() <= centre.height()
        assert "1998-01-01  A document" in centre.around.text()
        centre.end_peek()


def test_that_what_runs_from_right_to_left_turns_no_address_and_its_title_stands_at_the_right(
    table_1, lend_page
):
    topic = with_document(table_1, lambda _: "הלווייתן נראה בחוף.", title="הלווייתן", date=None)
    opened = lend_page(topic)
    opened.page.centre.peek()
    shown = QTextDocument()
    shown.setHtml(opened.page.centre.around.text())
    block = shown.lastBlock()
    assert block.textDirection() is Qt.LayoutDirection.RightToLeft
    assert block.text().startswith("\u2068s")
    assert block.text().endswith("\u2069 הלווייתן נראה בחוף.")
    opened.page.centre.end_peek()
    opened.page.centre.switch()
    view = opened.page.centre.view
    row = view.visualRect(view.model().index(0, 0))
    image = view.viewport().grab(row.adjusted(8, 2, -row.width() * 3 // 4, -2)).toImage()
    colours = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    assert len(colours) == 1
    opened.page.centre.switch()


@pytest.mark.main
def test_that_sentences_are_found_by_turns_and_linked_from_the_find_bar(annotation):
    find, centre = annotation.page.topic_find, annotation.page.centre
    control, shift = Qt.KeyboardModifier.ControlModifier, SHIFT
    find.begin()
    find.look_for("whale")
    for by, told, current in (
        (0, "in 4 sentences", None), (1, "1 of 4", None), (1, "2 of 4", 1), (1, "3 of 4", 10),
        (-1, "2 of 4", 1), (-1, "1 of 4", None), (-1, "4 of 4", 11),
    ):  # fmt: skip
        if by:
            QTest.keyClick(find, Qt.Key.Key_Return, shift if by < 0 else Qt.KeyboardModifier(0))
        assert says(find, told)
        assert current is None or centre.current_ref() == s(current)
        if current is None:  # an abstract sentence, or none yet
            QTest.keyClick(find, Qt.Key.Key_Return, control)
            assert says(find, "go to a source sentence first")
    find.look_for("nowhere")
    assert says(find, "not in this topic")
    find.look_for("filler40")
    find.step(1)
    assert annotation.stored() == []
    QTest.keyClick(find, Qt.Key.Key_Return, control)
    assert annotation.stored() == [[40]]
    assert not find.isHidden()


def test_that_an_answer_of_a_language_model_is_suggested_and_its_trail_names_the_model(
    assisted, monkeypatch
):
    text = '{"alternatives": [[1], [2, 3]], "no_source": false}'
    answer = CachedAnswer(model="small", at="2026-11-22T10:00:00+00:00", text=text)
    monkeypatch.setattr(live_results, "cached_answers", lambda: lambda _digest: answer)
    monkeypatch.setattr(live_results, "SUGGESTERS", {NAME_OF_MODEL: SUGGESTERS[NAME_OF_MODEL]})
    opened = assisted(level=4)
    opened.page.assistance.refresh()
    offered = opened.page.assistance.offered
    assert offered is not None
    assert (offered.source, offered.model) == (NAME_OF_MODEL, "small@2026-11-22")
    assert "answer of a language model" in opened.page.suggestion.button.toolTip()
    opened.press("Y")
    assert entry(opened).assist is AssistOrigin.TAKEN
    assert opened.stored() == [[1], [2, 3]]


WORDED = {
    1: "Remains of a whale were seen at Skarrow at night.",
    3: "A crane fell over.",
    5: "It hit the old bridge in the harbour.",
    6: "Nobody was hurt, said the mayor.",
    10: "The bones of a whale lay on the beach of Skarrow Bay.",
    11: "Two fishermen from Port Ellery came upon them on Monday.",
    21: "The night train to Halvern stood still for six hours.",
    23: "It was stuck in the tunnel under the pass because of snow.",
    30: "Passengers waited in the dark for hours.",
    60: "Masses of snow blocked the rails.",
}
"""Sentences for the alternatives of Table 1, of which the paper has the numbers alone."""
ABSTRACT = (
    "Two fishermen from Port Ellery found the bones of a whale on the beach of Skarrow Bay on "
    "Monday.",
    "A crane fell on the old harbour bridge, and nobody was hurt.",
    "The night train to Halvern was stuck in the tunnel under the pass for six hours because of "
    "snow.",
)


def test_that_table_1_takes_15_keys_at_level_4_where_two_suggestions_are_right(lend_page):
    texts = [WORDED.get(n, f"Pottery {n} and padding.") for n in range(1, 62)]
    made = topic("0310", docs=texts, abstracts=(abstract("0310-short", texts=ABSTRACT),))
    opened = lend_page(made, assist=AssistSettings(level=4))
    both = SHIFT | Qt.KeyboardModifier.ControlModifier

    def press_in_one_chord(number: int) -> None:
        opened.press(str(opened.page.annotation.order.index(s(number)) + 1), modifier=both)

    opened.page.assistance.refresh()
    opened.press("A")
    opened.press("Y", modifier=SHIFT)
    press_in_one_chord(1)
    opened.press(Qt.Key.Key_Return, "B")
    opened.press_candidates(3, 5, 6)
    opened.press(Qt.Key.Key_Return, "C")
    opened.page.assistance.refresh()
    opened.press("Y", modifier=SHIFT)
    press_in_one_chord(1)
    opened.press_candidates(30, 60)
    opened.press(Qt.Key.Key_Return)
    assert opened.n_keys == 15
    assert_table_1_is_stored(opened)


def test_that_table_1_takes_19_keys_where_suggestions_are_ignored(lent_at):
    opened = lent_at(level=4)
    annotate_table_1(opened)
    assert opened.n_keys == 19
    assert_table_1_is_stored(opened)
    assert opened.page.annotation.n == 3
    assert says(opened.page.strip, "No other sentence is left")


def assert_table_1_is_stored(opened):
    for n, (_, _, sets) in TABLE_1.items():
        assert {frozenset(one) for one in opened.stored(n)} == {frozenset(one) for one in sets}
        assert opened.stored_state(n) is AlignmentState.CONFIRMED
    assert opened.stored_ranks() == ["A", "B", "C"]
