"""Edits of texts, abstracts and documents: stored, refused when stale, undone exactly."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from awase.core.annotation import content
from awase.core.annotation.content import rewritten, without_topics
from awase.core.errors import InputError
from awase.core.records.abstract import Abstract, AbstractSentence, AlignmentState, Limit
from awase.core.records.addition import Addition, merge
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.edits import REMOVE_TOPICS, Edit
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Extract, HumanScore, TextOutput, Topic
from awase.storage.edits import StaleEdit
from awase.storage.store import CorpusStore
from tests.building import abstract, extract, topic
from tests.storage import sample
from tests.storage.sample import CONFIRMED, LINKED, edit, entry, undone_and_redone

NEW = Document(id="d:9", sentences=(SourceSentence(n=4, text="新しい文。", paragraph=2),), date="")


def _edit(old: Topic, new: Topic, verb: str = content.EDIT_TOPIC, **more: str) -> Edit:
    made = content.topic_edit(old, new, verb=verb, **more)
    assert made is not None
    return made


def _changed_topics(topic: Topic) -> dict[str, Topic]:
    added = Abstract(
        id="third",
        length="short",
        author="",
        limit=Limit(unit="characters", size=200),
        sentences=(AbstractSentence(n=1, text="😀\n"),),
    )
    long = rewritten(topic.abstracts[0], ("文5。文2。", "文9。", "また。")).abstract
    without = content.without_document(topic, "犬 2")
    reference = (("参照。", ""), ())
    return {
        "title": replace(topic, title="題", language=None),
        "document added": content.with_document(topic, NEW),
        "document put first": replace(topic, documents=(NEW, *topic.documents)),
        "document removed": content.without_document(topic, "d:1"),
        "all documents removed": content.without_document(
            content.without_document(topic, "d:1"), "犬 2"
        ),
        "abstract added": replace(topic, abstracts=(*topic.abstracts, added)),
        "abstract rewritten": replace(topic, abstracts=(long, *topic.abstracts[1:])),
        "abstract removed": replace(topic, abstracts=topic.abstracts[1:]),
        "abstracts exchanged": replace(topic, abstracts=topic.abstracts[::-1]),
        "outputs": replace(
            topic,
            outputs=(
                TextOutput(system="new", sentences=("一。",), references=reference),
                *topic.outputs[1:],
                Extract(system="last", sentences=sample.REFS[2:], length="short"),
            ),
        ),
        "everything": replace(without, title="", abstracts=(added, *without.abstracts[::-1])),
    }


def test_that_a_changed_topic_is_stored_undone_and_redone_across_restarts(stored):
    """Each is changed into the next, and everything is taken back."""
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(CONFIRMED), who="ann")
        before = store.topic("t1")
    wanted = [before, *_changed_topics(before).values()]
    edits = [_edit(old, new, subject="d:1") for old, new in pairwise(wanted)]
    _, after = undone_and_redone(stored, *edits)
    assert after.topics == (wanted[-1],)


def test_that_a_document_is_not_removed_over_a_link_made_since(store):
    before = store.topic("t1")
    removal = _edit(before, content.without_document(before, "犬 2"))
    store.apply(edit(CONFIRMED), who="bob")
    with pytest.raises(InputError, match="no sentence"):
        store.apply(removal, who="ann")
    assert len(store.topic("t1").documents) == 2


def test_that_an_abstract_is_not_rewritten_over_work_done_since(store):
    before = store.topic("t1")
    new = rewritten(before.abstracts[0], ("全く別。",)).abstract
    made = _edit(before, replace(before, abstracts=(new, *before.abstracts[1:])))
    store.apply(edit(LINKED), who="bob")
    with pytest.raises(StaleEdit):
        store.apply(made, who="ann")
    store.undo(who="bob")
    store.apply(made, who="ann")
    assert store.topic("t1").abstracts[0] == new


def test_that_a_rank_without_weight_and_a_missing_topic_are_refused(store):
    before = store.topic("t1")
    odd = Abstract(id="odd", sentences=(AbstractSentence(n=1, text="x", rank="Z"),))
    made = _edit(before, replace(before, abstracts=(*before.abstracts, odd)))
    for wrong, told in ((made, "no weight"), (replace(made, topic="nowhere"), "no topic")):
        with pytest.raises(InputError, match=told):
            store.apply(wrong, who="ann")
    assert store.topic("t1") == before


_NEW = tuple(
    topic(f"n{n:02}", docs=3, abstracts=[abstract("a", texts=["One.", "Two."], ranks=["A", "Z"])])
    for n in reversed(range(12))
)
_MORE = Addition(
    topics=_NEW,
    ranks=(("Z", 0.125),),
    outputs=(("t1", extract("new")), ("n03", extract("new", "s1"))),
    human_scores=(HumanScore(topic="n11", system="new", measure="m", value=1.0),),
    persons=(Person(id="ann"),),
    assignments=(Assignment(topic="n00", person="ann"),),
)


def _import(store: CorpusStore) -> None:
    store.add(_MORE, who="ann", source="more.json")


def _remove(store: CorpusStore) -> None:
    change = partial(without_topics, ids=[one.id for one in _NEW[1:]])
    store.change(change, verb=REMOVE_TOPICS, names=["most"], who="ann")


def _steps(path: Path) -> list[Corpus]:
    """Returns the corpus before an import, after it and after a removal, both logged."""
    states = []
    with CorpusStore.open(path, who="ann") as store:
        for act in (_import, _remove):
            states.append(store.corpus())
            act(store)
        states.append(store.corpus())
    return states


def test_that_long_edits_are_one_step_each_to_be_undone_and_made_again(stored):
    states = _steps(stored)
    assert states[1] == merge(states[0], _MORE)
    assert states[2] == without_topics(states[1], [one.id for one in _NEW[1:]])
    with CorpusStore.open(stored, who="ann") as store:
        assert [one.edit.verb for one in store.history("ann").done] == ["import", "remove_topics"]
        assert store.undo(who="ann").topics == {one.id for one in _NEW[1:]}
        assert store.corpus() == states[1]
        store.undo(who="ann")
        assert store.corpus() == states[0]
        for state in states[1:]:
            store.redo(who="ann")
            assert store.corpus() == state
        assert store.find_damage() == ()


def test_that_somebodys_work_on_a_part_keeps_all_from_being_undone(store):
    _import(store)
    done = entry(1, state=AlignmentState.NO_SOURCE)
    store.apply(edit(done, topic="n00", abstract="a"), who="bob")
    before = store.corpus()
    with pytest.raises(StaleEdit, match="changed in the meantime"):
        store.undo(who="ann")
    assert store.corpus() == before
    store.undo(who="bob")
    store.undo(who="ann")
    assert [topic.id for topic in store.corpus().topics] == ["t1"]
