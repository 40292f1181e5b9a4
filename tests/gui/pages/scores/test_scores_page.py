import threading
from dataclasses import replace
from functools import partial
from itertools import product
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from tests import building
from tests.gui.conftest import small_topic
from tests.gui.lending import Opened
from tests.gui.seeing import button, column, copies_once, hearing, press, says, texts
from tests.in_part import in_part
from tests.programs import ran

from awase.core.annotation.content import without_systems
from awase.core.errors import EnvironmentProblem, Problem, Silent
from awase.core.metrics.registry import requests_of
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.abstract import AlignmentState, GoldEntry
from awase.core.records.corpus import Corpus
from awase.core.records.edits import REMOVE_SYSTEMS, RankEdit
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import Topic
from awase.core.reports.score_report import Arrangement, View, ViewKind, arranged
from awase.gui.kit.i18n import set_language
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import GridRole, whys_on
from awase.gui.pages.scores.page import ScoresPage
from awase.gui.pages.scores.table import (
    ScoreRole,
    ScoresFooter,
    ScoresModel,
    ScoresTable,
    cell_explanation,
)
from awase.gui.session.metric_drafts import correlated_metrics, score_metrics
from awase.gui.session.pages import Cause
from awase.gui.session.scoring_choices import MetricsDialog
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Settings
from awase.jobs.scoring import DEFAULT_METRICS, StatisticsPlan, score, with_statistics
from awase.jobs.subset import Subset
from awase.jobs.supplies.gathering import Places
from awase.storage.store import CorpusStore


def scores_of(*topics, plan: StatisticsPlan | None = None, metrics=DEFAULT_METRICS) -> ScoreArrays:
    corpus = Corpus(name="x", topics=topics)
    table = score(corpus, requests_of(metrics), Silent())
    return with_statistics(table, plan or StatisticsPlan(), Silent())


def row_names(shown: Arrangement) -> tuple[str, ...]:
    return tuple(row.name for row in shown.rows)


def names(shown: Arrangement) -> list[str]:
    return [column.metric.metric if column.metric else "" for column in shown.columns]


def topic_view(topic: str) -> View:
    return View(kind=ViewKind.TOPIC, subject=topic)


def choose_topic(page: ScoresPage, topic: str) -> None:
    page.controls.topic.chosen.emit(topic)


def has_two_rows(page):
    return page.table.scores.rowCount() == 2


def as_at_first(page):
    page.show_view(View())
    page.table.setCurrentIndex(QModelIndex())


@pytest.fixture(scope="module")
def lent(lend):
    return lend(
        ScoresPage,
        Corpus(topics=(small_topic("t"), small_topic("u", state=AlignmentState.TODO))),
        ready=has_two_rows,
        restore=as_at_first,
    )


def decided(topic: Topic) -> Topic:
    (abstract,) = topic.abstracts
    gold = tuple(GoldEntry(entry=entry) for entry in abstract.alignments[0].sentences)
    return replace(topic, abstracts=(replace(abstract, gold=gold),))


def test_that_adjudicated_gold_is_offered_and_used_at_a_press(page, page_over, qtbot):
    assert page.gold.isHidden()  # nothing was adjudicated
    page = page_over(ScoresPage, decided(small_topic("t")), ready=has_two_rows)
    assert says(page, "what was adjudicated is not used")
    page.choose_metrics((*DEFAULT_METRICS, "coverage:annotator=all"))
    press(page, "Use the gold")
    used = (*(f"{name}:annotator=gold" for name in DEFAULT_METRICS), "coverage:annotator=all")
    assert page.metrics() == used
    qtbot.waitUntil(page.gold.isHidden)
    qtbot.waitUntil(lambda: "annotator=gold" in str(page.print_notes()))


def test_that_scores_that_come_under_the_keyboard_have_a_cell_of_their_own(qtbot):
    table = qtbot.shown(ScoresTable(ThemeBox(Theme.named("light", 10))))
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    assert not table.currentIndex().isValid()
    table.show_arrangement(arranged(scores_of(small_topic("t")), View()))
    assert (table.currentIndex().row(), table.currentIndex().column()) == (0, 0)
    QTest.keyClick(table, Qt.Key.Key_Right)
    assert table.currentIndex().column() == 1


