import pytest
from tests.gui.conftest import small_topic

from awase.gui.dialogs.editing.editing import TopicDialog


@pytest.fixture
def ask(session, qtbot):
    def asked():
        dialog = TopicDialog(session, session.topics()[0])
        qtbot.addWidget(dialog)
        return dialog

    return asked


def test_that_title_and_language_are_stored_as_one_step_that_undo_takes_back(session, ask):
    dialog, store = ask(), session.store
    dialog.fields.set("title", " Cats ")
    dialog.fields.set("language", "ja")
    dialog.confirm()
    stored = store.topic("t")
    assert (stored.title, stored.language) == ("Cats", "ja")
    assert session.undo_stack.undoText() == "edit topic t"
    session.undo_stack.undo()
    assert store.topic("t") == small_topic()
    dialog = ask()
    dialog.fields.set("title", "")
    dialog.fields.set("language", "")
    dialog.confirm()
    assert (store.topic("t").title, store.topic("t").language) == (None, None)
    assert session.topic("t") == store.topic("t")


@pytest.mark.slow
def test_that_a_language_that_is_none_is_refused_in_words(session, ask):
    dialog = ask()
    dialog.fields.set("language", "e\tn")
    assert not dialog.accept_button.isEnabled()
    assert "control character" in dialog.message.text()
    dialog.confirm()
    assert session.store.topic("t") == small_topic()


@pytest.mark.slow
def test_that_nothing_changed_is_no_step(session, ask):
    ask().confirm()
    assert not session.undo_stack.canUndo()
