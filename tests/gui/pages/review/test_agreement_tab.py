"""Agreement: coefficients, and sentences the worst first."""

import csv
import io
import random
import re
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from tests import building
from tests.agreement_corpora import MERGED, MISSING, TABLE_1, annotate, corpus, entry, topic
from tests.gui.frame.test_language import left_in_english
from tests.gui.seeing import column, pick, resize

from awase.core.agreement.comparison import WorstFirst
from awase.core.agreement.distances import OF_FAMILIES, Kind, SetDistance
from awase.core.agreement.results import SentenceAgreement
from awase.core.errors import EnvironmentProblem
from awase.core.plots.picture import Dot, Label
from awase.core.records.corpus import Person
from awase.gui.kit.look.theme import Theme
from awase.gui.pages.review.page import ReviewPage
from awase.gui.pages.review.tables import pair_at, sentences_table

EXTRACTS = {"first": [10, 11, 5, 17, 60, 61], "second": [1, 10, 11, 3, 5, 60]}
THREE = [
    topic(
        "T", {"A1": TABLE_1, "A2": MERGED, "A3": [[(1,), (1, 40)], MISSING, []]}, extracts=EXTRACTS
    ),
    topic("U", {"A1": TABLE_1, "A2": TABLE_1, "A3": TABLE_1}),
]


@pytest.fixture
def shown(page_over):
    def is_told(page):
        return page.agreement.study is not None or page.agreement.empty.text()

    def show(*topics, who="A1", persons=()):
        made = replace(corpus(*topics), persons=persons)
        return page_over(ReviewPage, corpus=made, who=who, size=(1000, 700), ready=is_told)

    return show


def test_that_the_worst_sentence_stands_first_and_is_compared_at_every_level(shown):
    page = shown(topic("T", {"A1": TABLE_1, "A2": MERGED}, extracts=EXTRACTS))
    results = page.agreement.results
    assert column(results.sentences, 0) == ["T-a · 1"]
    assert results.headline.value.text() == "α = 0.768"
    results.matrix.clicked.emit(results.matrix.model().index(0, 2))
    assert results.pair is None  # there is no other
    assert "too few topics (1)" in results.headline.facts.text()
    text = results.detail.toPlainText()
    assert "same sentences, grouped otherwise" in text
    # {s10, s11} goes with {s1, s10, s11}, so that {s1} stands alone.
    assert "−s1\n—" in text
    assert "+s1 ∧ s10 ∧ s11" in text.replace("\u00a0", " ")
    assert "●" in text
    assert "not shown" not in text
    assert page.agreement.controls.length_class is None
    shapes = results.headline.picture.picture().shapes
    assert [one.tip for one in shapes if isinstance(one, Dot)] == ["0.768"]
    assert any(isinstance(one, Label) and one.text.startswith("robot") for one in shapes)
    for level, value in ((SetDistance.SUPPORT, "α = 1.000"), (SetDistance.LINKS, "κ = 1.000")):
        choose_level(page, level)
        assert results.headline.value.text() == value
        assert results.sentences.grid.columns[5].is_spare == (level is not SetDistance.SUPPORT)


def test_that_tables_say_what_alpha_rests_on_in_every_language_and_can_be_taken_along(
    shown, golden
):
    tab = shown(*THREE).agreement
    results = tab.results
    QAbstractItemModelTester(results.matrix.grid)
    told = {}
    for name in ("matrix", "topics", "kinds", "effects", "sentences"):
        grid = getattr(results, name).grid
        told[name] = "".join(f"{one}\n" for row in (grid.columns, *grid.rows) for one in row)
    golden("window/agreement", told)
    results.explain(True)
    shown = results.detail.toPlainText()
    assert "α = 1 − Do / De = 1 − 0.2092 / 0.7701 = 0.7284\n6 sentences in 2 topics" in shown
    assert "A1 – A2 − (A2 – A3): +0.294" in shown
    assert len([*csv.DictReader(io.StringIO(tab.text_of("pair.csv")))]) == 7 * 4
    assert len([*csv.DictReader(io.StringIO(tab.text_of("sentence.csv")))]) == 16
    assert tab.text_of("tex").startswith("%")
    tab.controls.copy.click()
    assert "alternatives\tA1 – A2" in QGuiApplication.clipboard().text()
    assert left_in_english(tab) == []
    found = tab.study.agreement
    assert pair_at(found, 0, 2) == pair_at(found, 1, 1) == ("A1", "A2")
    assert [pair_at(found, *cell) for cell in ((1, 2), (3, 1), (0, 4))] == [None] * 3


