from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox
from tests import building
from tests.gui.conftest import ref, small_topic
from tests.gui.seeing import column, field, labels, pick, resize, says
from tests.oracles.corpus_edits import corpus_edit

from awase.core.analysis.explanation import Share, has_any_word
from awase.core.analysis.inspection import inspect_topic, joined
from awase.core.metrics.extracts.gold import KnownSize
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.records.abstract import Alternative, GoldEntry
from awase.core.records.corpus import Corpus, Person
from awase.core.records.edits import EDIT_PROJECT
from awase.gui.kit.commands import step_pane
from awase.gui.kit.i18n import set_language
from awase.gui.kit.look.theme import Theme
from awase.gui.pages.inspect import panes as details_module
from awase.gui.pages.inspect.page import InspectPage
from awase.gui.pages.inspect.tables import FIRST_SYSTEM_COLUMN, LOST_COLUMN, bucket_table
from awase.gui.session.pages import Cause


def inspected(*topics):
    return joined(inspect_topic(topic, "first", Tsc3Options()) for topic in topics)


def topic_to_link():
    """A topic where `last` has a sentence that nearly repeats a linked one."""
    return building.topic(
        "t",
        docs=(
            "A brown dog ran through the old harbour.",
            "The cat slept.",
            "The brown dog ran through the harbour quickly.",
        ),
        abstracts=(
            building.abstract(
                "t-short", "A: 1; B: 2", texts=("A dog ran through the harbour.", "Two."),
                length="short",
            ),
        ),
        outputs=(
            *small_topic("t").outputs,
            building.text("writer", "Of another length.", length="long"),
            building.text("writer", "It has no length of its own."),
            building.text("writer", "The brown dog ran.", length="short"),
        ),
        title="Dogs",
        language="en",
    )  # fmt: skip


def as_at_first(page):
    page.choose_topic(None)
    page.filters.forget()
    page.details.setCurrentWidget(page.details.report)
    page.heat.choose_cell(0, "lead")


@pytest.fixture(scope="module")
def lent(lend):
    return lend(
        InspectPage,
        Corpus(name="small", topics=(topic_to_link(), small_topic("u"))),
        ready=lambda page: page.heat.n_rows == 4,
        restore=as_at_first,
    )


def test_that_a_cell_is_explained_in_words_and_l_links_what_should_be_linked(
    page, qtbot, session, monkeypatch
):
    places = []
    monkeypatch.setattr(page.details, "show_place", places.append)
    page.heat.choose_cell(1, "last")
    (here,) = {(one.topic, one.abstract, one.n, one.length, one.text, one.system) for one in places}
    assert here == ("t", "t-short", 2, "short", "Two.", "last")
    page.heat.choose_cell(0, "lead")
    qtbot.keyClick(page.heat, Qt.Key.Key_L)
    assert says(page, "Nothing here")
    assert not session.undo_stack.canUndo()
    page.heat.choose_cell(0, "last")
    told = page.details.report.toPlainText()
    assert "should be (1)\ns3 · d:3 place 1 · link it (L)\nThe brown dog ran through" in told
    qtbot.keyClick(page.heat, Qt.Key.Key_L)
    entry = session.topic("t").abstracts[0].alignments[0].of_sentence(1)
    assert entry.alternatives == (Alternative((ref(1),)), Alternative((ref(3),)))
    stored = session.store.topic("t").abstracts[0].alignments[0].of_sentence(1)
    assert stored == entry
    qtbot.waitUntil(lambda: "covered in full" in page.details.report.toPlainText())
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: "nothing of it" in page.details.report.toPlainText())