def test_that_the_table_is_copied_as_shown(page):
    choose_topic(page, "t")
    page.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    with copies_once():
        button(page, "Copy table").click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == [
        "System", "short Precision", "short Coverage", "short Weighted coverage",
    ]  # fmt: skip
    assert [line.split("\t")[0] for line in lines[1:3]] == ["last", "lead"]
    assert lines[3].startswith("# precision:")
    for_word_processors = QGuiApplication.clipboard().mimeData().html()
    assert "<th>System</th>" in for_word_processors
    assert "<td>lead</td>" in for_word_processors


def of_texts(language: str | None) -> Topic:
    """A topic without abstracts, whose outputs bring what they are compared with."""
    outputs = (building.text("neural", "One.", references=[["One. Two."]]),)
    return Topic(id="t", language=language, outputs=outputs)


def test_that_the_metrics_offered_suit_the_corpus(make_corpus):
    def offered(*topics: Topic) -> tuple[tuple[str, ...], tuple[str, ...]]:
        with CorpusStore.open(make_corpus(*topics), who="1") as store:
            session = CorpusSession(store, who="1")
            return score_metrics(session, Settings()), correlated_metrics(session)

    rouge = "rouge:stem=yes,tokens=unicode"
    assert offered(small_topic()) == (DEFAULT_METRICS, (*DEFAULT_METRICS, rouge))
    assert offered(of_texts(None)) == ((rouge,), (rouge,))
    assert offered(of_texts("ja")) == (("rouge:tokens=chars",), ("rouge:tokens=chars",))


def test_that_a_number_says_what_it_is(page):
    page.table.setCurrentIndex(page.table.grid.index(0, 2))
    why, of_h = whys_on(page, page.table)
    assert "mean h" in of_h.name
    assert "1 = 1.000000" in why.text
    assert "Mean over 2 topics" in why.text


def test_that_t_shows_the_metric_topic_by_topic_and_escape_goes_back(page, qtbot):
    page.table.setCurrentIndex(page.table.grid.index(0, 2))
    qtbot.keyClick(page.table, Qt.Key.Key_T)
    shown = page.table.arrangement
    assert shown.view.kind is ViewKind.METRIC
    assert shown.view.metric.metric == "coverage"
    assert [column.system for column in shown.columns] == ["lead", "last"]
    assert shown.cells[0][0].value == 1.0
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    assert page.table.arrangement.view == View()
    assert not page.controls.back.isVisible()
    assert page.controls.topic.text() == "Mean over topics"
    assert page.table.currentIndex() == page.table.grid.index(0, 2)


def test_that_a_system_and_a_topic_of_it_are_shown_alone_and_means_where_one_was(page, qtbot):
    page.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    page.table.setCurrentIndex(page.table.grid.index(0, 2))
    assert page.table.cause_at(page.table.grid.index(0, 2)).system == "last"  # the lowest
    page.table.clicked.emit(page.table.grid.index(0, 0))
    shown = page.table.arrangement
    assert (shown.view.kind, shown.view.subject) == (ViewKind.SYSTEM, "last")
    assert column(page.table, 0) == [*row_names(shown)] == ["t", "u"]
    assert names(shown) == ["precision", "coverage", "weighted-coverage"]
    cause = page.table.cause_at(page.table.grid.index(0, 2))
    assert cause == Cause(topic="t", system="last", length="short", metric="coverage")
    assert (page.controls.back.isVisible(), page.controls.topic.text()[:4]) == (True, "last")
    page.table.activated.emit(page.table.grid.index(1, 0))
    assert page.table.arrangement.view == topic_view("u")
    assert page.controls.topic.topic_id == "u"
    page.table.setCurrentIndex(page.table.grid.index(0, 1))
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    at = page.table.currentIndex()
    assert (page.table.row_of(at), at.column()) == (1, 2)


LONG = "階層的注意機構と強化学習による抽出型要約 第00版"
HORIZONTAL = Qt.Orientation.Horizontal
ROLES = (
    *(getattr(Qt.ItemDataRole, f"{name}Role") for name in ("Display", "ToolTip", "Font")),
    *(role for role in GridRole if role is not GridRole.OWN), *ScoreRole,
)  # fmt: skip