def test_that_a_cell_narrows_to_its_pair_or_kind_and_again_widens(shown):
    page = shown(*THREE)
    results = page.agreement.results
    assert results.headline.facts.text().startswith("A1 – A2 – A3")
    n_all = results.sentences.n_rows
    results.matrix.clicked.emit(results.matrix.model().index(0, 3))
    assert results.pair == ("A1", "A3")
    assert {one.annotators for one in results.shown} == {("A1", "A3")}
    results.sentences.choose(column(results.sentences, 0).index("T-a · 1"))
    assert "Alternatives that contain another one are not shown: 1" in results.detail.toPlainText()
    assert page.agreement.controls.filtered.text() == "A1 – A3"
    assert results.sentences.n_rows < n_all
    assert not results.sentences.grid.columns[1].is_shown  # the pair, as it is the same
    assert sum(map(int, column(results.kinds, 1))) == 5  # of six A3 left one
    page.agreement.controls.all.click()
    assert results.sentences.n_rows == n_all
    assert not page.agreement.controls.all.isVisible()
    kinds = column(results.kinds, 0)  # those where they agree, too
    results.kinds.clicked.emit(results.kinds.model().index(kinds.index("identical"), 0))
    assert {one.kind for one in results.shown} == {Kind.IDENTICAL}
    assert len(results.shown) == int(column(results.kinds, 1)[kinds.index("identical")])
    for pair in (("A1", "A3"), None):  # pressed again, it widens to the kind alone
        results.matrix.clicked.emit(results.matrix.model().index(0, 3))
        assert (results.pair, results.kind) == (pair, Kind.IDENTICAL)


def choose_level(page: ReviewPage, distance: SetDistance) -> None:
    pick(page.agreement.controls.level, distance)


def test_that_keys_open_the_comparison_go_on_and_come_back(shown, qtbot):
    page = shown(*THREE)
    results = page.agreement.results
    results.sentences.setFocus()
    first = results.current()
    qtbot.keyClick(results.sentences, Qt.Key.Key_Return)
    assert results.sentences.isHidden()
    qtbot.keyClick(results.detail, Qt.Key.Key_BracketRight)
    assert results.current() != first
    qtbot.keyClick(results.detail, Qt.Key.Key_BracketLeft)
    assert results.current() == first
    qtbot.keyClick(results.detail, Qt.Key.Key_Escape)
    assert not results.sentences.isHidden()
    qtbot.keyClick(results.sentences, Qt.Key.Key_H)
    assert "1 − Do / De" in results.detail.toPlainText()
    for open_it in (
        lambda: results.sentences.doubleClicked.emit(results.sentences.currentIndex()),
        lambda: qtbot.keyClick(results.sentences, Qt.Key.Key_Return),
        lambda: results.detail.setFocus() or qtbot.keyClick(results.detail, Qt.Key.Key_Return),
    ):
        assert page.agreement.controls.how.isChecked()
        open_it()  # the comparison, not how it came about
        assert results.sentences.isHidden()
        assert not page.agreement.controls.how.isChecked()
        qtbot.keyClick(results.detail, Qt.Key.Key_Escape)
        qtbot.keyClick(results.sentences, Qt.Key.Key_H)
    qtbot.keyClick(results.sentences, Qt.Key.Key_H)
    assert "1 − Do / De" not in results.detail.toPlainText()
    with qtbot.waitSignal(page.sentenceChosen) as caught:
        qtbot.keyClick(results.sentences, Qt.Key.Key_O)
    assert caught.args == [first.topic, first.abstract, first.n]
    with qtbot.waitSignal(page.sentenceChosen) as caught:
        results.detail.anchorClicked.emit(QUrl("show:d:5"))
    assert caught.args == [first.topic, first.abstract, building.ref(5)]


def test_that_one_annotator_is_told_and_nothing_can_be_copied(shown):
    tab = shown(topic("T", {"A1": TABLE_1})).agreement
    assert "at least two annotators" in tab.empty.text()
    assert not tab.controls.copy.isVisible()
    assert tab.text_of("pair.csv") == ""
    assert tab.results.headline.picture.isHidden(), "an empty picture, a third of the page"


def test_that_an_edit_is_seen_among_all_sentences_and_those_of_a_kind_and_of_a_level(shown, qtbot):
    page = shown(topic("T", {"A1": TABLE_1, "A2": MERGED}))
    tab = page.agreement
    results, before = tab.results, tab.study
    annotate(page.session, entry(1, MERGED[0]))
    qtbot.waitUntil(lambda: tab.study is not before)
    before = tab.study
    assert column(results.sentences, 0) == []
    assert "agree on every sentence" in results.detail.toPlainText()
    choose_level(page, SetDistance.SUPPORT)
    results.narrow(None, Kind.IDENTICAL)
    known = {one.n for one in results.shown}
    annotate(page.session, entry(max(known), [(61,)]))
    assert not results.headline.picture.isHidden()
    qtbot.waitUntil(lambda: tab.study is not before)
    assert {one.n for one in results.shown} == known - {max(known)}
    assert column(results.sentences, 0) == [f"T-a · {n}" for n in sorted(known - {max(known)})]
    kinds = dict(zip(column(results.kinds, 0), column(results.kinds, 1), strict=True))
    assert kinds.get("identical", "0") == str(len(known) - 1)
    row = tab.study.agreement.row(("A1", "A2"), SetDistance.SUPPORT)
    assert results.headline.value.text() == f"α = {row.alpha:.3f}"