def test_that_somebody_elses_alignment_is_neither_changed_nor_shown_if_blind(page_over, qtbot):
    corpus = Corpus(name="p", topics=(topic_to_link(),), persons=(Person(id="B"),), is_blind=True)
    page = page_over(InspectPage, corpus=corpus, who="2", ready=lambda page: page.heat.n_rows)
    page.heat.choose_cell(0, "last")
    assert "link it" not in page.details.report.toPlainText()
    qtbot.keyClick(page.heat, Qt.Key.Key_L)
    assert says(page, "not your alignment")
    assert not page.session.undo_stack.canUndo()
    page.session.set_who("1")
    qtbot.waitUntil(lambda: "link it" in page.details.report.toPlainText())
    box = field(page.controls, "Annotator")
    pick(box, "1")
    page.session.set_who("B")
    assert not any(one.isActive() for one in page.findings.findChildren(QTimer))  # it began
    qtbot.waitUntil(lambda: "alignment links nothing" in page.details.report.toPlainText())
    assert [box.itemText(at) for at in range(box.count())] == ["First of each abstract"]
    assert page.findings.options.annotator == "first"
    made = replace(corpus, is_blind=False, persons=())
    assert page.session.perform(corpus_edit(corpus, made, verb=EDIT_PROJECT))
    assert box.findText("1") == 1
    qtbot.waitUntil(lambda: page.heat.n_rows > 0)
    assert page.session.perform(corpus_edit(made, corpus, verb=EDIT_PROJECT))
    assert page.heat.n_rows == 0  # hidden from B now, however long what is left takes


def test_that_the_cause_of_a_texts_score_is_the_text_beside_what_it_resembles(page):
    page.show_cause(Cause(topic="t", system="writer", length="short"))
    assert page.details.texts.system.currentText() == "writer"
    assert page.details.currentIndex() == 2
    shown = page.details.texts.browser.toPlainText()
    assert "The brown dog ran." in shown
    assert "abstract 1" in shown
    assert "s1 · d:1 · has " in shown  # a source sentence has one address everywhere
    page.show_cause(Cause(topic="t", system="last", length="short"))
    at = FIRST_SYSTEM_COLUMN + page.heat.systems.index("last")
    assert page.heat.currentIndex().column() == at
    page.choose_topic("u")
    assert page.details.texts.browser.toPlainText() == "No system has a text for this abstract."


def test_that_texts_with_references_of_their_own_are_shown_without_abstracts(page_over, qtbot):
    written = building.text(
        "neural", "The dog ran away.", "Nothing like it.", references=[("A dog ran.", "Rain fell.")]
    )
    two = building.text("two", "It ran.", references=[["A."], ["B."]])
    outputs = (two, written, building.text("none", "The cat slept."))
    bare = replace(small_topic("t"), abstracts=(), outputs=outputs)
    silent = replace(bare, id="u", outputs=())
    page = page_over(InspectPage, bare, silent, ready=lambda page: page.own_texts.isVisible())
    own = page.own_texts
    assert [own.system.itemText(row) for row in range(own.system.count())] == ["two", "neural"]
    first, second = own.browser.toPlainText().split("two, beside its own reference ")[1:]
    assert (first[:22], second[:22]) == ("1 of 2 and the sources", "2 of 2 and the sources")
    assert ("1. A." in first, "1. B." in second) == (True, True)
    pick(own.system, "neural")
    own.system.textActivated.emit("neural")
    text = own.browser.toPlainText()
    assert text.rstrip().endswith("2. Rain fell.")  # nothing resembles it
    with qtbot.waitSignal(page.sentenceChosen) as chosen:
        own.browser.anchorClicked.emit(QUrl("show:d:1"))
    assert chosen.args == ["t", None, ref(1), ""]
    assert not page.filters.isVisible()  # there is no abstract sentence to choose
    page.show_cause(Cause(topic="t", system="two", length=None))
    assert "two, beside" in own.browser.toPlainText()
    left = page.place()
    qtbot.keyClick(own.system, Qt.Key.Key_Down)
    assert "Rain fell." in own.browser.toPlainText()
    page.return_to(left)
    assert own.system.currentText() == "two"
    page.choose_topic("u")
    assert not page.details.isVisible()  # nothing has an output there


def test_that_it_is_told_why_no_extract_is_looked_at_where_h_is_not_proved(
    page_over, qtbot, monkeypatch
):
    monkeypatch.setattr(
        "awase.core.analysis.inspection.known_size_of_cover", lambda *_: KnownSize(lower=4, upper=6)
    )
    page = page_over(InspectPage, topic_to_link(), ready=lambda page: page.heat.n_rows == 2)
    page.heat.setCurrentIndex(page.heat.model().index(0, 0))
    qtbot.waitUntil(lambda: says(page, "is not proved in the time allowed: 4 ≤ h ≤ 6"))


