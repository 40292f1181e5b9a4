"""The columns of a study's sentences say what the sentences say."""

import random

import pytest

from awase.core.agreement.comparison import WorstFirst
from awase.core.agreement.distances import OF_FAMILIES, Kind, SetDistance
from awase.core.agreement.results import SentenceAgreement
from awase.gui.pages.review.tables import sentences_table

PAIRS = (("A", "B"), ("A", "C"), ("B", "C"))


def made(n, seed=5):
    rng = random.Random(seed)
    return [
        SentenceAgreement(
            topic=f"T{at // 9}",
            abstract=rng.choice("xyz"),
            n=at,
            annotators=rng.choice(PAIRS),
            kind=rng.choice([*Kind]),
            distances={level: rng.choice((None, 0.0, 0.25, 1.0)) for level in OF_FAMILIES},
        )
        for at in range(n)
    ]


def test_that_they_are_those_given_the_worst_first_and_equal_ones_in_their_order():
    given = made(300)
    order = sorted(given, key=lambda one: -(one.distances[SetDistance.ALTERNATIVES] or 0.0))
    assert [*WorstFirst(given)] == order
    assert WorstFirst(given)[2:5] == tuple(order[2:5])
    for pair in (None, *PAIRS, ("C", "D")):
        for kind in (None, *Kind):
            wanted = [
                one
                for one in order
                if pair in (None, one.annotators)
                and (one.kind is kind if kind else not one.kind.is_agreement)
            ]
            found = WorstFirst(given).narrowed(pair, kind)
            assert [*found] == wanted
            assert [found.place_of(one) for one in wanted] == [*range(len(wanted))]
            assert found.place_of(None) == -1
            others = (one for one in given if one not in wanted)
            assert {found.place_of(one) for one in others} <= {-1}


@pytest.mark.slow
def test_that_a_row_is_made_when_it_is_asked_for_and_sorted_by_what_it_says():
    asked = []

    def text_of(one):
        asked.append(one)
        return f"{one.n % 7} {one.n}"

    sentences = WorstFirst(made(300))
    grid = sentences_table(sentences, text_of, SetDistance.FUNCTION, has_pairs=True)
    assert not asked
    rows = [*grid.rows]
    assert len(asked) == len(rows) == 300
    for column in range(len(grid.columns)):
        assert [*grid.rows.values(column)] == [row[column].value for row in rows]
