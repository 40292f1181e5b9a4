"""The lists of the page: what their rows say, and which are shown."""

from dataclasses import replace
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLabel
from tests.building import alignment
from tests.gui.pages.annotate.conftest import State, s, with_work
from tests.gui.pages.annotate.test_annotating import annotate_table_1
from tests.gui.seeing import says
from tests.in_part import in_turn

from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.visibility import Sight
from awase.core.records.abstract import AlignmentState
from awase.gui.pages.annotate.rows.abstract_rows import AbstractFilter, filtered, has_others
from awase.gui.pages.annotate.rows.source_delegate import cut_mark, ranges_text

K = Qt.Key


@pytest.fixture
def models(annotation):
    page = annotation.page
    return {
        "abstract": page.abstract.model,
        "candidates": page.centre.candidate_model,
        "documents": page.centre.document_model,
        "alternatives": page.alternatives.model,
    }


@pytest.mark.slow
def test_that_the_models_keep_qts_rules_through_a_day_of_work(annotation, models):
    fatal = QAbstractItemModelTester.FailureReportingMode.Warning  # a Qt warning fails the test
    testers = [QAbstractItemModelTester(model, fatal) for model in models.values()]
    annotate_table_1(annotation)
    annotation.press(
        K.Key_Left, K.Key_N, K.Key_1, K.Key_BracketLeft, K.Key_Delete, K.Key_U, K.Key_V
    )
    while annotation.session.undo_stack.canUndo():
        annotation.session.undo_stack.undo()
    while annotation.session.undo_stack.canRedo():
        annotation.session.undo_stack.redo()
    annotation.page.annotation.go_to("0310")
    annotation.page.annotation.go_to(None)
    assert [model.rowCount() for model in models.values()] == [0] * len(testers)


@pytest.mark.slow
def test_that_a_toggle_resets_no_model_and_touches_few_rows(annotation, models, qtbot, monkeypatch):
    touched = []
    for name, model in models.items():
        if name != "alternatives":
            model.modelReset.connect(lambda name=name: touched.append(f"{name} reset"))
            model.dataChanged.connect(
                lambda top, bottom, _roles, name=name: touched.extend(
                    [name] * (bottom.row() - top.row() + 1)
                )
            )
    monkeypatch.setattr(annotation.page.annotation.index, "near_duplicates", lambda ref: ())
    annotation.press_candidates(1)
    assert "candidates reset" not in touched
    assert touched.count("candidates") == 1
    assert touched.count("documents") == 1
    # Once for the entry and once for its bars.
    assert touched.count("abstract") <= 2


