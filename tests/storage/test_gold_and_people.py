from dataclasses import replace

import pytest

from awase.core.annotation import content
from awase.core.annotation.actions import OWN_RANK, alignment_edit, topic_after
from awase.core.errors import InputError
from awase.core.records.abstract import AlignmentState, GoldEntry, GoldOrigin, GoldSource
from awase.core.records.addition import Addition
from awase.core.records.corpus import Assignment, Person
from awase.core.records.edits import CorpusEdit, Edit, corpus_difference
from awase.core.records.source import SentenceRef
from awase.storage.store import CorpusStore
from tests.in_part import in_turn
from tests.storage.sample import CONFIRMED, REFS, edit, entry, gold_edit, topic, undone_and_redone

DECIDED = GoldEntry(
    entry=replace(CONFIRMED, rank="B"),
    origin=GoldOrigin.TAKEN,
    decided_by="lead",
    at="2026-11-22T04:00:00.000+00:00",
    sources=(GoldSource(annotator="ann", digest="d1", alternatives=(1, 2)),),
    cause="oversight",
)


def _own_rank(store: CorpusStore, rank: str | None) -> Edit:
    abstract = store.topic("t1").abstracts[0]
    old = abstract.alignments[0].of_sentence(5) if abstract.alignments else entry(5)
    made = alignment_edit("t1", abstract, "ann", replace(old, rank=rank), verb=OWN_RANK)
    assert made is not None
    return made


def test_that_a_decision_is_stored_beside_the_alignments_and_undone_across_restarts(stored):
    with CorpusStore.open(stored, who="lead") as store:
        store.apply(edit(CONFIRMED), who="ann")
    before, after = undone_and_redone(stored, gold_edit(DECIDED), who="lead")
    (old,), (new,) = before.topics, after.topics
    assert new.abstracts[0].gold == (DECIDED,)
    assert new.abstracts[0].alignments == old.abstracts[0].alignments
    assert new == topic_after(old, gold_edit(DECIDED))


@in_turn(
    ("decided", "message"),
    [
        (GoldEntry(entry=entry(5, (SentenceRef("nowhere", 1),))), "no sentence “nowhere:1”"),
        (GoldEntry(entry=replace(entry(5, (REFS[0],)), rank="Z")), "weight.*use one of A, B, C"),
    ],
)
def test_that_a_decision_about_what_is_not_there_is_refused(store, decided, message):
    with pytest.raises(InputError, match=message):
        store.apply(gold_edit(decided), who="lead")
    assert store.topic("t1").abstracts[0].gold == ()


def test_that_a_removed_document_takes_its_sentences_out_of_thegold_edit(store):
    store.apply(gold_edit(DECIDED), who="lead")
    before = store.topic("t1")
    bare = content.without_document(before, "犬 2")
    made = content.topic_edit(before, bare, verb=content.REMOVE_DOCUMENT)
    assert made is not None
    store.apply(made, who="lead")
    (decided,) = store.topic("t1").abstracts[0].gold
    assert [alternative.members for alternative in decided.entry.alternatives] == [(REFS[1],)]
    assert decided.entry.state is AlignmentState.INCOMPLETE
    assert decided.sources[0].alternatives == ()
    store.undo(who="lead")
    assert store.topic("t1") == before


def test_that_an_own_rank_leaves_the_abstracts_and_is_undone(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(_own_rank(store, "C"), who="ann")
        abstract = store.topic("t1").abstracts[0]
        assert abstract.sentences[0].rank == "A"
        assert abstract.alignments[0].of_sentence(5).rank == "C"
        store.apply(_own_rank(store, "B"), who="ann")
        with pytest.raises(InputError, match="“Z” has no weight"):
            store.apply(_own_rank(store, "Z"), who="ann")
    with CorpusStore.open(stored, who="ann") as store:
        store.undo(who="ann")
        assert store.topic("t1").abstracts[0].alignments[0].of_sentence(5).rank == "C"
        store.undo(who="ann")
        assert store.topic("t1").abstracts[0].alignments == ()


def test_that_a_decision_puts_imported_ones_in_the_order_of_the_abstract(path):
    first, *others = topic().abstracts
    gold = tuple(GoldEntry(entry=entry(n, (REFS[0],))) for n in (9, 2))
    made = replace(topic(), abstracts=(replace(first, gold=gold), *others))
    addition = Addition(topics=(made,))
    with CorpusStore.create(path, name="n", who="lead", addition=addition) as store:
        store.apply(gold_edit(DECIDED), who="lead")
        assert [one.n for one in store.topic("t1").abstracts[0].gold] == [5, 2, 9]


def test_that_what_was_removed_does_not_come_back_with_a_rank_that_lost_its_weight(store):
    weights = store.corpus().rank_weights

    def weigh(*more: tuple[str, float]) -> None:
        changed = (*weights, *more)
        store.change(
            lambda corpus: replace(corpus, rank_weights=changed), verb="weigh", names=(), who="lead"
        )

    weigh(("D", 0.25))
    store.apply(_own_rank(store, "D"), who="ann")
    whole = store.topic("t1")
    bare = whole.with_abstracts(whole.abstracts[1:])
    store.apply(content.topic_edit(whole, bare, verb=content.REMOVE_ABSTRACT), who="ann")
    weigh()
    with pytest.raises(InputError, match="“D” has no weight"):
        store.undo(who="ann")
    assert store.topic("t1") == bare


def test_that_people_are_not_removed_who_have_work(store):
    old = store.corpus()
    new = replace(
        old, persons=(Person(id="A1"),), assignments=(Assignment(topic="t1", person="A1"),)
    )
    before, after = corpus_difference(old, new)
    made = CorpusEdit(verb="edit_project", old=before, new=replace(after, persons=before.persons))
    with pytest.raises(InputError, match="no person"):
        store.apply(made, who="lead")
    assert store.corpus() == old


def test_that_an_import_adds_people_and_leaves_those_who_are_there(store):
    one, two = Person(id="A1"), Person(id="A2")
    assert store.add(Addition(persons=(one,)), who="lead").corpus
    assert store.find_damage() == ()
    work = Assignment(topic="t1", person="A2")
    store.add(Addition(persons=(one, two), assignments=(work,)), who="lead")
    corpus = store.corpus()
    assert (corpus.persons, corpus.assignments) == ((one, two), (work,))
    with pytest.raises(InputError, match="“A1” appears twice"):
        store.add(Addition(persons=(Person(id="A1", role="lead"),)), who="lead")