def test_that_what_else_is_lacking_is_told_beside_what_is_hidden(shown):
    page = shown(THREE[0], topic("V", {"A3": TABLE_1}), who="A3", persons=(Person(id="A3"),))
    assert re.search("hidden .*: 1 of 2.*\n.*two annotators", page.agreement.empty.text())


def test_that_an_annotator_is_told_that_the_own_work_comes_first(shown, qtbot, monkeypatch):
    page = shown(THREE[0], who="A3", persons=(Person(id="A3"), Person(id="L", role="lead")))
    tab = page.agreement
    assert "hidden from you here: 1 of 1" in tab.empty.text()
    assert "two annotators" not in tab.empty.text()
    page.session.set_who("L")
    qtbot.waitUntil(lambda: tab.study is not None)
    page.tabs.setCurrentWidget(page.adjudication)
    qtbot.waitUntil(lambda: bool(page.adjudication.queue.cases))
    page.session.set_who("A3")
    qtbot.waitUntil(lambda: not page.adjudication.queue.cases)
    page.show_agreement()
    qtbot.waitUntil(lambda: tab.study is None and "hidden" in tab.empty.text())

    def fails(*_):
        raise EnvironmentProblem("The disk is full.")

    monkeypatch.setattr("awase.gui.pages.review.page.raters_in", fails)
    tab.compute()
    qtbot.waitUntil(lambda: tab.empty.text() == "The disk is full.")


@pytest.mark.slow
def test_that_tables_are_no_higher_than_their_rows_and_parted_where_the_sentences_are(shown):
    page = shown(topic("T", {"A1": TABLE_1, "A2": MERGED}))
    resize(page, 1600, 2000)
    results = page.agreement.results
    assert results.sentences.height() > 3 * results.kinds.height()
    assert results.kinds.verticalScrollBar().maximum() == 0
    resize(page, 1366, 640)
    lefts = [one.mapTo(page, QPoint()).x() for one in (results.kinds, results.detail)]
    assert lefts[0] == lefts[1] > page.width() / 2


@pytest.mark.slow
@pytest.mark.parametrize("points", [10, 16])
def test_that_the_text_is_seen_beside_three_annotators_on_a_small_screen(shown, services, points):
    services.themes.set_theme(Theme.named("light", points))
    page = shown(*THREE)
    page.resize(1366 - 9 * page.fontMetrics().height(), 640)  # beside the rail
    QApplication.processEvents()
    table = page.agreement.results.sentences
    texts = len(table.grid.columns) - 1
    place = table.visualRect(table.grid.index(0, texts))
    assert place.width() >= 8 * page.fontMetrics().height()
    assert place.right() < table.viewport().width()


PAIRS = (("A", "B"), ("A", "C"), ("B", "C"))


def made(n, seed=5):
    rng = random.Random(seed)
    return [
        SentenceAgreement(
            topic=f"T{at // 9}",
            abstract=rng.choice("xyz"),
            n=at,
            annotators=rng.choice(PAIRS),
            kind=rng.choice([*Kind]),
            distances={level: rng.choice((None, 0.0, 0.25, 1.0)) for level in OF_FAMILIES},
        )
        for at in range(n)
    ]


@pytest.mark.slow
def test_that_they_are_those_given_the_worst_first_and_equal_ones_in_their_order():
    given = made(300)
    order = sorted(given, key=lambda one: -(one.distances[SetDistance.ALTERNATIVES] or 0.0))
    assert [*WorstFirst(given)] == order
    assert WorstFirst(given)[2:5] == tuple(order[2:5])
    for pair in (None, *PAIRS, ("C", "D")):
        for kind in (None, *Kind):
            wanted = [
                one
                for one in order
                if pair in (None, one.annotators)
                and (one.kind is kind if kind else not one.kind.is_agreement)
            ]
            found = WorstFirst(given).narrowed(pair, kind)
            assert [*found] == wanted
            assert [found.place_of(one) for one in wanted] == [*range(len(wanted))]
            assert found.place_of(None) == -1
            others = (one for one in given if one not in wanted)
            assert {found.place_of(one) for one in others} <= {-1}


def test_that_a_row_is_made_when_it_is_asked_for_and_sorted_by_what_it_says():
    asked = []

    def text_of(one):
        asked.append(one)
        return f"{one.n % 7} {one.n}"

    sentences = WorstFirst(made(30))
    grid = sentences_table(sentences, text_of, SetDistance.FUNCTION, has_pairs=True)
    assert not asked
    rows = [*grid.rows]
    assert len(asked) == len(rows) == 30
    for at in range(len(grid.columns)):
        assert [*grid.rows.values(at)] == [row[at].value for row in rows]
