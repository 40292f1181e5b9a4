"""The list of topics: how far each is, and how one is found."""

from typing import Any

from tests.building import abstract, topic

from awase.core.records.project import Assignment
from awase.core.records.topic import Topic
from awase.core.team.topic_list import (
    TopicFilter,
    TopicFinder,
    TopicOrder,
    TopicState,
    Work,
    line_of,
    work_of,
)


def test_that_a_topic_counts_what_its_reader_settled_and_the_others():
    one = topic("t", docs=3, abstracts=(abstract("a", {"A1": "s1;-;!s1;", "A2": "s1;;;"}),))
    line = line_of(one, "A1", None)
    assert (line.n_settled, line.n_sentences, line.n_flagged) == (2, 4, 1)
    assert line.others == (("A2", 1),)
    assert line.state is TopicState.BEGUN
    assert line_of(one, "A3", None).state is TopicState.TODO
    assert line_of(topic("e"), "A1", None).state is TopicState.NOTHING


def test_that_only_the_abstracts_assigned_count():
    one = topic("t", docs=3, abstracts=(abstract("a", {"A1": "s1"}), abstract("b", {"A1": ";;"})))
    work = work_of(
        [Assignment(topic="t", abstract="a", person="A1", order=3, due="2026-12-01")], "A1"
    )
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
    assert _ids(finder, order=TopicOrder.FLAGS, is_descending=True) == ["c", "b", "a"]


def test_that_an_edited_topic_is_counted_anew_and_takes_its_new_place():
    finder = _finder(_topic("a"), _topic("b"))
    assert [*finder.matching(order=TopicOrder.PROGRESS, is_descending=True)] == [0, 1]
    finder.renew([_topic("b", "++")])
    assert finder.line(1).n_settled == 2
    assert [*finder.matching(order=TopicOrder.PROGRESS, is_descending=True)] == [1, 0]
