"""Tables of scores joined."""

from tests.in_part import in_turn

from awase.core.records.score import Score, ScoreTable


def _scores(*topics: str | None) -> tuple[Score, ...]:
    return tuple(
        Score(topic=topic, length=None, system=str(number), metric="m", value=0.5, signature="m")
        for number, topic in enumerate(topics)
    )


@in_turn(
    ("first", "second"),
    [
        ((), ("a", None, "b", None)),
        (("a", "b", None), ()),
        (("a", "b", None, None), ("a", "c", None)),
        ((None,), ("a",)),
        ((), ()),
    ],
)
def test_that_means_come_last_and_all_else_stays_in_order(first, second):
    one, other = _scores(*first), _scores(*second)
    joined = ScoreTable(scores=one) + ScoreTable(scores=other)
    assert joined.scores == tuple(sorted(one + other, key=lambda score: score.topic is None))