def arrangements() -> dict[str, Arrangement]:
    """Returns tables with every kind of heading, cell and mark."""
    known, other = small_topic("t"), small_topic("u", state=AlignmentState.TODO)
    (abstract,), outputs = small_topic("v").abstracts, (building.extract("lead", 1, length="long"),)
    longer = replace(known, id="v", abstracts=(replace(abstract, length="long"),), outputs=outputs)
    means = scores_of(known, replace(other, outputs=other.outputs[1:]), longer)
    sizes = means.table.cover_sizes
    later = tuple(replace(one, annotator="2", h=one.h + 3) for one in sizes)
    means = replace(means, table=replace(means.table, cover_sizes=sizes + later))
    written = replace(known, outputs=(building.text("lead", "One two.", length="short"),))
    options = scores_of(known, metrics=("coverage:strict=yes", "coverage"))
    stems = "rouge-1:stem=yes,tokens=unicode", "rouge-1:tokens=unicode"
    parts = scores_of(written, metrics=stems)
    undefined = Score(
        topic="t", length=None, system=LONG, metric="coverage", value=None, signature="coverage:x",
        reason=Problem(what="The corpus has no topic “{topic}”.", fields={"topic": "t"}),
    )  # fmt: skip
    dashes = ScoreArrays(table=ScoreTable(scores=(undefined,)))
    of_reason = arranged(dashes, topic_view("t"))
    metric = View(kind=ViewKind.METRIC, metric=of_reason.columns[0].metric)
    plan = StatisticsPlan(has_intervals=True, baseline="last")
    tests = arranged(scores_of(*(small_topic(f"t{at}") for at in range(8)), plan=plan), View())
    (_, lead, _, count), last = tests.cells
    # All of 8 differences have one sign: p = 2 / 2^8, times the three comparisons of the table.
    assert lead.comparison.adjusted_p == pytest.approx(3 * 2 / 2**8)
    others = (replace(lead.comparison, difference=-0.5, p=p) for p in (0.01, None))
    cells = (lead, *(replace(lead, comparison=one) for one in others), count), last
    return {
        "means": arranged(means, View()), "since": arranged(means, View(), means.table),
        "a topic": arranged(means, topic_view("t")),
        "options": arranged(options, View()), "parts": arranged(parts, topic_view("t")),
        "a reason": of_reason, "a metric": arranged(dashes, metric),
        "tests": replace(tests, cells=cells),
    }  # fmt: skip


def test_that_tables_of_scores_say_what_was_recorded_in_both_languages(qtbot, golden):
    cases, told = arrangements(), {}
    footer, model = qtbot.added(ScoresFooter()), ScoresModel()
    for language in ("en", "ja"):
        set_language(language)
        for name, shown in cases.items():
            model.show_arrangement(shown)
            footer.show_arrangement(shown, ())
            places = product(range(model.rowCount()), range(model.columnCount()))
            headings = product(range(model.columnCount()), ROLES[:2])
            lines = [repr(model.headerData(at, HORIZONTAL, role)) for at, role in headings]
            looks = ((role, model.index(*place).data(role)) for place in places for role in ROLES)
            lines += [
                f"{role.name} {look.bold() if isinstance(look, QFont) else repr(look)}"
                for role, look in looks if look is not None
            ]  # fmt: skip
            told[f"{name} ({language})"] = "\n".join([*lines, *texts(footer), ""])
    golden("window/scores", told)


def test_that_the_subset_dialog_tells_what_is_checked(page, qtbot):
    dialog = page.ask_subset()
    dialog.systems.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    with qtbot.waitSignal(dialog.chosen) as heard:
        press(dialog, "OK")
    assert heard.args == [Subset(topics=None, systems=("lead",))]
    dialog.systems.check_all(Qt.CheckState.Unchecked)
    assert not button(dialog, "OK").isEnabled()
    assert page.ask_subset().systems.checked() == ("lead",)  # as it was chosen
    set_language("ja")
    QApplication.processEvents()
    assert button(page, "文書セットとシステム：システム 1 件") is page.controls.subset


