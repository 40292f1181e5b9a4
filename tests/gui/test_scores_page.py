from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from tests.gui.conftest import small_topic

from awase.core.errors import Problem
from awase.core.progress import Silent
from awase.core.records.alignment import AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.gui.scores.arrangement import arranged
from awase.gui.scores.computing import ScoreOptions, Scores, compute_scores
from awase.gui.scores.model import UNDEFINED, ScoresModel
from awase.gui.scores.page import ScoresPage
from awase.gui.session import CorpusSession
from awase.storage.store import CorpusStore


def scores_of(*topics) -> Scores:
    return compute_scores(Corpus(name="x", topics=topics), ScoreOptions(), Silent())


@pytest.fixture
def page(services, qtbot, make_corpus):
    path = make_corpus(small_topic("t"), small_topic("u", state=AlignmentState.TODO))
    with CorpusStore.open(path, who="1") as store:
        page = ScoresPage(CorpusSession(store, who="1"), services)
        qtbot.addWidget(page)
        page.show()
        qtbot.waitUntil(lambda: page._model.rowCount() == 2)
        yield page
        services.jobs.stop_all()


def test_that_means_have_a_column_for_the_number_of_topics() -> None:
    shown = arranged(scores_of(small_topic("t"), small_topic("u")), None)
    assert [column.metric for column in shown.columns] == [
        "precision",
        "coverage",
        "weighted-coverage",
        "",
    ]
    assert shown.systems == ("lead", "last")
    assert shown.cells[0][-1].n_topics == 2
    assert shown.h == (("short", Fraction(2)),)


def test_that_a_topic_is_shown_without_the_number_of_topics() -> None:
    shown = arranged(scores_of(small_topic("t"), small_topic("u")), "u")
    assert all(column.metric for column in shown.columns)
    assert shown.topic == "u"


def test_that_the_best_value_of_a_column_is_marked() -> None:
    shown = arranged(scores_of(small_topic()), "t")
    coverage = [column.metric for column in shown.columns].index("coverage")
    assert [row[coverage].is_best for row in shown.cells] == [True, False]


def test_that_an_undefined_score_is_a_dash_with_its_reason(qapp) -> None:
    score = Score(
        topic="t", length=None, system="s", metric="coverage", value=None, signature="coverage:x",
        reason=Problem(what="The corpus has no topic “{topic}”.", fields={"topic": "t"}),
    )  # fmt: skip
    model = ScoresModel()
    model.show(arranged(Scores(table=ScoreTable(scores=(score,)), h={}), "t"))
    cell = model.index(0, 1)
    assert cell.data() == UNDEFINED
    assert cell.data(Qt.ItemDataRole.ToolTipRole) == "The corpus has no topic “t”."


def test_that_the_model_keeps_qts_rules(qapp) -> None:
    model = ScoresModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(arranged(scores_of(small_topic("t"), small_topic("u")), None))
    model.retranslate()
    model.show(arranged(scores_of(small_topic("t")), "t"))


def test_that_provisional_scores_are_marked_with_words(page) -> None:
    assert page._footer._provisional.isVisible()
    assert "provisional" in page._footer._provisional.text()
    assert page._model.index(0, 1).data().endswith("*")
    page._topic.setCurrentIndex(page._topic.findData("t"))
    assert not page._footer._provisional.isVisible()
    assert page._model.index(0, 1).data() == "1.000"


def test_that_the_exact_value_and_signature_are_in_the_tool_tip(page) -> None:
    page._topic.setCurrentIndex(page._topic.findData("t"))
    text = page._model.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert text.startswith("1/2 = 0.500000")
    assert "coverage:first=h" in text


def test_that_the_table_is_copied_as_shown(page) -> None:
    page._topic.setCurrentIndex(page._topic.findData("t"))
    page._table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    page.copy_table()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == [
        "System",
        "short Precision",
        "short Coverage",
        "short Weighted coverage",
    ]
    assert [line.split("\t")[0] for line in lines[1:3]] == ["last", "lead"]
    assert lines[3].startswith("# precision:")


def test_that_a_change_of_the_corpus_brings_new_scores(page, qtbot) -> None:
    from awase.core.records.edit import RankEdit

    page._topic.setCurrentIndex(page._topic.findData("t"))
    before = page._model.index(1, 3).data()
    edit = RankEdit(verb="rank", topic="t", abstract="t-short", n=2, old="B", new="A")
    assert page._session.perform(edit)
    qtbot.waitUntil(lambda: page._model.index(1, 3).data() != before)


def test_that_strict_scoring_is_in_the_signature(page, qtbot) -> None:
    page._strict.setChecked(True)
    qtbot.waitUntil(
        lambda: any("strict=yes" in text for _, text in page._model.arrangement.signatures)
    )


def test_that_a_corpus_without_extracts_says_what_to_do(services, qtbot, make_corpus) -> None:
    from dataclasses import replace

    path = make_corpus(replace(small_topic(), outputs=()))
    with CorpusStore.open(path, who="1") as store:
        page = ScoresPage(CorpusSession(store, who="1"), services)
        qtbot.addWidget(page)
        page.show()
        qtbot.waitUntil(lambda: page._body.currentWidget() is page._empty)
        assert "import" in page._empty.text()
        services.jobs.stop_all()
