"""What the Inspect page does with many topics: counted, not timed."""

from dataclasses import replace
from functools import partial
from threading import Event

import pytest
from tests import building
from tests.gui.conftest import small_topic

from awase.core.analysis.explanation import Costs
from awase.core.analysis.inspection import InspectedSentence, Inspection, Key
from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState
from awase.core.reports.grid import RowsOnDemand, column_values
from awase.gui.kit.grid.grid import GridView
from awase.gui.pages.inspect import findings as findings_module
from awase.gui.pages.inspect.explaining import ExplanationPane
from awase.gui.pages.inspect.findings import InspectFindings, InspectOptions, inspected
from awase.gui.pages.inspect.page import InspectPage
from awase.gui.pages.inspect.tables import comparison_table, heat_table
from awase.gui.session.pages import Cause

pytestmark = pytest.mark.slow


def topics(n):
    return tuple(small_topic(f"t{at:03}") for at in range(n))


@pytest.mark.main
def test_that_the_topic_that_is_waited_for_is_looked_at_first_and_the_rest_in_portions():
    told = []
    found = inspected(topics(20), InspectOptions(), {}, Silent(), first="t007", came=told.append)
    assert list(told[0].parts) == ["t007"]
    assert [len(one.parts) for one in told] == [1, 4, 16]
    assert list(found.parts) == [f"t{at:03}" for at in range(20)]
    assert len(found.all.sentences) == 40


@pytest.mark.main
def test_that_what_is_known_already_is_shown_with_what_comes_and_only_changes_looked_at_anew():
    before = topics(6)
    known = inspected(before, InspectOptions(), {}, Silent()).parts
    after = (*before, *topics(9)[6:])
    told = []
    inspected(after, InspectOptions(), known, Silent(), came=told.append)
    assert [len(one.parts) for one in told] == [7]
    changed = (*before[:2], replace(before[2], title="another"), *before[3:])
    found = inspected(changed, InspectOptions(), known, Silent()).parts
    assert [one for one in found if found[one] is not known[one]] == ["t002"]
    told.clear()
    inspected(after[:7], InspectOptions(), known, Silent(), came=told.append)
    assert told == []  # the end says the same


@pytest.mark.main
def test_that_nothing_is_made_ready_too_soon_or_held_while_it_is_found_in_another_way(
    services, qtbot, session_over, monkeypatch
):
    held, made, real = [], [], findings_module.TopicIndex

    def noted(topics, options, known, reporter, **how):
        held.append(len(known))
        return inspected(topics, options, known, reporter, **how)

    monkeypatch.setattr(findings_module, "inspected", noted)
    monkeypatch.setattr(findings_module, "TopicIndex", lambda one: made.append(one.id) or real(one))
    findings = InspectFindings(session_over(*topics(5)), services.jobs)
    with qtbot.waitSignal(findings.changed):
        findings.watch(True)
    qtbot.waitUntil(lambda: findings.is_known)
    assert made == []
    for n in (1, 2):  # a topic is made ready when one of its sentences is explained
        findings.explanation(Key(topic="t003", abstract="t003-short", n=n), "first")
        assert made == ["t003"]
    findings.set_options(InspectOptions(is_whole_extract=True))
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    assert held == [0, 0]


def test_that_of_what_came_at_once_the_last_is_shown_alone(
    services, session_over, qtbot, monkeypatch
):
    parts = [inspected(topics(n), InspectOptions(), {}, Silent()) for n in (1, 2)]
    told, may_end, shown = Event(), Event(), []

    def in_stages(*_asked, came, **_options):
        for part in parts:
            came(part)
        told.set()
        may_end.wait(60)
        return parts[1]

    monkeypatch.setattr(findings_module, "inspected", in_stages)
    findings = InspectFindings(session_over(*topics(2)), services.jobs)
    findings.changed.connect(lambda: shown.append(findings.inspection_of(None)))
    findings.watch(True)
    assert told.wait(60)
    qtbot.waitUntil(lambda: bool(shown))
    assert shown == [parts[1].all]
    may_end.set()
    qtbot.waitUntil(lambda: not services.jobs.is_busy)


def inspection(n):
    keys = [Key(topic="t", abstract="a", n=at) for at in range(1, n + 1)]
    a_sentence = partial(
        InspectedSentence, length=None, text="One.", rank=None, state=AlignmentState.TODO,
        sizes=(), earliest=0, values={},
    )  # fmt: skip
    return Inspection(sentences=tuple(a_sentence(key=key) for key in keys))


def test_that_of_thousands_of_sentences_those_in_sight_become_rows(qtbot):
    view = qtbot.added(GridView())
    grid = heat_table(inspection(20_000), ("one", "two"))
    assert isinstance(grid.rows, RowsOnDemand)
    view.show_grid(grid)
    view.show()
    view.choose(15_000)
    assert view.n_rows == 20_000
    assert len(grid.rows.cached) < 1_000
    assert grid.rows[-1] == grid.rows[19_999:][0]


@pytest.mark.main
def test_that_columns_are_sorted_by_what_their_cells_say():
    found = inspected(topics(3), InspectOptions(), {}, Silent()).all
    first, second = found.systems[:2]
    tables = (
        heat_table(found, found.systems, Costs(found, first, second), first, second),
        comparison_table(found, first, second)[0],
    )
    for table in tables:
        for column in range(len(table.columns)):
            said = [row[column].value for row in table.rows]
            if any(isinstance(value, str) for value in said):  # their places among all
                places = sorted({value for value in said if value is not None})
                said = [None if value is None else places.index(value) for value in said]
            values = [float(value) for value in column_values(table, column)]
            assert [None if value != value else value for value in values] == said


def test_that_topics_out_of_sight_change_nothing_of_what_is_shown(
    services, qtbot, session_over, monkeypatch
):
    page = qtbot.added(InspectPage(session_over(*topics(20)), services, None))
    filled: list[int] = []
    page.heat.grid.modelReset.connect(
        lambda: filled.append(len(page.findings.inspection_of(None).sentences))
    )
    page.choose_topic("t007")
    page.show()
    qtbot.waitUntil(lambda: not services.jobs.is_busy, timeout=60_000)
    qtbot.waitUntil(lambda: page.findings.is_known, timeout=60_000)
    # Empty, with its own topic, and at the end: not each time that others came, 1, 4 and 16.
    assert len({n for n in filled if n > 0} - {40}) <= 1
    assert page.heat.n_rows == 2
    assert page.details.findChildren(ExplanationPane) == []


def test_that_the_dearest_sentence_stays_the_current_one_while_dearer_ones_come(
    services, qtbot, session_over
):
    cheap, *others = topics(6)
    cheap = replace(cheap, outputs=(building.extract("last", 1, length="short"),))
    page = qtbot.added(InspectPage(session_over(cheap, *others), services, None))
    page.show_cause(Cause(topic=None, system="last"))
    page.show()
    qtbot.waitUntil(lambda: page.findings.is_known, timeout=60_000)
    index = page.heat.currentIndex()
    assert index.row() == 0
    assert index.siblingAtColumn(0).data() == "t001-short · 1"
    assert page.heat.grid.columns[index.column()].title == "last"
