from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.annotation import content
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.digests import NO_ENTRY, EntryKey, entries_of, entry_digest
from awase.storage.store import CorpusStore
from tests.storage.sample import CONFIRMED, LINKED, edit, rank_edit
from tests.written import as_json

GOLDEN = Path(__file__).parent / "golden"
KEY = EntryKey("t1", "long", "ann", 5)
JSON = format_by_id("awase-json")


def _digests(store: CorpusStore, key: EntryKey = KEY) -> list[str]:
    return [version.digest for version in store.ownership().versions.get(key, ())]


@pytest.mark.slow
def test_that_every_change_of_an_entry_is_a_version_undoing_included(store):
    store.apply(edit(LINKED), who="ann")
    store.apply(edit(CONFIRMED, old=LINKED), who="ann")
    store.undo(who="ann")
    one, two = entry_digest(LINKED), entry_digest(CONFIRMED)
    assert _digests(store) == [one, two, one]
    versions = store.ownership().versions[KEY]
    assert [version.revision for version in versions] == [1, 2, 3]
    assert {version.replica for version in versions} == {store.ownership().replica}
    store.undo(who="ann")
    assert _digests(store)[-1] == NO_ENTRY


@pytest.mark.slow
def test_that_edits_of_a_topic_stamp_the_entries_that_they_touch(store):
    store.apply(edit(CONFIRMED), who="ann")
    topic = store.topic("t1")
    made = content.topic_edit(
        topic, content.without_document(topic, "犬 2"), verb="remove_document"
    )
    store.apply(made, who="ann")
    present = dict(entries_of(store.topic("t1")))
    assert _digests(store)[-1] == present[KEY]
    assert len(_digests(store)) == 2
    store.undo(who="ann")
    assert _digests(store)[-1] == entry_digest(CONFIRMED)


@pytest.mark.slow
def test_that_what_leaves_entries_alone_makes_no_version(store):
    store.apply(edit(CONFIRMED), who="ann")
    before = store.ownership().versions
    store.apply(rank_edit("B"), who="ann")
    topic = store.topic("t1")
    store.apply(content.topic_edit(topic, replace(topic, title="題"), verb="edit_topic"), who="ann")
    assert store.ownership().versions == before


def test_that_new_corpora_are_never_taken_for_each_other(tmp_path):
    names = set()
    for name in ("a", "b"):
        with CorpusStore.create(tmp_path / f"{name}.awase", name="n", who="ann") as store:
            names |= {store.ownership().corpus, store.ownership().replica}
    assert len(names) == 4


@pytest.mark.slow
def test_that_awase_json_with_sync_makes_another_copy_and_without_a_new_corpus(store, tmp_path):
    store.apply(edit(LINKED), who="ann")
    store.apply(edit(CONFIRMED, old=LINKED), who="ann")
    ours = store.ownership()
    for is_copy in (True, False):
        request = WriteRequest(corpus=store.corpus(), ownership=ours if is_copy else None)
        text = as_json(request)
        assert ('"sync"' in text) == is_copy
        addition = JSON.reader()(ReadRequest(text=text, source="c.json")).addition
        path = tmp_path / f"{is_copy}.awase"
        with CorpusStore.create(path, name="", who="b", addition=addition) as other:
            theirs = other.ownership()
            assert other.corpus() == store.corpus()
        assert (theirs.corpus == ours.corpus) == is_copy
        assert theirs.replica != ours.replica
        assert (theirs.versions == ours.versions) == is_copy
        assert theirs.versions[KEY][-1].digest == entry_digest(CONFIRMED)
