"""What began with a suggestion can be left out of an export, with what gold has of it."""

from dataclasses import replace

from tests.building import topic

from awase.core.agreement.effect_study import assisted_entries, without_assisted
from awase.core.records.alignment import Alignment, AssistOrigin, GoldEntry, GoldSource
from awase.core.records.topic import Topic

ORIGINS = {1: AssistOrigin.TAKEN, 2: AssistOrigin.CHANGED, 3: AssistOrigin.REFUSED}


def assisted() -> Topic:
    """Returns a topic where `x` was helped with two sentences, and gold took two of `x`'s."""
    made = topic("t", docs=6, links={"x": ["s1|s2", "s3", "s4"], "y": ["s1", "s3", "s4"]})
    (own,) = made.abstracts
    x, y = own.alignments
    told = tuple(replace(one, assist=ORIGINS.get(one.n)) for one in x.sentences)
    gold = (
        GoldEntry(entry=x.sentences[0], sources=(source(1), source(1, "y"))),
        GoldEntry(entry=y.sentences[1], sources=(source(1, "y"),)),
        GoldEntry(entry=x.sentences[2], sources=(source(1),)),
    )
    own = replace(own, alignments=(replace(x, sentences=told), y), gold=gold)
    return replace(made, abstracts=(own,))


def source(*alternatives: int | str) -> GoldSource:
    numbers = tuple(one for one in alternatives if isinstance(one, int))
    name = next((one for one in alternatives if isinstance(one, str)), "x")
    return GoldSource(annotator=name, digest="d", alternatives=numbers)


def numbers(alignment: Alignment) -> list[int]:
    return [one.n for one in alignment.sentences]


def test_that_what_was_suggested_and_taken_is_left_out_with_what_gold_has_of_it():
    made = assisted()
    (own,) = without_assisted(made).abstracts
    assert [numbers(one) for one in own.alignments] == [[3], [1, 2, 3]]
    assert [one.n for one in own.gold] == [2, 3]
    assert [*map(str, assisted_entries(made))] == [
        f"t · {own.id} · {end}" for end in ("1 (x)", "2 (x)", "1 (gold)")
    ]
    assert [*assisted_entries(without_assisted(made))] == []


def test_that_nothing_is_left_out_where_nobody_was_helped():
    made = topic("t", docs=3, links={"x": ["s1|s2", "s3"]})
    assert without_assisted(made) == made