def test_that_rows_in_every_state_are_told_and_painted_as_recorded(
    annotation, monkeypatch, painted_parts, golden
):
    page, drawn, told = annotation.page, {}, ("Display", "AccessibleText", "ToolTip")
    act, abstract, alternatives = page.annotation_actions, page.abstract.view, page.alternatives
    candidates, documents = sources = page.centre.candidates, page.centre.documents
    repeating = {s(10): (s(40),)}
    monkeypatch.setattr(page.annotation.index, "near_duplicates", lambda of: repeating.get(of, ()))

    def draw(state, view, *roles, looks=()):
        model = view.model()
        rows = [model.index(row, 0) for row in range(model.rowCount())]
        if view in sources:  # s1, s10 and s50 are linked, s40 is nearly the same
            rows = rows[: view is documents] + [model.index_of(s(n)) for n in (1, 10, 40, 41, 50)]
        for at, row in enumerate(rows):
            parts = painted_parts(view, row, 900, 90, *looks)
            lines = [*(repr(row.data(role)) for role in roles), *parts, ""]
            drawn[f"{view.accessibleName()}, {state}, {at}"] = "\n".join(lines)

    annotation.press_candidates(1)
    annotation.press("N")
    annotation.press_candidates(10)
    annotation.press("B")
    for n in (2, 3):
        page.annotation.select(n)
        act.toggle(s(1))
    page.annotation.select(1)
    page.annotation.stand_at(1)
    act.toggle(s(50))  # which has no digit now
    for view in (abstract, *sources, alternatives.view):
        if view is documents:
            annotation.press("V")
        view.setFocus()
        draw("in focus", view, *(getattr(Qt.ItemDataRole, f"{role}Role") for role in told))
    for view in (abstract, *sources):
        draw("under the mouse", view, looks=[State.State_MouseOver])
    for view, model in ((abstract, page.abstract.model), (candidates, page.centre.sources)):
        model.set_needle("bo")
        draw("with words found", view)
        model.set_needle("")
    page.abstract.model.set_shares({1: [(f"system {at}", Fraction(1, 3)) for at in range(9)]})
    draw("of many systems", abstract)
    page.live_results.choose("system 2")
    act.set_rank(0)
    annotation.press("N", "1", "N")
    rows = alternatives.view.itemDelegate()
    rows.drop_row, rows.most_lines = 1, 2
    draw("of which one repeats another", alternatives.view, Qt.ItemDataRole.AccessibleTextRole)
    page.annotation.stand_at(0)
    act.toggle(s(10))
    rows.drop_row, rows.is_read_only = -1, True
    draw("to be read, of which one holds another", alternatives.view, looks=[State.State_MouseOver])
    for n, settle in ((1, act.confirm), (2, act.toggle_no_source), (3, act.toggle_flag)):
        page.annotation.select(n)
        settle()
    act.set_note("1", "0310", "0310-short", 2, "Why?")
    draw("when settled", abstract, Qt.ItemDataRole.ToolTipRole)
    golden("window/rows", drawn)


def test_that_documents_stand_above_their_sentences_and_the_best_have_digits(annotation, models):
    model = models["documents"]
    document = model.index(0, 0)
    assert model.rowCount(document) == 61
    assert model.parent(model.index(3, 0, document)) == document
    assert not document.flags() & Qt.ItemFlag.ItemIsSelectable
    digit, order = annotation.page.centre.sources.digit, annotation.page.annotation.order
    assert [digit(ref) for ref in order[:10]] == [*range(1, 10), 0]


@in_turn(
    ("numbers", "text"),
    [([], ""), ([2], "2"), ([1, 2], "1,2"), ([1, 2, 3, 5], "1–3,5"), ([1, 3, 4, 5], "1,3–5")],
)
def test_that_runs_of_numbers_are_drawn_together(numbers, text):
    assert ranges_text(numbers) == text


@pytest.mark.slow
@pytest.mark.usefixtures("painted")
def test_that_words_in_common_are_looked_for_in_the_rows_in_sight_alone(
    own_annotation, monkeypatch, qapp
):
    asked, real = [], TopicIndex.matches
    monkeypatch.setattr(
        TopicIndex, "matches", lambda self, ref, text: asked.append(ref) or real(self, ref, text)
    )
    view = own_annotation.page.centre.candidates
    view.setFixedHeight(view.fontMetrics().height() * 6)
    asked.clear()
    own_annotation.press(K.Key_Right)
    qapp.processEvents()
    n_rows = own_annotation.page.centre.candidate_model.rowCount()
    assert 0 < len(asked) < n_rows / 2


def test_that_a_mark_that_is_cut_keeps_its_numbers(qapp):
    metrics = QFontMetricsF(QFont())
    shown = cut_mark("対応 2,13", QFont(), metrics.horizontalAdvance("…2,13") + 1)
    assert shown.endswith("2,13")
    assert shown.startswith("…")


def shown(annotation):
    return annotation.page.abstract.model.numbers


def choose(annotation, choice):
    while annotation.page.abstract.filter.current is not choice:
        annotation.press(K.Key_G)


