from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import abstract, refs, topic
from tests.in_part import in_turn
from tests.laws import law

from awase.core.analysis.grading import (
    best_extract,
    best_next,
    goals_of,
    read_refs,
    save_edit,
    sentence_effects,
)
from awase.core.annotation.actions import topic_after
from awase.core.errors import InputError
from awase.core.records.topic import Extract, TextOutput, Topic

N_SOURCE = 9
WEIGHTS = (("A", 1.0), ("B", 0.5))


EVERYTHING = refs(*range(1, N_SOURCE + 1))


def topic_of(*needs_by_annotator) -> Topic:
    by_annotator = {
        str(who): ["|".join("&".join(map(str, sorted(members))) for members in sets) or "+"
                   for sets in needs]
        for who, needs in enumerate(needs_by_annotator, start=1)
    }  # fmt: skip
    n_sentences = max(map(len, needs_by_annotator))
    ranks = ["AB"[n % 2] for n in range(1, n_sentences + 1)]
    return topic(
        docs=N_SOURCE, abstracts=[abstract("a", by_annotator, ranks=ranks, length="short")]
    )


def goal_of(needs):
    return goals_of(topic_of(needs).abstracts[0], WEIGHTS, {"1": 3})[0]


NEEDS = [[{1}, {4, 5}], [{2, 3}], [{1, 6}]]
any_needs = st.lists(
    st.lists(st.frozensets(st.integers(1, 6), min_size=1, max_size=3), min_size=1, max_size=2),
    min_size=1,
    max_size=4,
)


def test_that_the_best_next_sentence_adds_most_and_stands_first():
    assert best_next(goal_of(NEEDS), (), EVERYTHING) == refs(1)[0]
    assert best_next(goal_of(NEEDS), refs(1), EVERYTHING) == refs(2)[0]
    assert best_next(goal_of(NEEDS), refs(1, 2, 3, 6), EVERYTHING) is None


def test_that_weights_may_decide_what_comes_next():
    needs = [[{1}], [{2}]]  # sentence 1 has rank B, sentence 2 rank A
    assert best_next(goal_of(needs), (), EVERYTHING) == refs(1)[0]
    assert best_next(goal_of(needs), (), EVERYTHING, weighted=True) == refs(2)[0]


@given(any_needs, st.lists(st.integers(1, N_SOURCE), unique=True, max_size=4))
def test_that_worth_is_what_coverage_gains_or_loses_and_never_negative(needs, extract):
    goal = goal_of(needs)
    chosen = refs(*extract)
    now = goal.values(chosen, "all").coverage
    for ref, worth in sentence_effects(goal, chosen, EVERYTHING).items():
        other = [m for m in chosen if m != ref] if ref in chosen else [*chosen, ref]
        after = goal.values(other, "all").coverage
        assert worth.coverage == (now - after if ref in chosen else after - now)
        assert worth.coverage >= 0
        assert worth.is_member == (ref in chosen)


@law(40, any_needs, st.integers(1, 4), st.booleans())
def test_that_no_extract_of_the_size_covers_more(needs, most, weighted):
    goal = goal_of(needs)

    def value(extract):
        values = goal.values(extract, "all")
        return values.weighted_coverage if weighted else values.coverage

    found = best_extract(goal, most, weighted=weighted)
    best = max(value(refs(*choice)) for choice in combinations(range(1, 7), min(most, 6)))
    assert found.is_proved
    assert found.value == best == value(found.sentences)
    assert found.bound == pytest.approx(float(best))
    assert [*found.sentences] == [ref for ref in goal.gold.items if ref in found.sentences]
    assert len(found.sentences) <= most


def test_that_h_sentences_cover_everything_and_none_are_refused():
    found = best_extract(goal_of(NEEDS), 4)
    assert (found.value, found.bound, found.is_proved) == (1, 1, True)
    with pytest.raises(InputError, match="0 sentences"):
        best_extract(goal_of(NEEDS), 0)


def test_that_unranked_sentences_are_named():
    topic = topic_of(NEEDS)
    abstract = topic.abstracts[0]
    for rank in (None, "Z"):  # Z has no weight
        sentences = (replace(abstract.sentences[0], rank=rank), *abstract.sentences[1:])
        (goal,) = goals_of(replace(abstract, sentences=sentences), WEIGHTS, {"1": 3})
        with pytest.raises(InputError, match="without a rank: 1"):
            best_extract(goal, 2, weighted=True)


def test_that_each_annotator_is_a_goal_of_its_own():
    goals = goals_of(topic_of(NEEDS, [[{9}]]).abstracts[0], WEIGHTS, {"1": 4, "2": 1})
    assert [goal.annotator for goal in goals] == ["1", "2"]
    assert [goal.values(refs(9), "h").coverage for goal in goals] == [0, 1]


def test_that_saving_adds_or_replaces_one_output():
    topic = topic_of(NEEDS)
    text = TextOutput(system="mine", length="short", sentences=("x.",))
    topic = replace(topic, outputs=(text,))
    edit = save_edit(topic, " mine ", "short", refs(2, 1))
    saved = topic_after(topic, edit)
    assert saved.outputs == (text, Extract(system="mine", length="short", sentences=refs(2, 1)))
    again = save_edit(saved, "mine", "short", refs(3))
    assert topic_after(saved, again).outputs[1].sentences == refs(3)
    assert save_edit(saved, "mine", "short", refs(2, 1)) is None
    other = topic_after(saved, save_edit(saved, "mine", "long", refs(4)))
    assert len(other.outputs) == 3
    assert topic_after(saved, again.inverse()) == saved
    with pytest.raises(InputError, match="empty"):
        save_edit(topic, "mine", None, ())


def test_that_sentences_are_read_by_address_or_number():
    topic = topic_of(NEEDS)
    assert read_refs("d:3, s1\n2、d:3", topic) == refs(3, 1, 2)


@in_turn("text", ["", "  ", "d:99", "x, s1"])
def test_that_what_names_no_sentence_is_refused(text):
    with pytest.raises(InputError, match="Not sentences of topic"):
        read_refs(text, topic_of(NEEDS))
