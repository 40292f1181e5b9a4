"""Hand out, take back and remove in the window: what is stored, and that undo knows it."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox
from tests.gui.conftest import small_topic

from awase.core.annotation import actions
from awase.core.errors import InputError, Silent
from awase.core.records.abstract import SentenceAlignment
from awase.core.records.edits import REMOVE_ALIGNMENTS, Changes
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


def handed_out(session, folder: Path, who: str, called: str = "") -> Path:
    path = folder / f"{who}.awase"
    hand_out(session.store, who, path, who="1", reporter=Silent())
    with CorpusStore.open(path, who=who) as store:
        confirmed(store, called or who)
    return path


def test_that_a_file_is_handed_out_when_a_person_and_a_free_name_are_given(
    session, services, qtbot, tmp_path
):
    confirmed(session.store, "8")
    session.reload(Changes(topics=frozenset(["t"])))
    dialog = qtbot.shown(HandOutDialog(session, services, None))
    assert not dialog.accept_button.isEnabled()  # nobody is named who has aligned
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


def listed(dialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


@pytest.fixture
def copies(session, services, qtbot, tmp_path):
    """The dialog, and files of A2 and A3, who is called Anna there."""
    paths = [handed_out(session, tmp_path, *who) for who in (("A2",), ("A3", "Anna"))]
    return qtbot.shown(TakeBackDialog(session, services, None)), paths


def look(dialog, qtbot, does, *given):
    does(*given)
    qtbot.waitUntil(lambda: dialog.plan is not None and not dialog.is_busy)


def test_that_files_are_previewed_taken_back_and_undone_as_one_act(session, qtbot, copies):
    dialog, paths = copies
    before, remove = session.corpus(), dialog.fields["remove"]
    dialog.fields.set("names", "Anna=A3")
    look(dialog, qtbot, dialog.add_files, paths)
    dialog.list.clearSelection()
    assert not remove.isEnabled()
    dialog.list.setCurrentRow(0)
    look(dialog, qtbot, remove.click)
    assert (listed(dialog), dialog.list.currentRow()) == (["A3.awase"], 0)
    look(dialog, qtbot, dialog.add_files, paths)  # one of which is there already
    assert listed(dialog) == ["A3.awase", "A2.awase"]
    assert dialog.plan.count(MergeOutcome.NEW) == 2
    assert dialog.fields["about"].text().startswith("Sentences: 2 new, 0 changed")
    assert dialog.fields["about"].text().splitlines()[1] == "By person: A3 1, A2 1."
    assert dialog.focusWidget() is dialog.accept_button
    for dialog.plan in (replace(dialog.plan, entries=(), n_human_scores=n) for n in (0, 1)):
        dialog.show_state()
        assert dialog.accept_button.isEnabled() is bool(dialog.plan.n_human_scores)
    assert "1 new human score." in dialog.fields["about"].text()
    dialog.fields.set("names", "")
    assert (dialog.plan, dialog.fields["about"].text()) == (None, "")
    dialog.fields.set("names", "Anna=A3")
    assert session.corpus() == before
    with qtbot.waitSignal(dialog.accepted):
        dialog.confirm()
    after = session.corpus()
    assert after == session.store.corpus() != before
    assert session.undo_stack.undoText() == "take back A3.awase, A2.awase"
    session.undo_stack.undo()
    assert session.corpus() == session.store.corpus() == before
    session.undo_stack.redo()
    assert session.corpus() == session.store.corpus() == after


def test_that_nothing_is_offered_until_a_foreign_file_is_gone(copies, qtbot, tmp_path):
    dialog, (path, _) = copies
    other = tmp_path / "other" / path.name
    other.parent.mkdir()
    CorpusStore.create(other, name="x", who="1").close()
    with qtbot.waitSignal(dialog.failed) as told:
        dialog.add_files([path, other])
    assert isinstance(told.args[1], InputError)
    assert listed(dialog) == [str(path), str(other)]
    assert "as they are" in dialog.message.text()
    dialog.list.setCurrentRow(1)
    look(dialog, qtbot, dialog.fields["remove"].click)
    assert dialog.accept_button.isEnabled()
    with qtbot.waitSignal(dialog.failed):
        dialog.add_files([other])
    assert dialog.plan is None
    for names in ("x=", "x=y"):
        dialog.fields.set("names", names)
        assert dialog.message.text() == ""
        assert dialog.accept_button.isEnabled() is (names == "x=y")


def test_that_alignments_of_annotators_are_offered_by_name_and_others_stay(session, qtbot):
    for who in ("8", "9"):
        confirmed(session.store, who)
    session.reload(Changes(topics=frozenset(["t"])))
    dialog = qtbot.shown(RemoveDialog(session, None, None))
    dialog.fields.set("kind", REMOVE_ALIGNMENTS)
    assert listed(dialog) == ["1", "8", "9"]  # and none of the topics that were listed before
    for row in (1, 2):
        dialog.list.item(row).setSelected(True)
    with qtbot.waitSignal(dialog.accepted):
        dialog.confirm()
    assert session.annotators() == ("1",)
