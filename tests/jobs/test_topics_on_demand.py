"""What jobs make of topics that are read when they are needed: the same as of those in memory."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tests.building import abstract, extract, topic

from awase.core.errors import Cancelled, CorpusFormatError, InputError
from awase.core.extraction import running
from awase.core.extraction.extractors import extractions_of
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition, merge, with_extracts
from awase.core.records.project import Assignment, Person
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand, pairs_of
from awase.jobs.comparing import differences
from awase.jobs.covers import CoverRequest, find_covers
from awase.jobs.subset import Subset
from awase.jobs.team.agreement import AgreementRequest, study_agreement
from awase.jobs.team.progress import study_progress

_LINKS = {"1": "s1|s2;-", "2": "s3;!s1"}
TOPICS = tuple(
    topic(f"t{n}", docs=4, abstracts=(abstract(f"a{n}", _LINKS),), outputs=[extract("lead", "s1")])
    for n in range(7)
)
WHOLE = Corpus(
    name="c",
    topics=TOPICS,
    persons=(Person(id="1", role="lead"), Person(id="2")),
    assignments=(Assignment(topic="t1", person="2"), Assignment(topic="t4", person="2")),
)
OTHER = replace(
    WHOLE, topics=(*TOPICS[2:5], replace(TOPICS[1], title="Other"), topic("new", docs=1))
)


def on_demand(corpus: Corpus) -> Corpus:
    """Returns the corpus with topics that are read two at a time."""
    by_id = {one.id: one for one in corpus.topics}
    read = TopicsOnDemand([*by_id], lambda ids: [by_id[one] for one in ids], at_once=2, kept=2)
    return replace(corpus, topics=read)


def _extracted(corpus: Corpus) -> object:
    (wanted,) = extractions_of(["lead"], {"size": "2"})
    systems = running.named(corpus, [wanted], ["two"])
    return running.extract(corpus, systems, Silent()), running.systems_there(corpus, ["lead", "x"])


@pytest.mark.parametrize(
    "job",
    [
        lambda corpus: find_covers(corpus, CoverRequest(annotators=("all",)), Silent()),
        lambda corpus: find_covers(corpus, CoverRequest(abstracts=("a3",)), Silent()),
        _extracted,
        lambda corpus: study_progress(corpus, (), Silent()),
        lambda corpus: study_agreement(corpus, AgreementRequest(), Silent()),
    ],
    ids=["covers", "one cover", "extracts", "progress", "agreement"],
)
def test_that_topics_on_demand_give_what_those_in_memory_do(
    job: Callable[[Corpus], object],
) -> None:
    assert job(on_demand(WHOLE)) == job(WHOLE)


@pytest.mark.parametrize(
    ("job", "most"),
    [
        (lambda corpus: study_agreement(corpus, AgreementRequest(), Silent()), 2),
        (lambda corpus: study_progress(corpus, (), Silent()), 2),
        (lambda corpus: find_covers(corpus, CoverRequest(annotators=("all",)), Silent()), 1),
    ],
    ids=["agreement", "progress", "covers"],
)
def test_that_a_topic_is_read_once_for_each_thing_that_is_found(
    job: Callable[[Corpus], object], most: int
) -> None:
    by_id, times = {one.id: one for one in WHOLE.topics}, Counter[str]()

    def read(ids: Sequence[str]) -> list[Topic]:
        times.update(ids)
        return [by_id[one] for one in ids]

    def shapes(ids: Sequence[str]) -> list[Topic]:
        return [by_id[one] for one in ids]

    topics = TopicsOnDemand([*by_id], read, read_shapes=shapes, at_once=2, kept=2)
    job(replace(WHOLE, topics=topics, assignments=()))
    # The few first ones are read alone, too, by whoever looks for the first of some kind.
    assert {times[one] for one in [*by_id][3:]} == {most}


def test_that_counting_how_far_everybody_is_tells_of_each_topic_and_can_be_stopped() -> None:
    told: list[str] = []

    class Stops(Silent):
        def advance(self, done: int, total: int, what: str = "") -> None:
            if 2 * done >= total:  # all are compared
                told.append(what)
            if len(told) == len(TOPICS):
                raise Cancelled

    with pytest.raises(Cancelled):
        study_progress(on_demand(WHOLE), (), Stops())
    assert told == [one.id for one in TOPICS]


def test_that_corpora_differ_in_the_same_way_however_they_are_read() -> None:
    expected = [*differences(WHOLE, OTHER, Silent())]
    assert {one.topic for one in expected if one.part == "topic"} == {"t0", "t1", "t5", "t6", "new"}
    for first in (WHOLE, on_demand(WHOLE)):
        for second in (OTHER, on_demand(OTHER)):
            assert [*differences(first, second, Silent())] == expected


def test_that_extracts_take_the_place_of_others_as_a_merge_does() -> None:
    extracts = {one.id: (extract("lead", "s2"), extract("new", "s3")) for one in TOPICS[::2]}
    bare = replace(WHOLE, topics=tuple(replace(one, outputs=()) for one in TOPICS))
    joining = [(topic_id, one) for topic_id, own in extracts.items() for one in own]
    expected = merge(bare, Addition(outputs=tuple(joining)))
    assert with_extracts(WHOLE, extracts, {"lead"}) == expected
    assert with_extracts(on_demand(WHOLE), extracts, {"lead"}).topics == expected.topics


def test_that_only_topics_that_change_are_read_for_extracts() -> None:
    whole = on_demand(WHOLE)
    changed = with_extracts(whole, {"t3": (extract("new", "s2"),)}, ())
    assert [old.id for old, _ in pairs_of(whole.topics, changed.topics)] == ["t3"]


@pytest.mark.parametrize("made", [lambda corpus: corpus, on_demand], ids=["held", "on demand"])
@pytest.mark.parametrize(
    ("extracts", "message"),
    [
        ({"t1": (extract("new", "s1"),), "x": (extract("new", "s1"),)}, "no topic “x”"),
        ({"t2": (extract("new", "s9"),)}, "no sentence “d:9”"),
        ({"t2": (extract("lead", "s2"),)}, "lead"),
    ],
    ids=["no topic", "no sentence", "there already"],
)
def test_that_extracts_that_do_not_fit_are_refused(made, extracts, message) -> None:
    with pytest.raises(CorpusFormatError, match=message):
        [*with_extracts(made(WHOLE), extracts, ()).topics]


def test_that_names_which_a_large_corpus_lacks_are_told() -> None:
    for request in (CoverRequest(abstracts=("x",)), CoverRequest(excluded=("y",))):
        with pytest.raises(InputError) as told:
            find_covers(on_demand(WHOLE), request, Silent())
        with pytest.raises(InputError) as expected:
            find_covers(WHOLE, request, Silent())
        assert told.value.problems == expected.value.problems


@pytest.mark.parametrize("made", [lambda corpus: corpus, on_demand], ids=["held", "on demand"])
def test_that_some_topics_can_be_chosen_where_work_is_assigned_in_others(
    made: Callable[[Corpus], Corpus],
) -> None:
    part = Subset(topics=("t4", "t5")).part_of(made(WHOLE))
    assert [one.id for one in part.topics] == ["t4", "t5"]
    assert part.assignments == WHOLE.assignments[1:]