@pytest.mark.parametrize("n_decided", [0, 1])
def test_that_the_gold_can_be_chosen_where_something_was_decided(
    page_over, services, qtbot, n_decided
):
    plain = small_topic("t")
    (abstract,) = plain.abstracts
    decided = [GoldEntry(entry=one) for one in abstract.alignments[0].sentences[:n_decided]]
    topic = replace(plain, abstracts=(replace(abstract, gold=tuple(decided)),))
    page = page_over(InspectPage, topic)
    box = field(page.controls, "Annotator")
    at = box.findData("gold")
    assert (at >= 0) == bool(n_decided)
    if n_decided:
        assert box.itemText(at) == "Gold"
        pick(box, "gold")
        qtbot.waitUntil(lambda: not services.jobs.is_busy)
        assert page.findings.options.annotator == page.details.panes[0].place.annotator == "gold"
        shown = [one for one in page.findings.inspection_of("t").sentences if one.sizes]
        assert [one.key.n for one in shown] == [decided[0].entry.n]


def shown_sentences(page: InspectPage) -> list[tuple[str, int]]:
    model = page.heat.model()
    rows = [model.index(row, 0).data() for row in range(model.rowCount())]
    return [(row.partition("-")[0], int(row.split(" · ")[-1])) for row in rows]


def test_that_a_number_of_a_metric_that_can_be_explained_leads_to_its_explanation(page):
    cause = Cause(topic="u", system="last", length="short", metric="subtree.r")
    page.show_cause(cause)
    pyramids, trees, words = page.details.panes
    assert trees.isVisible()
    page.show_cause(replace(cause, system="writer", topic="t", metric="pbe"))
    assert words.isVisible()
    assert words.chooser.metrics == ("pbe",)
    page.show_cause(replace(cause, metric="pseudo-pyramid"))
    assert pyramids.isVisible()
    page.details.setCurrentWidget(page.details.report)
    page.show_cause(replace(cause, metric="coverage"))
    assert page.details.report.isVisible()
    page.show_explanation("pyramid")  # which follows the sentence in sight
    page.heat.choose_cell(2, "last")
    place = pyramids.place
    assert (place.topic, place.n, place.system, place.text) == ("u", 1, "last", "One.")


def test_that_a_cause_shows_what_a_system_lost_and_what_leaves_no_sentence_explains_none(
    page, monkeypatch
):
    page.show_cause(Cause(topic="u", system="last", length="short"))
    assert shown_sentences(page) == [("u", 1)]
    model = page.heat.model()
    assert [model.index(0, LOST_COLUMN + at).data() for at in (0, 1)] == ["50.0", "+50.0"]
    assert page.filters.share.isEnabled()
    told = []
    with monkeypatch.context() as patched:
        patched.setattr(page.details, "show_place", told.append)
        page.filters.text.setText("in no sentence")
    assert shown_sentences(page) == []
    assert page.details.report.toPlainText() == "No sentence matches the filters above."
    assert told == []  # or metrics would be explained of another topic
    page.filters.text.clear()
    at = FIRST_SYSTEM_COLUMN + page.heat.systems.index("last")
    assert page.heat.currentIndex().column() == at
    assert "last: " in page.details.report.toPlainText()
    page.heat.choose(0, 0)  # the row's explains the system whose loss is looked at
    assert "last: " in page.details.report.toPlainText()


def test_that_sentences_are_filtered_by_words_bucket_system_share_and_what_one_has_right(page):
    filters = page.filters
    for words, rows in (("two", [("t", 2), ("u", 2)]), ("harbour", [("t", 1)])):
        filters.text.setText(words)
        assert sorted(shown_sentences(page)) == rows
    filters.forget()
    assert len(shown_sentences(page)) == 4
    choose_bucket(page)
    assert sorted(shown_sentences(page)) == [("t", 1), ("u", 1)]
    filters.clear.click()
    assert len(shown_sentences(page)) == 4
    assert not filters.share.isEnabled()  # nobody's share
    pick(filters.right, "last")
    assert sorted(shown_sentences(page)) == [("t", 2), ("u", 2)]
    filters.forget()
    pick(filters.system, "last")
    assert (filters.share.isEnabled(), filters.clear.isEnabled()) == (True, False)
    pick(filters.share, Share.MISSED)
    assert filters.clear.isEnabled()
    pick(filters.system, None)
    assert not filters.clear.isEnabled()  # it was of the system