def test_that_settled_sentences_leave_the_list_of_those_that_are_not(annotation):
    model = annotation.page.abstract.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    choose(annotation, AbstractFilter.UNSETTLED)
    annotation.press("1", K.Key_Return)
    assert annotation.page.annotation.n == 2
    assert shown(annotation) == (2, 3)
    annotation.press(K.Key_U, K.Key_Return, K.Key_U)
    assert shown(annotation) == ()
    annotation.session.undo_stack.undo()
    assert shown(annotation) == (3,)
    assert annotation.page.abstract.view.currentIndex().row() == 0
    annotation.session.undo_stack.redo()
    annotation.press(K.Key_I)
    assert says(annotation.page.strip, "No other sentence")
    assert tester


@pytest.mark.slow
def test_that_arrows_pass_over_what_is_not_shown(annotation):
    annotation.press(K.Key_Right, K.Key_U, K.Key_Left)
    choose(annotation, AbstractFilter.UNSETTLED)
    annotation.press(K.Key_Right)
    assert annotation.page.annotation.n == 3


def test_that_an_empty_filter_says_so_and_each_tells_how_many_it_keeps(annotation):
    choose(annotation, AbstractFilter.FLAGGED)
    notice = annotation.page.abstract.content.notice
    assert notice.isVisible()
    assert notice.findChildren(QLabel)[0].text() == "No sentence is flagged"
    annotation.press(K.Key_F)
    assert shown(annotation) == (1,)
    box = annotation.page.abstract.filter.findChild(QComboBox)
    counts = [box.itemText(row) for row in range(box.count())]
    assert counts == ["all (3)", "not settled (3)", "flagged (1)", "disagreed (0)"]
    assert annotation.stored_state() is AlignmentState.FLAGGED


@pytest.fixture
def two_annotators(table_1, lend_page):
    one, other = alignment("1", "s1;s3"), alignment("2", "s1;s5;s21")
    second = replace(with_work(table_1, other), id="0320")
    return lend_page(with_work(table_1, one, other), second)


@pytest.mark.parametrize(
    ("sight", "kept"), [(Sight.ALL, (2,)), (Sight.SETTLED, (2,)), (Sight.NOTHING, ())]
)
def test_that_disagreements_are_listed_where_others_may_be_seen(two_annotators, sight, kept):
    place = replace(two_annotators.page.annotation.place, sight=sight)
    assert filtered(place, shows_others=True)[AbstractFilter.DISAGREED] == kept
    alone = replace(place, abstract=replace(place.abstract, alignments=(place.alignment,)))
    assert [has_others(one) for one in (place, alone)] == [True, sight is not Sight.ALL]


def test_that_disagreements_are_listed_once_others_are_asked_for(two_annotators):
    box = two_annotators.page.abstract.filter.findChild(QComboBox)
    assert box.itemText(3) == "disagreed (others are hidden)"
    choose(two_annotators, AbstractFilter.DISAGREED)
    assert shown(two_annotators) == ()
    notice = two_annotators.page.abstract.content.notice
    assert notice.findChildren(QLabel)[0].text() == "Others' work is hidden"
    two_annotators.page.centre.setFocus()  # for the keyboard's row would be chosen anyway
    assert two_annotators.page.annotation.n == 3
    two_annotators.press(K.Key_O)
    assert box.itemText(3) == "disagreed (1)"
    assert shown(two_annotators) == (2,)
    assert two_annotators.page.annotation.n == 2
    assert not notice.isVisible()
    two_annotators.page.annotation.go_to("0320")
    assert notice.findChildren(QLabel)[0].text() == "No two annotators disagree"
    two_annotators.page.annotation.go_to("0310")
    two_annotators.press(K.Key_O)
    assert shown(two_annotators) == ()
    assert notice.isVisible()


def test_that_i_goes_to_the_next_incomplete_sentence_even_in_another_topic(two_annotators):
    page = two_annotators.page
    assert page.annotation.n == 3
    two_annotators.press(K.Key_I)
    assert (page.annotation.place.topic.id, page.annotation.n) == ("0320", 1)
    two_annotators.press(K.Key_I)
    assert page.annotation.n == 2