def test_that_the_metrics_of_a_corpus_are_remembered_and_others_are_not_touched(
    page, opened, qtbot, session
):
    services = opened.services
    page.choose_metrics(("precision", "precision:first=1"))
    qtbot.waitUntil(lambda: len(page.table.arrangement.columns) == 3)
    assert [column.title for column in page.table.arrangement.columns] == [
        "precision:first=h", "precision:first=1", "",
    ]  # fmt: skip
    again = qtbot.added(ScoresPage(session, services, None))
    assert again.metrics() == ("precision", "precision:first=1")
    assert [*services.settings.settings.score_metrics] == [session.location]


def test_that_a_cancelled_job_says_that_the_scores_are_old(page, qtbot, monkeypatch):
    gate = threading.Event()

    def slow(corpus, requests, reporter, *, subset, supplies):
        gate.wait(60)
        reporter.advance(0, 1)

    monkeypatch.setattr("awase.gui.pages.scores.page.score", slow)
    page.compute()
    page.strip.stop()
    gate.set()
    qtbot.waitUntil(lambda: page.strip.note.isVisible())
    assert not page.controls.keep.isEnabled()
    monkeypatch.undo()
    page.strip.again.click()
    qtbot.waitUntil(lambda: page.controls.keep.isEnabled())
    assert not page.strip.note.isVisible()


# --- what ends late ------------------------------------------------------------------------------


@pytest.fixture
def held(monkeypatch, qtbot):
    """Holds the statistics that an act begins, and returns what lets them go on when it is set."""
    is_held, go_on = threading.Event(), threading.Event()

    def slow(table, plan, reporter):
        if not is_held.is_set():
            is_held.set()
            go_on.wait(60)
        return with_statistics(table, plan, reporter)

    def hold(act, *given):
        monkeypatch.setattr("awase.gui.pages.scores.page.with_statistics", slow)
        act(*given)
        qtbot.waitUntil(is_held.is_set)
        return go_on

    yield hold
    go_on.set()


def at_rest(opened: Opened, qtbot) -> None:
    qtbot.waitUntil(lambda: not opened.services.jobs.is_busy)


def test_that_late_statistics_do_not_bring_back_the_scores_of_another_choice(
    page, opened, qtbot, held
):
    go_on = held(page.controls.intervals.setChecked, True)
    page.choose_subset(Subset(topics=()))
    qtbot.waitUntil(lambda: row_names(page.table.arrangement) == ())
    go_on.set()
    at_rest(opened, qtbot)
    assert row_names(page.table.arrangement) == ()
    assert says(page, "have no scores")


def test_that_stopped_statistics_leave_the_scores_as_they_are(page, opened, qtbot, held):
    go_on = held(page.controls.intervals.setChecked, True)
    page.strip.stop()
    go_on.set()
    at_rest(opened, qtbot)
    assert page.strip.note.text() == "Stopped: intervals and tests are missing."
    assert page.controls.keep.isEnabled()
    page.strip.again.click()
    qtbot.waitUntil(lambda: bool(page.table.arrangement.resampling))
    assert "[" not in page.table.scores.index(0, 1).data()  # too few topics for intervals


def test_that_intervals_asked_for_while_scores_are_made_are_of_those_scores(
    page, opened, qtbot, held
):
    go_on = held(page.choose_subset, Subset(topics=("t",), systems=("lead",)))
    page.controls.intervals.setChecked(True)
    go_on.set()
    qtbot.waitUntil(lambda: row_names(page.table.arrangement) == ("lead",))
    at_rest(opened, qtbot)
    assert row_names(page.table.arrangement) == ("lead",)
    assert page.table.arrangement.resampling


@pytest.mark.slow
def test_that_a_choice_takes_the_place_of_a_kept_run(page, opened, qtbot, session):
    with qtbot.waitSignal(page.kept.runKept):
        page.keep_scores("all")
    page.kept.show_run(session.store.score_runs()[0].id)
    qtbot.waitUntil(page.banner.isVisible)
    page.choose_subset(Subset(systems=("lead",)))
    at_rest(opened, qtbot)
    assert row_names(page.table.arrangement) == ("lead",)
    assert not page.banner.isVisible()


