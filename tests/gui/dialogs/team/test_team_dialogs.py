"""Hand out, take back and remove in the window: what is stored, and that undo knows it."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from tests.gui.conftest import small_topic
from tests.oracles.corpus_edits import corpus_edit

from awase.core.annotation import actions
from awase.core.errors import InputError, Silent
from awase.core.records.abstract import SentenceAlignment
from awase.core.records.corpus import Assignment, Person
from awase.core.records.edits import EDIT_PROJECT, REMOVE_ALIGNMENTS, Changes
from awase.core.team.assigning import with_person
from awase.core.team.merging import MergeOutcome
from awase.gui.dialogs.team import HandOutDialog, TakeBackDialog
from awase.gui.dialogs.whole_corpus import RemoveDialog
from awase.jobs.team.copies import hand_out
from awase.storage.store import CorpusStore


@pytest.fixture
def session(session_over):
    return session_over(small_topic("t"), small_topic("u"))


def confirmed(store, who, topic_id="t"):
    """Flags a sentence for somebody, so that there is work."""
    topic = store.topic(topic_id)
    abstract = topic.abstracts[0]
    alignment = abstract.alignment_by(who)
    n = abstract.sentences[0].n

    old = alignment.of_sentence(n) if alignment else SentenceAlignment(n=n)
    edit = actions.alignment_edit(
        topic_id, abstract, who, actions.with_flag_toggled(old), verb=actions.FLAG
    )
    store.apply(edit, who=who)


def corpus_edit_of(session, after):
    return corpus_edit(session.corpus(), after, verb=EDIT_PROJECT)


def handed_out(session, folder: Path, who: str, called: str = "") -> Path:
    path = folder / f"{who}.awase"
    hand_out(session.store, who, path, who="1", reporter=Silent())
    with CorpusStore.open(path, who=who) as store:
        confirmed(store, called or who)
    return path


def test_that_a_file_is_handed_out_when_a_person_and_a_free_name_are_given(
    session, services, qtbot, tmp_path
):
    dialog = qtbot.shown(HandOutDialog(session, services, None))
    assert not dialog.accept_button.isEnabled()
    dialog.fields.widget_as("person", QComboBox).setEditText("A2")
    path = tmp_path / "a2.awase"
    dialog.fields.set("place", str(path))
    with qtbot.waitSignal(dialog.accepted):
        dialog.confirm()
    with CorpusStore.open(path, who="A2") as store:
        assert store.ownership().handed_to == "A2"
        assert store.ownership().corpus == session.store.ownership().corpus
    again = qtbot.shown(HandOutDialog(session, services, None))
    again.fields.widget_as("person", QComboBox).setEditText("A2")
    again.fields.set("place", str(path))
    assert not again.accept_button.isEnabled()


def test_that_the_file_is_proposed_beside_the_corpus_until_another_is_named(
    session, services, qtbot, tmp_path
):
    main = Path(session.location)
    for person in (Person(id="1", role="lead"), Person(id="A2"), Person(id="a/3", name="Anna")):
        session.perform(corpus_edit_of(session, with_person(session.corpus(), person)))
    again = Assignment(topic="t", abstract="a", person="A2", round=2)
    after = replace(session.corpus(), assignments=(again,))
    session.perform(corpus_edit_of(session, after))
    dialog = qtbot.shown(HandOutDialog(session, services, None))
    people = dialog.fields.widget_as("person", QComboBox)
    assert [people.itemText(at) for at in range(people.count())] == [
        "1",
        "A2",
        "A2#2, to be read again",
        "Anna",
    ]
    assert people.currentText() == "A2"  # whoever hands out has the main file
    assert dialog.fields.text("place") == str(main.with_name(f"{main.stem}-A2.awase"))
    assert dialog.accept_button.isEnabled()
    people.setCurrentIndex(3)
    assert dialog.fields.text("place") == str(main.with_name(f"{main.stem}-a%2F3.awase"))
    dialog.fields.set("place", str(tmp_path / "mine.awase"))
    people.setCurrentIndex(1)
    assert dialog.fields.text("place") == str(tmp_path / "mine.awase")


def test_that_files_are_previewed_taken_back_and_undone_as_one_act(
    session, services, qtbot, tmp_path
):
    paths = [handed_out(session, tmp_path, *who) for who in (("A2",), ("A3", "Anna"))]
    before = session.corpus()
    dialog = qtbot.shown(TakeBackDialog(session, services, None))
    dialog.fields.set("names", "Anna=A3")
    dialog.take_files(paths)
    qtbot.waitUntil(lambda: dialog.plan is not None and not dialog.is_busy)
    dialog.take_files(paths[:1])  # which is there already
    qtbot.waitUntil(lambda: dialog.plan is not None and not dialog.is_busy)
    assert dialog.plan.count(MergeOutcome.NEW) == 2
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert names == ["A2.awase", "A3.awase"]
    assert dialog.fields["about"].text().startswith("Sentences: 2 new, 0 changed")
    assert dialog.fields["about"].text().splitlines()[1] == "By person: A2 1, A3 1."
    assert dialog.focusWidget() is dialog.accept_button
    assert session.corpus() == before
    with qtbot.waitSignal(dialog.accepted):
        dialog.confirm()
    after = session.corpus()
    assert after == session.store.corpus() != before
    assert session.undo_stack.undoText() == "take back A2.awase, A3.awase"
    session.undo_stack.undo()
    assert session.corpus() == session.store.corpus() == before
    session.undo_stack.redo()
    assert session.corpus() == session.store.corpus() == after


@pytest.mark.slow
def test_that_a_file_that_does_not_belong_is_told_and_taking_back_is_not_offered(
    session, services, qtbot, tmp_path, make_corpus
):
    other = tmp_path / "other.awase"
    CorpusStore.create(other, name="x", who="1").close()
    dialog = qtbot.shown(TakeBackDialog(session, services, None))
    with qtbot.waitSignal(dialog.failed) as told:
        dialog.take_files([other])
    assert isinstance(told.args[1], InputError)
    assert dialog.plan is None


@pytest.mark.slow
def test_that_files_go_from_the_list_one_after_another_and_only_those_chosen(
    session, services, qtbot, tmp_path
):
    paths = [handed_out(session, tmp_path, who) for who in ("A2", "A3")]
    dialog = qtbot.shown(TakeBackDialog(session, services, None))
    remove = dialog.fields["remove"]
    assert not remove.isEnabled()
    dialog.take_files(paths)
    qtbot.waitUntil(lambda: dialog.plan is not None and not dialog.is_busy)
    dialog.list.clearSelection()
    assert not remove.isEnabled()
    dialog.list.setCurrentRow(1)
    for left in (["A2.awase"], []):
        remove.click()
        assert [dialog.list.item(row).text() for row in range(dialog.list.count())] == left
        qtbot.waitUntil(lambda: not dialog.is_busy)
    assert not remove.isEnabled()


def test_that_topics_are_removed_and_come_back_by_undo(session, qtbot):
    before = session.corpus()
    dialog = qtbot.shown(RemoveDialog(session, None, None))
    assert not dialog.accept_button.isEnabled()
    dialog.list.item(1).setSelected(True)
    with qtbot.waitSignal(dialog.accepted):
        dialog.confirm()
    assert session.topic_ids() == ("t",)
    assert session.undo_stack.undoText() == "remove topic u"
    session.undo_stack.undo()
    assert session.corpus() == session.store.corpus() == before


def test_that_alignments_of_annotators_are_offered_by_name_and_others_stay(session, qtbot):
    for who in ("8", "9"):
        confirmed(session.store, who)
    session.reload(Changes(topics=frozenset(["t"])))
    dialog = qtbot.shown(RemoveDialog(session, None, None))
    dialog.fields.set("kind", REMOVE_ALIGNMENTS)
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert names == ["1", "8", "9"]  # and none of the topics that were listed before
    for row in (1, 2):
        dialog.list.item(row).setSelected(True)
    with qtbot.waitSignal(dialog.accepted):
        dialog.confirm()
    assert session.annotators() == ("1",)
