"""The Project page: people, work and how far everybody is; asserted on what is stored."""

from dataclasses import replace
from datetime import date
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from tests.building import abstract, topic
from tests.gui.seeing import accept, pick, press, says

from awase.core.annotation.visibility import Sight
from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import AssistSettings
from awase.core.records.corpus import Corpus, Person
from awase.core.records.topic import lengths_of
from awase.core.team.assigning import (
    AssignmentRequest,
    assigned,
    calibration_of,
    jobs_of,
    unassigned,
)
from awase.gui.kit.i18n import set_language
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.number_explanation import whys_on
from awase.gui.pages.project.dialogs import AssignDialog, AssistanceDialog, PersonDialog
from awase.gui.pages.project.page import ProjectPage, about_text, people_table

K = Qt.Key


def topics(n: int = 4):
    for at in range(n):
        links = {"A1": "s1;s2", "A2": "s1;s3" if at else "s1;s2"} if at < 2 else {}
        yield topic(f"t{at}", abstracts=(abstract("a", links, texts=["one", "two"]),))


@pytest.fixture
def page(session_over, page_over, qtbot):
    session = session_over(*topics(), who="L")
    shown = page_over(ProjectPage, session=session, size=(1100, 600))
    shown.people_shown()
    qtbot.waitUntil(lambda: shown.people.found is not None)
    shown.store, shown.session = session.store, session
    return shown


def everything_among(*people: str, due: str | None = None):
    return people, partial(assigned, request=AssignmentRequest(people=people, due=due))


def act(page, qtbot, does, *given) -> None:
    with qtbot.waitSignal(page.people.changed):
        does(*given)


def add_people(page, qtbot, *people: str) -> None:
    for who in people:
        act(page, qtbot, page.people.take_person, Person(id=who))


def cells(page) -> list[list[str]]:
    model = page.people.table.model()
    return [[model.index(r, c).data() for c in range(model.columnCount())]
            for r in range(model.rowCount())]  # fmt: skip


@pytest.mark.slow
def test_that_the_first_person_named_makes_whoever_names_them_the_lead(page, qtbot):
    act(page, qtbot, lambda: page.people.take_person(Person(id="A1", name="Anna")))
    stored = page.store.corpus()
    assert [(one.id, one.role) for one in stored.persons] == [("L", "lead"), ("A1", "annotator")]
    act(page, qtbot, page.session.undo_stack.undo)
    assert page.store.corpus().persons == ()


def test_that_work_is_assigned_first_for_all_then_the_rest_and_undone(page, qtbot):
    add_people(page, qtbot, "A1", "A2")
    press(page, "Assign work")
    dialog = page.findChild(AssignDialog)
    for due, is_known in (("soon", False), ("2001-01-01", False), ("", True), ("2999-12-31", True)):
        dialog.fields.set("due", due)
        assert dialog.accept_button.isEnabled() is is_known
    assert says(dialog, "2 abstracts: A1 2, A2 2. Read by several: 2. 2 not assigned.")
    act(page, qtbot, accept, dialog)
    assert len(calibration_of(page.store.corpus())) == 2
    assert {one.due for one in page.store.corpus().assignments} == {"2999-12-31"}
    assert says(page, "First, for everybody: 2 abstracts.")
    (said,) = [one for one in whys_on(page, None) if "First, for everybody" in one.text]
    assert "A1 – A2: α = " in said.text
    assert "1 = full agreement" in said.text
    press(page, "Open the rest")
    dialog = page.findChildren(AssignDialog)[-1]
    act(page, qtbot, accept, dialog)
    assert not unassigned(page.store.corpus())
    act(page, qtbot, page.session.undo_stack.undo)
    act(page, qtbot, page.session.undo_stack.undo)
    assert page.store.corpus().assignments == ()


@pytest.mark.slow
def test_that_the_lead_gives_each_a_topic_and_has_finished_ones_read_again(page, qtbot):
    add_people(page, qtbot, "A1", "A2")
    page.people.assign()
    dialog = page.findChild(AssignDialog)
    pick(dialog.fields["what"], "next")
    assert says(dialog, "2 abstracts: A1 1, A2 1. Read by several: 0. 2 not assigned.")
    assert not dialog.fields["share"].isEnabled()
    pick(dialog.fields["what"], "second")
    assert says(dialog, "nobody has finished an abstract long enough ago")
    dialog.fields["days"].setValue(0)
    dialog.fields["share"].setValue(50)
    assert says(dialog, "Read again: A1 1, A2 1. Hand it out to A1#2, A2#2.")
    assert not dialog.fields["overlap"].isEnabled()
    act(page, qtbot, accept, dialog)
    assert {(one.person, one.round) for one in page.store.corpus().assignments} == {
        ("A1", 2), ("A2", 2),
    }  # fmt: skip
    assert says(page, "everybody has all topics")


def test_that_what_somebody_never_began_is_handed_over(page, qtbot):
    act(page, qtbot, page.people.share_out, *everything_among("A1", "A2"))
    begun = set(jobs_of(page.store.corpus(), "A2")) & {("t0", "a"), ("t1", "a")}
    rows = [row[0] for row in cells(page)]
    page.people.table.choose(rows.index("A2"))
    act(page, qtbot, page.people.hand_over)
    assert set(jobs_of(page.store.corpus(), "A2")) == begun


