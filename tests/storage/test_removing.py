"""Nothing is for ever: what is imported or removed is brought back to the byte."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from awase.core.annotation.content import (
    without_abstracts,
    without_alignments,
    without_documents,
    without_human_scores,
    without_systems,
    without_topics,
)
from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.addition import Addition
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.edits import (
    REMOVE_ABSTRACTS,
    REMOVE_ALIGNMENTS,
    REMOVE_DOCUMENTS,
    REMOVE_HUMAN_SCORES,
    REMOVE_SYSTEMS,
    REMOVE_TOPICS,
    corpus_difference,
    has_corpus_parts,
    with_corpus_parts,
)
from awase.core.records.topic import HumanScore
from awase.storage.store import CorpusStore
from tests.in_part import in_turn
from tests.laws import tries
from tests.oracles.corpus_edits import corpus_edit
from tests.storage.sample import CONFIRMED, LINKED, addition, edit
from tests.strategies import corpora
from tests.written import as_json


def _export(store: CorpusStore) -> str:
    return as_json(WriteRequest(corpus=store.corpus()))


@pytest.fixture(scope="module")
def full_once(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    stored = Path(shutil.copy(template, tmp_path_factory.mktemp("full")))
    score = partial(HumanScore, system="lead", value=1.0)
    with CorpusStore.open(stored, who="ann") as store:
        more = Addition(
            topics=addition("t2", "t3").topics,
            human_scores=(
                score(measure="m", topic="t1"),
                score(measure="m", topic="t2"),
                score(measure="q", annotator="7"),
            ),
            persons=(Person(id="ann"), Person(id="bob")),
            assignments=(
                Assignment(topic="t1", person="ann", abstract="long"),
                Assignment(topic="t2", person="bob", abstract="long"),
            ),
        )
        store.add(more, who="ann", source="more.json")
        store.apply(edit(CONFIRMED), who="ann")
        store.apply(edit(LINKED, annotator="bob"), who="bob")
        store.apply(edit(LINKED, topic="t2"), who="ann")
    return stored


@pytest.fixture
def full(full_once: Path, path: Path) -> Path:
    return Path(shutil.copy(full_once, path))


CHANGES: tuple[tuple[Callable[[Corpus], Corpus], str], ...] = (
    (partial(without_human_scores, measures=["m"], topic_ids=["t2"]), REMOVE_HUMAN_SCORES),
    (partial(without_alignments, annotator="ann"), REMOVE_ALIGNMENTS),
    (partial(without_systems, systems=["lead"]), REMOVE_SYSTEMS),
    (partial(without_documents, topic_id="t1", ids=["犬 2"]), REMOVE_DOCUMENTS),
    (partial(without_abstracts, topic_id="t1", ids=["long"]), REMOVE_ABSTRACTS),
    (partial(without_topics, ids=["t1", "t3"]), REMOVE_TOPICS),
)


def test_that_what_is_removed_comes_back_to_the_byte_after_a_restart(full):
    with CorpusStore.open(full, who="ann") as store:
        exports = [_export(store)]
        for change, verb in CHANGES:
            corpus = store.corpus()
            changes = store.change(change, verb=verb, names=["what"], who="ann")
            assert changes.topics or changes.corpus
            assert store.corpus() == change(corpus) != corpus
            exports.append(_export(store))
            assert store.find_damage() == ()
    with CorpusStore.open(full, who="ann") as store:
        for (_, verb), before in zip(CHANGES[::-1], exports[-2::-1], strict=True):
            assert store.history("ann").done[-1].edit.verb == verb
            store.undo(who="ann")
            assert _export(store) == before
            assert store.find_damage() == ()
    with CorpusStore.open(full, who="ann") as store:
        for after in exports[1:]:
            store.redo(who="ann")
            assert _export(store) == after


def test_that_what_refers_to_the_removed_goes_with_it(full):
    with CorpusStore.open(full, who="ann") as store:
        corpus = store.corpus()
    topics = without_topics(corpus, ["t1"])
    assert [score.topic for score in topics.human_scores] == ["t2", None]
    assert [part.topic for part in topics.assignments] == ["t2"]
    abstracts = without_abstracts(corpus, "t1", ["long"])
    assert [part.topic for part in abstracts.assignments] == ["t2"]
    (entry,) = (
        without_documents(corpus, "t1", ["犬 2"]).topics[0].abstracts[0].alignments[0].sentences
    )
    assert len(entry.alternatives) == 1
    only = without_alignments(corpus, "ann", ["t1"], ["long"])
    assert [one.annotator for one in only.topics[0].abstracts[0].alignments] == ["bob"]
    assert only.topics[1] == corpus.topics[1]


@pytest.fixture
def exported(full: Path) -> str:
    with CorpusStore.open(full, who="ann", read_only=True) as store:
        return _export(store)


@in_turn(
    ("change", "message"),
    [
        (partial(without_topics, ids=["t9"]), "no topic “t9”. There are: t1, t2, t3"),
        (partial(without_documents, topic_id="t1", ids=["x"]), "no document “x”"),
        (partial(without_abstracts, topic_id="t9", ids=["x"]), "no topic “t9”"),
        (partial(without_systems, systems=["x"]), "no system “x”. There are: lead"),
        (partial(without_alignments, annotator="x"), "no annotator “x”. There are: ann, bob"),
        (partial(without_human_scores, measures=["m"], annotators=["7"]), "No human score"),
    ],
)
def test_that_removing_what_is_not_there_is_refused_with_what_is(full, exported, change, message):
    with CorpusStore.open(full, who="ann") as store:
        with pytest.raises(InputError, match=message):
            store.change(change, verb="remove_topics", names=["x"], who="ann")
        assert _export(store) == exported


def test_that_the_import_that_makes_a_corpus_is_not_undone(store):
    assert store.history("ann").done == ()
    assert store.add(Addition(), who="ann").touched_topics() == frozenset()
    assert store.history("ann").done == ()


def test_that_other_changes_meanwhile_are_no_reason_to_refuse(stored):
    from awase.core.annotation.content import guidelines_edit

    with CorpusStore.open(stored, who="ann") as store:
        store.add(addition("t2"), who="ann")
        store.apply(guidelines_edit("", "# new"), who="bob")
        store.apply(edit(LINKED), who="bob")
        store.undo(who="ann")
        corpus = store.corpus()
        assert ([topic.id for topic in corpus.topics], corpus.guidelines) == (["t1"], "# new")
        assert corpus.topics[0].abstracts[0].alignments


@pytest.mark.slow
@settings(max_examples=tries(30), deadline=None, suppress_health_check=list(HealthCheck))
@given(old=corpora(), new=corpora(), data=st.data())
def test_that_parts_of_two_corpora_make_each_of_the_other(old, new, data):
    kept = [topic for topic in old.topics if data.draw(st.booleans())]
    known = {topic.id for topic in old.topics}  # no edit moves a topic to another place
    topics = (*kept, *(topic for topic in new.topics if topic.id not in known))
    ids = {topic.id for topic in topics}
    weights = {**dict(old.rank_weights), **dict(new.rank_weights)}
    new = replace(
        new,
        rank_weights=tuple(weights.items()),
        topics=topics,
        human_scores=tuple(one for one in new.human_scores if one.topic in {None, *ids}),
        assignments=tuple(one for one in new.assignments if one.topic in ids),
    )
    before, after = corpus_difference(old, new)
    assert has_corpus_parts(old, before)
    assert with_corpus_parts(old, before, after) == new
    assert with_corpus_parts(new, after, before) == old
    made = corpus_edit(old, new, verb="import")
    assert (made is None) == (old == new)
