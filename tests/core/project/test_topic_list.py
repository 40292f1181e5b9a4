"""The list of topics: how far each is, and how one is found."""

from collections.abc import Sequence

from tests.building import abstract, topic

from awase.core.project.topic_list import (
    TopicFilter,
    TopicLine,
    TopicOrder,
    TopicState,
    found,
    line_of,
    tally_of,
    work_of,
)
from awase.core.records.project import Assignment


def _line(id: str, title: str = "", **changes: object) -> TopicLine:
    values: dict[str, object] = {
        "n_settled": 0, "n_sentences": 4, "n_flagged": 0,
        "is_mine": True, "order": None, "due": None, "others": (),
    }  # fmt: skip
    return TopicLine(id=id, title=title, **{**values, **changes})  # type: ignore[arg-type]


def _ids(lines: Sequence[TopicLine]) -> list[str]:
    return [line.id for line in lines]


def test_that_a_topic_counts_what_its_reader_settled_and_the_others() -> None:
    one = topic("t", docs=3, abstracts=(abstract("a", {"A1": "s1;-;!s1;", "A2": "s1;;;"}),))
    line = line_of(tally_of(one), "A1", None)
    assert (line.n_settled, line.n_sentences, line.n_flagged) == (2, 4, 1)
    assert line.others == (("A2", 1),)
    assert line.state is TopicState.BEGUN
    assert line_of(tally_of(one), "A3", None).state is TopicState.TODO
    assert line_of(tally_of(topic("e")), "A1", None).state is TopicState.NOTHING


def test_that_only_the_abstracts_assigned_count() -> None:
    one = topic("t", docs=3, abstracts=(abstract("a", {"A1": "s1"}), abstract("b", {"A1": ";;"})))
    work = work_of(
        [Assignment(topic="t", abstract="a", person="A1", order=3, due="2026-12-01")], "A1"
    )
    line = line_of(tally_of(one), "A1", work)
    assert line.state is TopicState.DONE
    assert (line.order, line.due, line.is_mine) == (3, "2026-12-01", True)
    assert not line_of(
        tally_of(one), "A2", work_of([Assignment(topic="t", person="A1")], "A2")
    ).is_mine


def test_that_words_find_topics_by_id_and_title() -> None:
    lines = [_line("0310", "Earthquake in Kobe"), _line("0320", "Floods"), _line("x0320", "Kobe")]
    assert _ids(found(lines, "kobe")) == ["0310", "x0320"]
    assert _ids(found(lines, "0320")) == ["0320", "x0320"]
    assert _ids(found(lines, "KOBE earth")) == ["0310"]
    assert not found(lines, "nothing")


def test_that_filters_keep_what_they_say() -> None:
    lines = [
        _line("todo"),
        _line("done", n_settled=4),
        _line("flagged", n_flagged=1),
        _line("hers", is_mine=False, n_settled=4),
    ]
    assert _ids(found(lines, shown=TopicFilter.ALL)) == ["todo", "done", "flagged", "hers"]
    assert _ids(found(lines, shown=TopicFilter.MINE)) == ["todo", "done", "flagged"]
    assert _ids(found(lines, shown=TopicFilter.OPEN)) == ["todo", "flagged"]
    assert _ids(found(lines, shown=TopicFilter.DONE)) == ["done"]
    assert _ids(found(lines, shown=TopicFilter.FLAGGED)) == ["flagged"]


def test_that_topics_are_sorted_by_what_is_asked_for() -> None:
    lines = [
        _line("b", order=2, n_settled=1, due="2026-12-02"),
        _line("c", order=1, n_settled=4, n_flagged=2),
        _line("a", is_mine=False, due="2026-12-01"),
    ]
    assert _ids(found(lines)) == ["c", "b", "a"]
    assert _ids(found(lines, order=TopicOrder.NAME)) == ["a", "b", "c"]
    assert _ids(found(lines, order=TopicOrder.PROGRESS)) == ["a", "b", "c"]
    assert _ids(found(lines, order=TopicOrder.DUE)) == ["a", "b", "c"]
    assert _ids(found(lines, order=TopicOrder.FLAGS, is_descending=True)) == ["c", "b", "a"]
