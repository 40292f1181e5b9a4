"""What an edit of many topics holds is packed, and is what it would be in memory."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import abstract, corpus, extract, topic
from tests.laws import tries
from tests.oracles.corpus_edits import corpus_difference
from tests.strategies import corpora

from awase.core.records.corpus import Corpus
from awase.core.records.encoding.json_values import corpus_parts_value, dumps
from awase.core.records.encoding.packed_parts import Difference, Portion, parts_from, pieces_of
from awase.core.records.parts import packed_items
from awase.core.records.parts.corpus_parts import (
    CorpusParts,
    has_corpus_parts,
    on_present_head,
    with_corpus_parts,
)
from awase.core.records.parts.packed_items import PackedItems
from awase.core.records.parts.topic_parts import difference


@pytest.fixture(autouse=True, scope="module")
def _two_at_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_items, "AT_ONCE", 2)
        yield


def _noted(old: Corpus, new: Corpus, most: int = 10**9) -> list[Portion]:
    portions: list[Portion] = []
    notes = Difference(old, new, most, portions.append)
    olds = {one.id: one for one in old.topics}
    news = {one.id: one for one in new.topics}
    for place, one in enumerate(old.topics):
        if one.id not in news:
            notes.take_gone(place, one)
    for place, one in enumerate(new.topics):
        if one.id not in olds:
            notes.take_new(place, one)
        elif olds[one.id] != one:
            notes.take_changed(one.id, *difference(olds[one.id], one))
    return [*portions, notes.last()]


@settings(max_examples=tries(60), deadline=None)
@given(old=corpora(), new=corpora(), size=st.integers(1, 90))
def test_that_packed_parts_are_those_in_memory_and_are_written_and_read_to_the_letter(
    old: Corpus, new: Corpus, size: int
) -> None:
    common = {one.id for one in old.topics} & {one.id for one in new.topics}
    if [one.id for one in old.topics if one.id in common] != [
        one.id for one in new.topics if one.id in common
    ]:
        new = old
    plain, (packed,) = corpus_difference(old, new), _noted(old, new)
    assert packed == plain
    for one, other in zip(packed, plain, strict=True):
        text = dumps(corpus_parts_value(other))
        assert "".join(pieces_of(one)) == "".join(pieces_of(other)) == text
        pieces = (text[begin : begin + size] for begin in range(0, len(text), size))
        assert parts_from(pieces) == other
        assert one.topic_ids == other.topic_ids
    assert has_corpus_parts(old, packed[0])
    assert with_corpus_parts(old, *packed) == new
    assert with_corpus_parts(new, *reversed(packed)) == old


@settings(max_examples=tries(60), deadline=None)
@given(few=corpora(), others=corpora(), most=st.integers(1, 9_000))
def test_that_portions_make_one_state_of_the_other_and_backwards_the_first_again(
    few: Corpus, others: Corpus, most: int
) -> None:
    weights = tuple({**dict(few.rank_weights), **dict(others.rank_weights)}.items())
    by_id = {one.id: one for one in (*few.topics, *others.topics)}
    many = replace(others, rank_weights=weights, topics=tuple(by_id.values()))
    for old, new in ((few, many), (many, replace(few, rank_weights=weights))):
        portions = _noted(old, new, most)
        states = [old]
        for before, after in portions:
            states.append(_exchanged(states[-1], before, after))
        assert states[-1] == new
        for before, after in portions[::-1]:
            state = states.pop()
            assert _exchanged(state, after, before) == states[-1]
        assert states == [old]


def _exchanged(corpus: Corpus, old: CorpusParts, new: CorpusParts) -> Corpus:
    old, new = on_present_head(corpus, old, new)
    assert has_corpus_parts(corpus, old)
    return with_corpus_parts(corpus, old, new)


def test_that_packed_items_stand_where_a_tuple_stands() -> None:
    topics = [topic(f"t{n}", outputs=[extract("lead", "s1")]) for n in range(5)]
    old = corpus(*topics, topic("other", abstracts=[abstract("a", texts=["One."])]))
    found = _noted(old, corpus())[0][0].topics
    assert isinstance(found, PackedItems)
    assert len(found) == 6
    assert len([*found.texts()]) == 3
    assert (found[-1], found[0]) == ((5, old.topics[5]), (0, old.topics[0]))
    assert found[1:3] == ((1, topics[1]), (2, topics[2]))
    assert found == [*enumerate(old.topics)]
    assert found != [*enumerate(topics)]
    assert found == _noted(old, corpus())[0][0].topics
    with pytest.raises(IndexError):
        found[6]


def test_that_json_which_breaks_off_is_refused() -> None:
    text = dumps(corpus_parts_value(CorpusParts()))
    for end in range(len(text)):
        with pytest.raises((ValueError, KeyError)):
            parts_from([text[:end]])
    for behind in (["x"], ["", "x"]):
        with pytest.raises(ValueError, match="behind"):
            parts_from([text, *behind])
    with pytest.raises(ValueError, match="behind"):
        parts_from([f"{text} "])
    assert parts_from([text, ""]) == CorpusParts()
    assert json.loads(text)