def test_that_what_was_looked_at_is_shown_again(page):
    page.show_cause(Cause(topic=None, system="last"))
    before, place = shown_sentences(page), page.place()
    page.filters.forget()
    page.choose_topic("u")
    page.return_to(place)
    assert sorted(shown_sentences(page)) == sorted(before)
    page.heat.choose_cell(1, "lead")
    page.filters.forget()
    assert page.heat.current()[1] == "lead"  # the place is returned to once


def test_that_a_cell_without_a_value_says_why_in_the_language_chosen_last():
    whys = set()
    for language in ("ja", "en"):
        set_language(language)
        grid, _ = bucket_table(inspected(small_topic("t")), ["nobody"])
        whys |= {row[-1].tip for row in grid.rows}
    assert len(whys) == 2


def choose_bucket(page):
    page.details.setCurrentWidget(page.details.buckets)
    page.details.buckets.activated.emit(page.details.buckets.model().index(0, 0))


@pytest.mark.slow
def test_that_a_bucket_and_words_are_filters_that_leave_a_step_behind(page, qtbot):
    with qtbot.waitSignal(page.leaving):
        choose_bucket(page)
    assert page.place_name() == "Rank: A"
    before = page.place()
    with qtbot.waitSignal(page.leaving):
        page.details.wordsChosen.emit(("ran", "dog"))
    assert shown_sentences(page) == [("t", 1)]
    assert page.place_name() == "words: ran, dog"
    page.details.setCurrentWidget(page.details.report)
    page.return_to(before)
    assert page.place_name() == "Rank: A"
    assert page.details.currentWidget() is page.details.buckets  # and the keyboard goes there


def test_that_a_length_that_no_box_says_is_told_as_long_as_it_is_asked_for(page):
    page.show_cause(Cause(topic="u", system="last", length="short"))
    assert says(page, "short · 1 of 2 sentences")
    page.filters.choose_sentences(page.place().wanted.keys or frozenset(), lambda: "Rank: A")
    assert says(page, "short · Rank: A · 0 of 2 sentences")
    assert page.place_name() == "last · short · Rank: A"
    page.filters.forget()
    assert page.place_name() == "last"


def test_that_words_stand_alone_where_they_are_written_so():
    assert has_any_word("The dogs ran.", ("RAN",))
    assert not has_any_word("The dogs ran.", ("dog", ""))
    assert has_any_word("木造船が見つかった。", ("造船",))


def test_that_a_bucket_stays_chosen_and_is_counted_only_while_it_is_looked_at(
    page, qtbot, monkeypatch
):
    details, count, counted = page.details, details_module.bucket_table, []
    monkeypatch.setattr(details_module, "bucket_table", lambda *of: counted.append(1) or count(*of))
    details.setCurrentWidget(details.buckets)
    left, n_counted = page.place(), len(counted)
    details.buckets.choose(1, 2)

    def assert_chosen():
        index = details.buckets.currentIndex()
        assert (index.row(), index.column()) == (1, 2)

    qtbot.keyClick(details.buckets, Qt.Key.Key_Return)
    assert page.filters.about().startswith("Rank")
    assert_chosen()
    page.return_to(left)
    page.filters.text.setText("one")
    assert len(counted) == n_counted  # going elsewhere on the page changes none
    page.choose_topic("t")
    assert_chosen()  # the same kind of sentences, of that topic
    details.setCurrentWidget(details.report)
    page.choose_topic("u")
    details.setCurrentWidget(details.buckets)
    assert_chosen()


def test_that_tables_behind_others_hold_nothing_of_what_was_shown(page):
    details = page.details
    for table in (details.comparison.parentWidget(), details.buckets, details.report):
        details.setCurrentWidget(table)
    assert details.comparison.n_rows
    assert details.buckets.n_rows
    page.choose_topic("t")
    assert (details.comparison.n_rows, details.buckets.n_rows) == (0, 0)
    details.setCurrentWidget(details.buckets)
    assert details.buckets.n_rows