def test_that_scores_of_earlier_metrics_do_not_come_back_where_others_failed(
    page, opened, qtbot, monkeypatch
):
    heard = hearing(monkeypatch)
    page.choose_metrics(("rouge-we-1",))  # for which no vectors are named
    qtbot.waitUntil(lambda: not page.table.isVisible())
    assert any("vectors" in text and is_urgent for text, is_urgent in heard)
    page.show_view(topic_view("t"))
    page.controls.intervals.setChecked(True)
    at_rest(opened, qtbot)
    assert not page.table.isVisible()
    assert not page.controls.export.isEnabled()
    set_language("ja")
    QApplication.processEvents()
    assert not page.findChild(ScoresFooter).isVisible()  # nothing of the scores that went
    page.choose_metrics(DEFAULT_METRICS)
    qtbot.waitUntil(page.table.isVisible)


@pytest.mark.parametrize("language", in_part(["ja", "en"]))
def test_that_a_metric_that_fails_says_why_beside_the_others(page, opened, qtbot, language):
    set_language(language)
    model = {"en": "Subtree similarity needs a language model", "ja": "言語モデルが必要です"}
    page.choose_metrics(("coverage", "subtree", "be"))
    qtbot.waitUntil(lambda: says(page.failed, model[language]))
    assert page.table.isVisible()
    at = names(page.table.arrangement)
    shown = [row[at.index("coverage")].value for row in page.table.arrangement.cells]
    assert shown == [1.0, 0.5]
    assert all(row[at.index("subtree")].value is None for row in page.table.arrangement.cells)
    column = page.table.arrangement.columns[at.index("subtree")]
    tip = cell_explanation(page.table.arrangement.cells[0][at.index("subtree")], column)
    assert model[language] in tip.splitlines()[0]
    told = " ".join(one.text() for one in page.failed.findChildren(QLabel))
    assert "subtree" not in told
    assert "be " not in told
    asked = []
    page.failed.commandChosen.connect(asked.append)
    parse, choose = page.failed.findChildren(QPushButton)
    parse.click()
    assert asked == ["menu:parse"]
    choose.click()
    assert page.findChild(MetricsDialog).isVisible()
    page.findChild(MetricsDialog).reject()
    page.choose_metrics(DEFAULT_METRICS)
    qtbot.waitUntil(page.failed.isHidden)
    at_rest(opened, qtbot)


@pytest.mark.slow
def test_that_where_there_are_no_scores_a_button_brings_all(page, opened, qtbot):
    page.choose_subset(Subset(systems=("nobody",)))
    qtbot.waitUntil(lambda: says(page, "have no scores"))
    at_rest(opened, qtbot)
    assert button(page, "Metrics").isVisible()
    button(page, "All topics and systems").setFocus()
    QTest.keyClick(button(page, "All topics and systems"), Qt.Key.Key_Return)
    qtbot.waitUntil(page.table.isVisible)
    assert page.subset == Subset()
    qtbot.waitUntil(page.table.hasFocus)


