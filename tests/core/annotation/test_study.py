"""A planted speed-up and a planted anchor are found in simulated work; nothing is found in none."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean, median

import numpy as np
import pytest
from tests import building
from tests.building import abstract, corpus, topic
from tests.reporters import Heard

from awase.core.agreement import effect_study
from awase.core.agreement.effect_study import AssistItem, compared, family_of, logged_work
from awase.core.annotation.suggestion import (
    CLOSURE,
    Suggestion,
    control_items,
    decoy_items,
    decoy_of,
    seen_decoys,
)
from awase.core.errors import Cancelled, Silent
from awase.core.records.abstract import (
    Alternative,
    AssistSettings,
    LoggedSuggestion,
    SentenceAlignment,
)
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic

RIGHT, WRONG = frozenset({frozenset({"d:1"})}), frozenset({frozenset({"d:9"})})


def simulated(*, speed_up: float, anchor: float, n_topics: int = 60) -> list[AssistItem]:
    rng, items = random.Random(7), []
    for topic_no in range(n_topics):
        slow = rng.lognormvariate(0, 0.15)
        for n in range(20):
            is_control = n % 4 == 0
            seconds = 40 * slow * rng.lognormvariate(0, 0.4)
            suggested = WRONG if rng.random() < 0.3 else RIGHT
            falls = suggested == WRONG and not is_control and rng.random() < anchor
            items.append(
                AssistItem(
                    topic=str(topic_no), is_control=is_control,
                    active_s=seconds * (1 if is_control else 1 - speed_up),
                    n_keys=10 if is_control else 8, suggested=suggested, gold=RIGHT,
                    final=WRONG if falls or rng.random() < 0.05 else RIGHT,
                )
            )  # fmt: skip
    return items


def by_name(items: list[AssistItem]) -> dict:
    return {one.what: one for one in compared(items, Silent())}


def test_that_a_planted_speed_up_of_a_fifth_and_a_planted_anchor_are_recovered():
    found = by_name(simulated(speed_up=0.2, anchor=0.3, n_topics=30))
    seconds, anchored = found["active_s"], found["anchored"]
    assert seconds.low < -0.2 < seconds.high < 0
    assert 0 < anchored.low < 0.3 * 0.95 < anchored.high
    assert found["n_keys"].difference == -0.2


def textbook(items: list[AssistItem], seed: int) -> list[tuple]:
    """Each sample written out as a list of items, its medians and shares taken by `statistics`."""

    def both(items: list[AssistItem], of: Callable, mean: Callable, is_relative: bool) -> list:
        values = [[], []]
        for one in items:
            if (value := of(one)) is not None:
                values[one.is_control].append(value)
        assisted, control = (mean(part) if part else None for part in values)
        if assisted is None or control is None or (is_relative and not control):
            return [assisted, control, None]
        return [assisted, control, (assisted - control) / (control if is_relative else 1)]

    measures = (
        (lambda one: one.active_s, median, True),
        (lambda one: one.n_keys, median, True),
        (lambda one: one.contains_suggestion if one.suggested else None, fmean, False),
        (
            lambda one: one.contains_suggestion if one.suggested and one.is_wrong else None,
            fmean,
            False,
        ),
    )
    topics = [[o for o in items if o.topic == id] for id in dict.fromkeys(o.topic for o in items)]
    found = []
    for measure in measures:
        rng, values = np.random.default_rng(seed), []
        for _ in range(1000):
            sample = [one for n in rng.integers(len(topics), size=len(topics)) for one in topics[n]]
            values.append(both(sample, *measure)[2])
        values = [value for value in values if value is not None]
        whole = both(items, *measure)
        is_defined = values and whole[2] is not None
        ends = np.quantile(values, [0.025, 0.975]) if is_defined else (None, None)
        found.append((*whole, *ends))
    return found


@pytest.mark.slow
def test_that_values_and_intervals_are_those_of_samples_written_out():
    items = simulated(speed_up=0.2, anchor=0.3, n_topics=8)[::7]
    few = [replace(one, n_keys=n % 2 if n < 5 and n % 3 else None) for n, one in enumerate(items)]
    for chosen in (items, few):
        found = compared(chosen, Silent(), 5)
        assert [
            (one.assisted, one.control, one.difference, one.low, one.high) for one in found
        ] == textbook(chosen, 5)


def test_that_fewer_than_eight_topics_have_no_interval():
    (found, *_) = compared(simulated(speed_up=0.2, anchor=0.3, n_topics=7), Silent())
    assert found.difference is not None
    assert (found.low, found.high) == (None, None)


@pytest.mark.slow
def test_that_samples_drawn_a_few_at_a_time_are_those_drawn_at_once(monkeypatch):
    items = simulated(speed_up=0.2, anchor=0.3, n_topics=9)
    at_once = compared(items, Silent(), 5)
    monkeypatch.setattr(effect_study, "NUMBERS_AT_ONCE", 9 * 3)
    assert compared(iter(items), Silent(), 5) == at_once


def test_that_a_comparison_can_be_stopped_between_samples():
    with pytest.raises(Cancelled):
        compared(simulated(speed_up=0.2, anchor=0.3, n_topics=2), Heard(at=1))


def logged(who: str, n: int = 1, ms: int = 1, keys: int | None = None, family: object = None,
           model: str | None = None) -> LoggedSuggestion:  # fmt: skip
    text = None if family is None else json.dumps(family)
    return LoggedSuggestion(
        topic="t", abstract="a", annotator=who, n=n, active_ms=ms, n_keys=keys, family=text,
        model=model,
    )  # fmt: skip


def test_that_work_on_an_entry_is_summed_and_its_last_suggestion_counts():
    log = [
        logged("A1", ms=5, family=[["d:9"]]), logged("A2", ms=7),
        logged("A1", ms=6, keys=3, family=[["d:2", "d:1"], []]),
        logged("A1", keys=4), logged("A3", keys=1),
    ]  # fmt: skip
    work = logged_work(log, {("t", "a", "A3", 1)})
    both = Alternative((SentenceRef("d", 1), SentenceRef("d", 2)))
    first = work["t", "a", "A1", 1]
    assert (first.active_ms, first.n_keys) == (12, 7)
    assert family_of([both]) < first.suggested
    assert not family_of([Alternative((SentenceRef("d", 9),))]) & first.suggested
    assert work["t", "a", "A2", 1] == (7, None, frozenset())
    assert len(work) == 2


def test_that_a_comparison_without_control_is_undefined():
    items = [one for one in simulated(speed_up=0.2, anchor=0.3, n_topics=2) if not one.is_control]
    assert {(one.control, one.difference, one.low) for one in compared(items, Silent())} == {
        (None,) * 3
    }


def test_that_the_share_drawn_is_kept_in_both_halves_of_sizes_and_the_seed_decides():
    sizes = [37 * n % 101 for n in range(101)]
    long = Topic(id="t", abstracts=(building.abstract("a", texts=["x" * n for n in sizes[1:]]),))
    drawn = control_items(AssistSettings(control_percent=20, seed=1), long)
    assert [len([n for _, n in drawn if low <= sizes[n] < low + 50]) for low in (1, 51)] == [10, 10]
    assert drawn == control_items(AssistSettings(control_percent=20, seed=1, level=4), long)
    assert drawn != control_items(AssistSettings(control_percent=20, seed=2), long)
    assert drawn != control_items(AssistSettings(control_percent=20, seed=1), replace(long, id="u"))
    assert control_items(AssistSettings(), long) == frozenset()
    # Decoys are drawn from what is no control.
    settings = AssistSettings(control_percent=50, decoy_percent=10, seed=3)
    decoys = decoy_items(settings, long)
    assert 0 < len(decoys) <= 10
    assert not decoys & control_items(settings, long)
    assert decoy_items(AssistSettings(control_percent=50, seed=3), long) == frozenset()


def test_that_a_decoy_says_all_but_what_the_suggestion_says():
    candidates = [SentenceRef("d", n) for n in range(1, 13)]
    shown = Suggestion(family=(Alternative((candidates[10],)),), confidence=0.9, why="x")
    linked = SentenceAlignment(n=1, alternatives=(Alternative((candidates[9],)),))
    decoy = decoy_of(shown, candidates, linked)
    assert decoy == replace(shown, family=(Alternative((candidates[11],)),))
    assert decoy_of(shown, candidates[:9], SentenceAlignment(n=1)) is None
    assert decoy_of(replace(shown, kind=CLOSURE), candidates, linked) is None


def test_that_a_decoy_counts_as_taken_while_it_is_linked():
    said = corpus(topic("t", docs=9, abstracts=(abstract("a", {"A1": "s1;s2", "A2": "s9;s1|s9"}),)))
    names = str(said.topics[0].abstracts[0].alignments[1].sentences[0].alternatives[0].members[0])

    def row(who: str, n: int, model: str | None = "1 decoy") -> LoggedSuggestion:
        return logged(who, n, family=[[names]] if model else None, model=model)

    log = [row("A1", 1), row("A1", 2, "1"), row("A2", 1), row("A2", 1), row("A2", 2), row("A1", 9)]
    seen = [(one.annotator, one.n, one.is_taken) for one in seen_decoys(said, log)]
    assert seen == [("A1", 1, False), ("A2", 1, True), ("A2", 2, True)]
    assert seen_decoys(said, [row("A1", 1, None)]) == ()