def test_that_an_annotator_sees_one_line_and_changes_nothing(page, qtbot):
    add_people(page, qtbot, "A1", "A2")
    act(page, qtbot, page.session.set_who, "A1")
    assert [(row[0], row[5]) for row in cells(page)] == [("A1", "—")]  # no agreement with others
    before = page.store.corpus()
    page.people.share_out(*everything_among("A1"))
    page.people.remove_person()
    assert page.store.corpus() == before
    assert says(page, "Only the project lead can change it")
    for does in (lambda: set_language("ja"), lambda: page.session.set_who("L")):
        page.people.remove_person()
        assert page.people.said.isVisible()
        does()
        qtbot.waitUntil(page.people.said.isHidden)
    set_language("en")


def test_that_others_work_is_hidden_until_it_is_allowed(page, qtbot):
    add_people(page, qtbot, "A1")
    act(page, qtbot, press, page, "Hide others' work")
    assert page.store.corpus().is_blind
    assert page.session.sight is Sight.ALL
    act(page, qtbot, page.session.set_who, "A1")
    assert page.session.sight is Sight.NOTHING
    act(page, qtbot, page.session.set_who, "L")
    act(page, qtbot, press, page, "Allow others' work")
    act(page, qtbot, page.session.set_who, "A1")
    assert page.session.sight is Sight.SETTLED


@pytest.mark.slow
def test_that_what_an_edit_stopped_is_counted_anew_and_not_told(page, services, qtbot, monkeypatch):
    """A count that reads topics while somebody is named may fail; the next one is under way."""
    people = page.people_shown()
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    jobs, start = [], services.jobs.start

    def postpone(key, work, finished, failed):
        if not jobs:
            jobs.append(Job())
            jobs[0].failed.connect(failed)
        else:
            jobs.append(start(key, work, finished, failed))
        return jobs[-1]

    monkeypatch.setattr(services.jobs, "start", postpone)
    people.compute()
    people.take_person(Person(id="Z"))
    jobs[0].failed.emit(EnvironmentProblem("The corpus was changed.", "Begin again."))
    assert not people.said.text()
    qtbot.waitUntil(lambda: "Z" in [one.id for one in people.shown])
    assert len(jobs) == 2


def test_that_a_person_needs_an_id_of_their_own(page, qtbot):
    add_people(page, qtbot, "A1")
    page.people.add.click()
    dialog = page.findChildren(PersonDialog)[-1]
    assert dialog.accept_button.text() == "Add"
    assert says(dialog, "Give the person an id")
    dialog.fields["id"].setText("A1")
    assert says(dialog, "is already in the project")
    dialog.fields["id"].setText("gold")
    assert says(dialog, "cannot be called")
    page.people.table.choose([row[0] for row in cells(page)].index("L"))
    page.people.table.doubleClicked.emit(page.people.table.currentIndex())
    dialog = page.findChildren(PersonDialog)[-1]
    assert (dialog.accept_button.text(), dialog.fields.value("role")) == ("Change", "lead")
    assert dialog.accept_button.isEnabled()


def test_that_a_day_is_told_as_the_language_writes_it(page, qtbot):
    add_people(page, qtbot, "A1")
    act(page, qtbot, page.people.share_out, *everything_among("A1", due="2026-12-18"))
    for language, day, told in (
        ("en", 15, " (3 days)"), ("en", 17, " (1 day)"), ("en", 18, " (today)"),
        ("en", 19, " (1 day late)"), ("ja", 15, "（あと 3 日）"),
    ):  # fmt: skip
        set_language(language)
        table = people_table(page.people.shown, date(2026, 12, day))
        assert table.rows[1][-1].text == f"2026-12-18{told}"


def test_that_the_lead_sets_how_annotators_are_helped_and_all_are_told(page, qtbot):
    add_people(page, qtbot, "A1")
    press(page, "Help for annotators")
    dialog = page.findChild(AssistanceDialog)
    dialog.fields.set("level", 3)
    dialog.fields.set("decoy_percent", 2)
    assert dialog.fields["seed"].isEnabled()
    dialog.fields.set("control_percent", 20)
    act(page, qtbot, accept, dialog)
    settings = page.store.corpus().assist
    assert (settings.level, settings.control_percent, settings.decoy_percent) == (3, 20, 2)
    act(page, qtbot, page.session.set_who, "A1")
    assert says(page, "Help: level 3. 20 % of sentences without it. 2 % of suggestions are wrong")
    plain = replace(page.store.corpus(), assist=AssistSettings(level=3))
    assert about_text(plain, "A1").endswith(" Help: level 3.")


def test_that_the_fields_of_an_assignment_stand_below_one_another(services, qtbot):
    corpus = Corpus(topics=(topic("t"),))
    dialog = qtbot.shown(AssignDialog(corpus, lengths_of(corpus.topics), {}))
    firsts = ("people", "what", "topics", "overlap", "most", "share", "seed")
    assert len({dialog.fields[name].mapTo(dialog, QPoint()).x() for name in firsts}) == 1
