from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st
from tests.building import abstract, topic

from awase.core.errors import Silent
from awase.core.team.progress import LoggedTime, TimesBy, TimeSpent, times, total_of

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


def test_that_one_annotator_can_be_asked_for():
    (line,) = times(TOPICS, LOG, TimesBy.ANNOTATOR, Silent(), annotator="bob")
    assert (line.annotator, line.active_ms, line.n_edits, line.n_sentences) == ("bob", 8000, 2, 1)
    assert total_of(LOG, annotator="bob").active_ms == 8000


def test_that_nothing_logged_is_undefined_everywhere():
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


@given(st.lists(logged, max_size=12))
def test_that_every_report_sums_to_the_same_total(log):
    slow: dict[object, int] = defaultdict(int)
    for item in log:
        slow[item.annotator] += item.active_ms
    for by in TimesBy:
        assert sum(line.active_ms or 0 for line in times(TOPICS, log, by, Silent())) == sum(
            slow.values()
        )
    for line in times(TOPICS, log, TimesBy.ANNOTATOR, Silent()):
        assert (line.active_ms or 0) == slow[line.annotator]


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
