from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from tests.gui.conftest import small_topic

from awase.core.plots.picture import Dot
from awase.core.progress import Silent
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.core.records.human_score import HumanScore
from awase.core.records.output import TextOutput
from awase.core.statistics.coefficients import Coefficient
from awase.core.statistics.correlation import Level
from awase.gui.correlations.computing import StudyOptions, compute_study, default_metrics
from awase.gui.correlations.models import DifferencesModel, StudyModel
from awase.gui.correlations.page import CorrelationsPage
from awase.gui.session import CorpusSession
from awase.storage.store import CorpusStore

TEXTS = {
    "all": "One. Two.",
    "half": "One or three words.",
    "none": "Nothing at all of it.",
    "gold": "One. Two.",
}
HUMAN = {"all": 4.0, "half": 3.0, "none": 1.0, "last": 0.5}


def corpus() -> Corpus:
    topics = tuple(
        replace(
            small_topic(topic_id),
            outputs=(
                *small_topic(topic_id).outputs,
                *(
                    TextOutput(system=system, length="short", sentences=(text,))
                    for system, text in TEXTS.items()
                ),
            ),
        )
        for topic_id in ("t", "u")
    )
    scores = tuple(
        HumanScore(topic=topic, system=system, measure="quality", value=value)
        for topic in ("t", "u")
        for system, value in HUMAN.items()
    )
    return Corpus(name="x", topics=topics, human_scores=scores)


OPTIONS = StudyOptions(metrics="rouge-1:tokens=unicode", measure="quality", length="short")


@pytest.fixture(scope="module")
def computed():
    return compute_study(corpus(), OPTIONS, None, Silent())


@pytest.fixture
def page(services, qtbot, tmp_path):
    path = tmp_path / "c.awase"
    CorpusStore.create(path, name="c", who="1", addition=addition_of(corpus())).close()
    with CorpusStore.open(path, who="1") as store:
        page = CorrelationsPage(CorpusSession(store, who="1"), services)
        page._metrics.setText("rouge-1:tokens=unicode")
        qtbot.addWidget(page)
        page.resize(900, 600)
        page.show()
        qtbot.waitUntil(lambda: page._model.rowCount() == 3, timeout=20_000)
        yield page
        services.jobs.stop_all()


def test_that_the_table_has_the_metrics_and_their_coefficients(computed) -> None:
    model = StudyModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(computed.study)
    heading = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(6)]
    assert heading == ["Metric", "r", "rho", "tau-b", "Systems", "Topics"]
    assert [model.index(row, 0).data() for row in range(3)] == [
        "rouge-1.r", "rouge-1.p", "rouge-1.f"
    ]  # fmt: skip
    assert [model.index(0, column).data() for column in (4, 5)] == ["4", "2"]
    assert "95 % interval, bootstrap" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


def test_that_differences_have_opposite_signs_across_the_diagonal(computed) -> None:
    model = DifferencesModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(computed.study, Coefficient.R)
    assert model.index(0, 0).data() is None
    above, below = (float(model.index(*at).data().strip("* ")) for at in ((0, 1), (1, 0)))
    assert above == -below
    assert "after Holm's correction" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


def test_that_scores_are_not_computed_again_for_another_level(computed) -> None:
    known = computed
    again = compute_study(known.corpus, replace(OPTIONS, level=Level.GLOBAL), known, Silent())
    assert again.table is known.table
    assert again.study.request.level is Level.GLOBAL
    other = compute_study(known.corpus, replace(OPTIONS, metrics="coverage"), known, Silent())
    assert other.table is not known.table


def test_that_the_metrics_offered_suit_the_corpus() -> None:
    assert default_metrics(corpus()) == "tsc3 rouge:stem=yes,tokens=unicode"
    japanese = replace(small_topic(), language="ja", abstracts=(), outputs=())
    assert default_metrics(Corpus(topics=(japanese,))) == "rouge:tokens=chars"


def test_that_the_plot_follows_the_row(page) -> None:
    page._table.selectRow(1)
    assert page._plot.accessibleName() == "rouge-1.p against quality"
    dots = [shape for shape in page._plot.picture().shapes if isinstance(shape, Dot)]
    assert {dot.tip.partition(":")[0] for dot in dots} == set(HUMAN)
    assert not page._plot.grab().isNull()


def test_that_a_system_can_be_left_out_and_that_is_told(page, qtbot) -> None:
    (action,) = (one for one in page._systems.menu().actions() if one.text() == "none")
    action.setChecked(False)
    qtbot.waitUntil(lambda: page._model.index(0, 4).data() == "3", timeout=20_000)
    assert page._systems.text() == "Systems: 3 of 4"
    assert "left out: none, gold" in page._facts.text()


def test_that_the_component_chooses_the_rows(page, qtbot) -> None:
    page._component.setCurrentIndex(page._component.findData("f"))
    page._component.activated.emit(page._component.currentIndex())
    qtbot.waitUntil(lambda: page._model.rowCount() == 1, timeout=20_000)
    assert page._model.index(0, 0).data() == "rouge-1.f"


def test_that_a_wrong_metric_is_told_in_the_page(page, qtbot) -> None:
    page._metrics.setText("rouge-0")
    page._metrics.editingFinished.emit()
    qtbot.waitUntil(lambda: page._body.currentWidget() is page._empty, timeout=20_000)
    assert "There is no metric “rouge-0”." in page._empty.text()


def test_that_a_corpus_without_human_scores_says_what_to_do(services, qtbot, make_corpus) -> None:
    with CorpusStore.open(make_corpus(), who="1") as store:
        page = CorrelationsPage(CorpusSession(store, who="1"), services)
        qtbot.addWidget(page)
        page.show()
        qtbot.waitUntil(lambda: page._body.currentWidget() is page._empty, timeout=20_000)
        assert "The corpus has no human scores." in page._empty.text()
        services.jobs.stop_all()