def test_that_kept_scores_are_shown_as_they_were_and_said_to_be_out_of_date(page, qtbot, session):
    page.choose_subset(Subset(topics=("t",)))
    qtbot.waitUntil(lambda: page.table.arrangement.cells[0][-1].n_topics == 1)
    with qtbot.waitSignal(page.kept.runKept):
        page.keep_scores("first")
    before = page.table.scores.index(1, 3).data()
    page.kept.show_run(session.store.score_runs()[0].id)
    qtbot.waitUntil(lambda: page.kept.shown is not None)
    assert not says(page.banner, "out of date")
    page.banner.chosen.emit()
    edit = RankEdit(verb="rank", topic="t", abstract="t-short", n=2, old="B", new="A")
    assert session.perform(edit)
    qtbot.waitUntil(lambda: page.table.scores.index(1, 3).data() != before)
    (kept,) = session.store.score_runs()
    assert kept.selection.topics == ("t",)
    assert kept.selection.metrics == DEFAULT_METRICS
    dialog = page.kept.open_dialog()
    assert "out of date" in dialog.list.item(0).text()
    dialog.fields.button("show").click()
    qtbot.waitUntil(lambda: page.kept.shown is not None)
    assert page.table.scores.index(1, 3).data() == before
    assert says(page.banner, "out of date, the corpus has changed")
    assert not page.controls.keep.isEnabled()
    page.banner.chosen.emit()
    assert page.table.scores.index(1, 3).data() != before
    page.kept.compare_with(kept.id)
    qtbot.waitUntil(lambda: page.kept.compared is not None)
    assert "(" in page.table.scores.index(1, 3).data()
    assert page.table.scores.index(0, 1).data().endswith("(=)")
    page.banner.chosen.emit()
    assert page.table.scores.index(0, 1).data() == "1.000"
    page.kept.show_run(kept.id)
    qtbot.waitUntil(lambda: page.kept.shown is not None)
    page.kept.compare_with(kept.id)
    qtbot.waitUntil(lambda: page.kept.shown is None)
    page.kept.show_run(kept.id)
    qtbot.waitUntil(lambda: page.kept.shown is not None)
    assert page.table.scores.index(1, 3).data() == before  # compared with nothing
    dialog = page.kept.open_dialog()
    with pytest.MonkeyPatch.context() as patched:
        full = Mock(side_effect=EnvironmentProblem("The disk is full.", "Make room."))
        patched.setattr(session.store, "remove_score_run", full)
        page.kept.remove(kept.id)
    assert (dialog.list.count(), page.kept.shown is None) == (1, False)
    page.kept.remove(kept.id)
    assert dialog.list.count() == 0
    assert not page.banner.isVisible()
    assert page.table.scores.index(1, 3).data() != before
    page.show_view(View(kind=ViewKind.SYSTEM, subject="last"))
    gone = partial(without_systems, systems=("last",))
    assert session.change(gone, verb=REMOVE_SYSTEMS, subject="last")
    qtbot.waitUntil(lambda: row_names(page.table.arrangement) == ("lead",))  # the means again


def test_that_a_closed_dialog_of_kept_scores_is_not_called_again(page, qtbot, session):
    dialog = page.kept.open_dialog()
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
    read = []
    page.kept.changed.connect(lambda: read.append(page.kept.shown))
    session.scoresKept.emit()  # others kept some meanwhile: who is gone would be asked to show it
    with qtbot.waitSignal(page.kept.runKept):
        page.keep_scores("one")
    assert page.kept.open_dialog().list.count() == 1


@pytest.mark.slow
def test_that_the_program_ends_quietly_after_a_copy():
    script = """
from PySide6.QtWidgets import QApplication
from awase.core.reports.grid import Cell as GridCell
from awase.core.reports.grid import Grid, columns_of
from awase.gui.kit.grid.model import copy_report
from awase.storage.store import CorpusStore
from awase.gui.session.session import CorpusSession
app = QApplication([])
copy_report(Grid(columns=columns_of(["system"]), rows=((GridCell(text="lead"),),)))
"""
    assert ran(script).stderr == ""


def test_that_vectors_named_in_the_dialog_are_used_and_remembered(page, opened, qtbot, tmp_path):
    file = tmp_path / "small.txt"
    file.write_text("dog 1 0\ncat 0.9 0.1\none 0 1\ntwo 0 0.9\n", "utf-8")
    page.controls.metrics.choose(("rouge-we-1",), Places())
    qtbot.waitUntil(lambda: says(page, "needs word vectors"))
    page.controls.metrics.choose(("rouge-we-1",), Places(vectors=str(file)))
    qtbot.waitUntil(lambda: names(page.table.arrangement)[:1] == ["rouge-we-1"])
    assert "vectors=small.txt@" in page.table.arrangement.signatures[0][1]
    assert opened.services.settings.settings.vectors == str(file)
    assert page.controls.metrics.places == Places(vectors=str(file))


def test_that_the_plot_stands_in_the_place_of_the_table_where_there_is_no_room_for_both(
    page, qtbot
):
    table, plot = page.table, page.plot
    for height, is_table_shown in ((900, True), (400, False), (900, True)):
        page.resize(1000, height)
        page.controls.plot.setChecked(True)
        qtbot.waitUntil(lambda shown=is_table_shown: table.isVisible() is shown)
        assert plot.isVisible()
        page.controls.intervals.setFocus()
        page.setFocus()
        assert table.hasFocus() is is_table_shown
        assert plot.view.picture.hasFocus() is not is_table_shown
        page.controls.plot.setChecked(False)
        assert table.isVisible()