def test_that_panes_are_the_table_the_tabs_and_what_is_in_front(page):
    assert page.details.currentWidget() is page.details.report
    page.details.setCurrentWidget(page.details.buckets)
    page.details.show_whether_measured(False)
    assert any(page.details.currentWidget().isAncestorOf(one) for one in page.details.panes)
    page.details.show_whether_measured(True)
    assert page.details.currentWidget() is page.details.buckets
    ring = [page.heat, page.details.tabBar(), page.details.buckets, page.heat]
    page.setFocus()
    for _, after in pairwise(ring):
        step_pane(page, 1)
        assert page.window().focusWidget() is after
    for _, before in pairwise(reversed(ring)):
        step_pane(page, -1)
        assert page.window().focusWidget() is before


@pytest.mark.slow
def test_that_five_rows_stay_and_keys_open_the_filters_where_letters_are_large(
    page, services, qtbot
):
    services.themes.set_theme(Theme.named("light", 20))
    resize(page, 1150, 684)  # what a screen of 1366 x 768 leaves
    heat, header = page.heat, page.heat.verticalHeader()
    # A least height goes up level by level.
    qtbot.waitUntil(lambda: heat.viewport().height() >= 5 * header.defaultSectionSize())
    assert header.defaultSectionSize() > 1.5 * page.fontMetrics().height()
    filters = page.filters
    assert not filters.system.isVisible()
    page.show_cause(Cause(topic="t", system="last"))
    assert filters.unfold.text() == "Filters: last · not in full"
    page.activateWindow()
    filters.unfold.setFocus()
    qtbot.waitUntil(filters.unfold.hasFocus)
    QTest.keyClick(filters.unfold, Qt.Key.Key_Return)
    assert all(box.isVisible() for box in (filters.system, filters.state, filters.text))
    QTest.keyClick(filters.unfold, Qt.Key.Key_Tab)
    assert filters.system.hasFocus()
    QTest.keyClick(filters.system, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert filters.unfold.hasFocus()
    QTest.keyClick(filters.unfold, Qt.Key.Key_Return)
    assert not filters.system.isVisible()


def test_that_every_choice_of_the_filters_has_a_name_in_sight_where_there_is_room(page):
    assert page.filters.system.isVisible()
    assert not page.filters.unfold.isVisible()
    named = {label.buddy() for label in labels(page.filters)}
    assert {*page.filters.findChildren(QComboBox)} - named == {page.filters.share}


def test_that_rows_and_links_beside_the_table_lead_to_their_sentence_and_system(page, qtbot):
    details, comparison = page.details, page.details.comparison
    details.setCurrentWidget(comparison.parentWidget())
    assert [one.currentText() for one in (details.first, details.second)] == ["lead", "last"]
    assert column(comparison, 4) == ["+1.00", "+1.00", "0.00", "0.00"]
    pick(details.first, "last")
    pick(details.second, "lead")
    assert column(comparison, 4) == ["−1.00", "−1.00", "0.00", "0.00"]
    page.filters.text.setText("two")
    with qtbot.waitSignal(page.leaving):
        comparison.activated.emit(comparison.grid.index(1, 0))
    sentence, system = page.heat.current()
    assert (sentence.place, system, len(shown_sentences(page))) == ("u-short · 1", "last", 4)
    details.setCurrentWidget(details.spending)
    with qtbot.waitSignal(page.leaving):
        details.spending.activated.emit(details.spending.grid.index(1, 0))
    assert (page.filters.wanted.system, shown_sentences(page)) == ("last", [("t", 1), ("u", 1)])
    page.heat.choose_cell(1, "lead")
    for choose, at in (
        (lambda: details.report.anchorClicked.emit(QUrl("show:d:3")), ref(3)),
        (lambda: page.heat.doubleClicked.emit(page.heat.currentIndex()), 1),
    ):
        with qtbot.waitSignal(page.sentenceChosen) as chosen:
            choose()
        assert chosen.args == ["u", "u-short", at, "lead"]
