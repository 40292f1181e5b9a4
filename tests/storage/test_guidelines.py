import pytest

from awase.core.annotation.content import EDIT_GUIDELINES, guidelines_edit
from awase.core.errors import InputError
from awase.core.records.addition import Addition
from awase.core.records.edit import GuidelinesEdit
from awase.storage.entries import StaleEdit
from awase.storage.store import CorpusStore


def written(old: str, new: str) -> GuidelinesEdit:
    edit = guidelines_edit(old, new)
    assert edit is not None
    return edit


def test_that_guidelines_are_stored_undone_and_redone_across_restarts(stored):
    with CorpusStore.open(stored, who="ann") as store:
        assert store.corpus().guidelines == ""
        assert store.apply(written("", "# 基準\n- one"), who="ann", active_ms=7).corpus
    with CorpusStore.open(stored, who="ann") as store:
        assert store.corpus().guidelines == "# 基準\n- one"
        (operation,) = store.history("ann").done[-1:]
        assert operation.edit == written("", "# 基準\n- one")
        assert operation.edit.verb == EDIT_GUIDELINES
        store.undo(who="ann")
        assert store.corpus().guidelines == ""
        store.redo(who="ann")
        assert store.corpus().guidelines == "# 基準\n- one"


def test_that_guidelines_somebody_else_changed_meanwhile_are_not_overwritten(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(written("", "a"), who="bob")
        with pytest.raises(StaleEdit, match="guidelines have been changed"):
            store.apply(written("", "b"), who="ann")
        assert store.corpus().guidelines == "a"


def test_that_guidelines_that_cannot_be_stored_are_refused(stored):
    with CorpusStore.open(stored, who="ann") as store:
        with pytest.raises(InputError, match="cannot be stored"):
            store.apply(written("", "a\0b"), who="ann")
        assert store.corpus().guidelines == ""
        assert not any(item.edit.verb == EDIT_GUIDELINES for item in store.history("ann").done)


def test_that_an_import_brings_guidelines_only_where_there_are_none(stored):
    with CorpusStore.open(stored, who="ann") as store:
        assert store.add(Addition(guidelines="first"), who="ann").corpus
        assert not store.add(Addition(guidelines="second"), who="ann").corpus
        assert store.corpus().guidelines == "first"
