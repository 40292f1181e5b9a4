"""How far everybody is, counted by hand."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import abstract, corpus, topic

from awase.core.agreement.distances import SetDistance
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest
from awase.core.errors import InputError, Silent
from awase.core.records.abstract import AssistOrigin
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.topic import Topic
from awase.core.reports.study_report import report_of_progress
from awase.core.team.assigning import (
    AssignmentRequest,
    assigned,
    may_lead,
    with_person,
    without_person,
)
from awase.core.team.progress import (
    LoggedTime,
    TimesBy,
    TimeSpent,
    TopicFilter,
    TopicFinder,
    TopicOrder,
    TopicState,
    Work,
    gate_of,
    line_of,
    progress_of_people,
    times,
    total_of,
    work_of,
)
from awase.jobs.team.project_reports import study_progress


def _small() -> Corpus:
    return corpus(
        topic("t", abstracts=(abstract("a", {"A1": "s1;-;!s2", "A2": "s1;;"}),)),
        topic("u", abstracts=(abstract("a", {"A1": "s1;s2"}), abstract("b", texts=["x"]))),
    )


def test_that_everything_counts_where_nothing_is_assigned():
    first, second = progress_of_people(_small(), (), {"A1": 0.5})
    assert (first.id, first.role, first.alpha) == ("A1", None, 0.5)
    assert (first.n_settled, first.n_sentences, first.n_flagged) == (4, 6, 1)
    assert (first.n_jobs_done, first.n_jobs) == (1, 3)
    assert (second.n_settled, second.n_flagged, second.alpha) == (1, 0, None)


def test_that_a_persons_alpha_is_the_mean_of_that_with_each_other():
    links = {"x": ["s1", "s2", "s3"], "y": ["s1", "s2", "s4"], "z": ["s1", "s3", "s2"]}
    alone = topic("u", links={"w": ["s1"]})  # with nobody, so that there is no alpha
    made = corpus(topic("t", docs=4, links=links), alone)
    request = AgreementRequest(distances=(SetDistance.ALTERNATIVES,), compares_texts=False)
    pairs = [one for one in agreement_of(made, request, Silent()).rows if len(one.annotators) == 2]
    assert [one for one in pairs if one.alpha is None]
    *people, other = study_progress(made, (), Silent()).people
    for person in people:
        alphas = [one.alpha for one in pairs if person.id in one.annotators]
        first, second = (alpha for alpha in alphas if alpha is not None)
        assert person.alpha == pytest.approx((first + second) / 2)
    assert other.alpha is None


def test_that_work_counts_up_to_what_was_assigned_and_the_earliest_open_date_is_told():
    people = (Person(id="L", role="lead"), Person(id="A1", name="Anna"))
    given = (
        Assignment(topic="t", abstract="a", person="A1", due="2026-12-05"),
        Assignment(topic="u", abstract="a", person="A1", due="2026-12-01"),
        Assignment(topic="t", person="L", due="2026-11-30"),
    )
    lead, anna, other = progress_of_people(
        replace(_small(), persons=people, assignments=given), (), {}
    )
    assert (lead.role, lead.n_jobs, lead.due) == ("lead", 1, "2026-11-30")
    assert (anna.name, anna.n_jobs, anna.n_jobs_done, anna.n_settled) == ("Anna", 2, 1, 4)
    assert anna.due == "2026-12-05"
    # Nothing is A2's: what was finished before others got work is still to be seen.
    assert (other.id, other.role, other.n_jobs, other.n_settled) == ("A2", None, 1, 1)


def test_that_suggestions_taken_and_decoys_are_counted():
    def helped(*origins: AssistOrigin) -> Corpus:
        one, other = _small().topics
        (own,) = one.abstracts
        first, second = own.alignments
        entries = (replace(e, assist=o) for e, o in zip(first.sentences, origins, strict=True))
        own = replace(own, alignments=(replace(first, sentences=tuple(entries)), second))
        return corpus(replace(one, abstracts=(own,)), other)

    taken = AssistOrigin.TAKEN
    (first, _) = progress_of_people(helped(taken, taken, taken), (), {}, {"A1": [True, False]})
    assert (first.n_taken, first.n_decoys, first.n_decoys_taken) == (2, 2, 1)
    changed = helped(AssistOrigin.CHANGED, taken, taken)
    assert progress_of_people(changed, (), {}, {})[0].n_taken == 1
    titles = [column.title for column in report_of_progress([first]).columns]
    assert titles[-3:] == ["taken", "decoys taken", "of"]
    plain = replace(first, n_taken=0, n_decoys=0, n_decoys_taken=0)
    assert [column.title for column in report_of_progress([plain]).columns][-1] == "due"


def test_that_speed_is_of_sentences_and_undefined_without_a_log():
    def spent(n: int, ms: int) -> LoggedTime:
        return LoggedTime(annotator="A1", active_ms=ms, topic="t", abstract="a", n=n)

    log = [spent(1, 10_000), spent(1, 20_000), spent(2, 60_000), spent(3, 90_000)]
    log += [LoggedTime(annotator="A1", active_ms=5_000, topic="t"), spent(4, 0)]  # no time taken
    first, second = progress_of_people(_small(), log, {})
    assert first.n_timed == 3
    assert first.median_ms == 60_000
    assert first.p90_ms == pytest.approx(84_000)
    assert first.an_hour == pytest.approx(3 * 3600 / 180)
    assert (second.median_ms, second.an_hour) == (None, None)


def test_that_the_gate_opens_when_everybody_settled_the_first_topics():
    given = assigned(_small(), AssignmentRequest(people=("A1", "A2"), topics=("t",), calibration=1))
    gate = gate_of(given)
    assert gate is not None
    assert dict(gate.n_left) == {"A1": 1, "A2": 2}
    assert gate.n_unassigned == 2
    again = with_person(given, Person(id="A3"))  # who only reads again
    second = Assignment(topic="t", person="A3", round=2)
    assert gate_of(replace(again, assignments=(*given.assignments, second))) == gate
    done = abstract("a", {"A1": "s1;-;s2", "A2": "s1;s1;s1"})
    topics = (topic("t", abstracts=(done,)), given.topics[1])
    opened = gate_of(replace(given, topics=topics))
    assert opened is not None
    assert dict(opened.n_left) == {"A1": 0, "A2": 0}
    assert gate_of(_small()) is None


def test_that_people_come_change_and_go_and_their_work_stays():
    one = with_person(_small(), Person(id="A1"))
    assert not may_lead(one, "A1")
    assert may_lead(one, "nobody known")
    assert may_lead(with_person(one, Person(id="A1", role="lead")), "A1")
    given = replace(
        one, assignments=(Assignment(topic="t", person="A1"), Assignment(topic="u", person="A1"))
    )
    gone = without_person(given, "A1")
    assert (gone.persons, gone.assignments, gone.topics) == ((), (), _small().topics)
    with pytest.raises(InputError, match="not in this project"):
        without_person(gone, "A1")


def test_that_a_topic_counts_what_its_reader_settled_and_the_others():
    first = abstract("a", {"A1": "s1;-;!s1;", "A2": "s1;;;"})
    one = topic("t", docs=3, abstracts=(first, abstract("b", {"A2": "s1;s1"})))
    line = line_of(one, "A1", None)
    assert (line.n_settled, line.n_sentences, line.n_flagged) == (2, 6, 1)
    assert line.others == (("A2", 3),)
    assert line.state is TopicState.BEGUN
    assert line_of(one, "A3", None).state is TopicState.TODO
    assert line_of(topic("e"), "A1", None).state is TopicState.NOTHING
    assert work_of([Assignment(topic="t", person="A2")], "A1") == {}  # not everything


def test_that_only_the_abstracts_assigned_count():
    one = topic("t", docs=3, abstracts=(abstract("a", {"A1": "s1"}), abstract("b", {"A1": ";;"})))
    given = Assignment(topic="t", abstract="a", person="A1", order=3, due="2026-12-01")
    work = work_of([given], "A1")
    line = line_of(one, "A1", work)
    assert line.state is TopicState.DONE
    assert (line.order, line.due) == (3, "2026-12-01")


def test_that_the_first_place_and_day_of_a_topics_parts_count_where_some_have_none():
    parts = [("a", 3, None), ("b", None, "2026-12-03"), ("c", 2, "2026-12-01")]
    work = work_of(
        [Assignment(topic="t", abstract=a, person="A1", order=n, due=day) for a, n, day in parts],
        "A1",
    )
    one = topic("t", abstracts=tuple(abstract(a, ";") for a, *_ in parts), title="Earthquake")
    line = line_of(one, "A1", work)
    assert (line.title, line.order, line.due) == ("Earthquake", 2, "2026-12-01")


def _finder(*topics: Topic, work: Work | None = None) -> TopicFinder:
    return TopicFinder(topics, "A1", work)


def _ids(finder: TopicFinder, words: str = "", **asked: Any) -> list[str]:
    places = finder.matching(words, **asked)
    return [finder.line(place).id for place in places]


def _topic(topic_id: str, states: str = "", title: str = "") -> Topic:
    """Returns a topic of four sentences that A1 settled (+), flagged (!) or left (.)."""
    each = {"+": "s1", "!": "!s1", ".": ""}
    links = ";".join(each[state] for state in states.ljust(4, "."))
    return topic(topic_id, docs=2, title=title, abstracts=(abstract("a", {"A1": links}),))


def test_that_words_find_topics_by_id_and_title():
    finder = _finder(
        _topic("0310", title="Earthquake in Kobe"),
        _topic("0320", title="Floods"),
        _topic("x0320", title="Kobe"),
    )
    assert _ids(finder, "kobe") == ["0310", "x0320"]
    assert _ids(finder, "0320") == ["0320", "x0320"]
    assert _ids(finder, "KOBE earth") == ["0310"]
    assert not _ids(finder, "nothing")
    alike = _finder(_topic("x03", title="Kobe"), _topic("0310", title="Kobe"))
    assert _ids(alike, "03 kobe") == ["0310", "x03"]


def _given(**orders_and_dues: tuple[int | None, str | None]) -> Work | None:
    return work_of(
        [
            Assignment(topic=one, person="A1", order=order, due=due)
            for one, (order, due) in orders_and_dues.items()
        ],
        "A1",
    )


def test_that_filters_keep_what_they_say():
    topics = _topic("todo"), _topic("done", "++++"), _topic("flagged", "!"), _topic("hers", "++++")
    work = _given(todo=(None, None), done=(None, None), flagged=(None, None))
    finder = _finder(*topics, work=work)
    assert _ids(finder, shown=TopicFilter.ALL) == ["todo", "done", "flagged", "hers"]
    assert _ids(finder, shown=TopicFilter.MINE) == ["todo", "done", "flagged"]
    assert _ids(finder, shown=TopicFilter.OPEN) == ["todo", "flagged"]
    assert _ids(finder, shown=TopicFilter.DONE) == ["done"]
    assert _ids(finder, shown=TopicFilter.FLAGGED) == ["flagged"]


def test_that_topics_are_sorted_by_what_is_asked_for():
    topics = _topic("b", "+"), _topic("c", "+++!"), _topic("a")
    finder = _finder(*topics, work=_given(b=(2, "2026-12-02"), c=(1, "2026-12-01")))
    assert _ids(finder) == ["c", "b", "a"]
    assert _ids(finder, is_descending=True) == ["a", "b", "c"]
    assert _ids(finder, order=TopicOrder.NAME) == ["a", "b", "c"]
    assert _ids(finder, order=TopicOrder.PROGRESS) == ["a", "b", "c"]
    assert _ids(finder, order=TopicOrder.DUE) == ["c", "b", "a"]
    undated = _finder(*topics, work=_given(b=(2, None), c=(1, "2026-12-01")))
    assert _ids(undated, order=TopicOrder.DUE) == ["c", "b", "a"]
    assert _ids(finder, order=TopicOrder.FLAGS, is_descending=True) == ["c", "b", "a"]


def test_that_an_edited_topic_is_counted_anew_and_takes_its_new_place():
    finder = _finder(_topic("a"), _topic("b"))
    assert [*finder.matching(order=TopicOrder.PROGRESS, is_descending=True)] == [0, 1]
    finder.renew([_topic("b", "++")])
    assert finder.line(1).n_settled == 2
    assert [*finder.matching(order=TopicOrder.PROGRESS, is_descending=True)] == [1, 0]


# Times of work

TOPICS = tuple(
    topic(name, docs={}, abstracts=[abstract("a", {"ann": [], "bob": []}, texts=["x", "y"])])
    for name in ("t1", "t2")
)
# The hand-worked log: ann 1.0 + 2.0 s on t1/1 and 4.0 s on t1/2, bob 8.0 s on t1/1, ann 16.0 s on
# the topic itself, and an edit that nobody timed.
LOG = (
    LoggedTime(annotator="ann", active_ms=1000, topic="t1", abstract="a", n=1),
    LoggedTime(annotator="ann", active_ms=2000, topic="t1", abstract="a", n=1),
    LoggedTime(annotator="ann", active_ms=4000, topic="t1", abstract="a", n=2),
    LoggedTime(annotator="bob", active_ms=8000, topic="t1", abstract="a", n=1),
    LoggedTime(annotator="ann", active_ms=16000, topic="t1"),
    LoggedTime(annotator="bob", active_ms=0, topic="t2", abstract="a", n=1),
)


def test_that_a_topic_sums_its_people_and_means_leave_out_work_on_no_sentence():
    first, second = times(TOPICS, LOG, TimesBy.TOPIC, Silent())
    assert (first.active_ms, first.n_edits, first.n_sentences) == (31000, 5, 3)
    assert first.mean_ms == (3000 + 4000 + 8000) / 3
    assert (second.active_ms, second.n_edits, second.mean_ms) == (None, 1, None)


def test_that_one_annotator_can_be_asked_for_and_nothing_logged_is_undefined_everywhere():
    (line,) = times(TOPICS, LOG, TimesBy.ANNOTATOR, Silent(), annotator="bob")
    assert (line.annotator, line.active_ms, line.n_edits, line.n_sentences) == ("bob", 8000, 2, 1)
    assert total_of(LOG, annotator="bob").active_ms == 8000
    assert all(line.active_ms is None for by in TimesBy for line in times(TOPICS, (), by, Silent()))
    assert total_of(()).active_ms is None


logged = st.builds(
    LoggedTime,
    annotator=st.sampled_from(["ann", "bob", "eve"]),
    active_ms=st.integers(0, 5),
    topic=st.sampled_from(["t1", "t2", "t3"]),
    abstract=st.sampled_from(["a", "b"]),
    n=st.integers(1, 3),
)


def plain_lines(log: list[LoggedTime], by: TimesBy, annotator: str | None) -> list[TimeSpent]:
    people = [who for who in ("ann", "bob") if annotator in (None, who)]
    items = [item for item in log if annotator in (None, item.annotator)]
    if by is TimesBy.SENTENCE:
        known = [(who, id_, "a", n) for id_ in ("t1", "t2") for n in (1, 2) for who in people]
        keys = [(item.annotator, item.topic, item.abstract, item.n) for item in items]
    elif by is TimesBy.TOPIC:
        known = [(None, id_, None, None) for id_ in ("t1", "t2")]
        keys = [(None, item.topic, None, None) for item in items]
    else:
        known = [(who, None, None, None) for who in people]
        keys = [(item.annotator, None, None, None) for item in items]
    lines = []
    for key in dict.fromkeys((*known, *keys)):
        own = [item for item, of in zip(items, keys, strict=True) if of == key and item.active_ms]
        annotator, topic, abstract, n = key
        spent = sum(item.active_ms for item in own)
        places = {(item.annotator, item.topic, item.abstract, item.n) for item in own}
        line = TimeSpent(
            annotator=annotator, topic=topic, abstract=abstract, n=n, n_edits=keys.count(key),
            active_ms=spent or None, n_sentences=len(places), sentence_ms=spent,
        )  # fmt: skip
        lines.append(line)
    return lines


@given(
    st.lists(logged, max_size=12), st.sampled_from(TimesBy), st.sampled_from([None, "ann", "eve"])
)
def test_that_lines_are_those_of_what_is_about_each(log, by, annotator):
    found = times(TOPICS, log, by, Silent(), annotator=annotator)
    assert [*found] == plain_lines(log, by, annotator)
