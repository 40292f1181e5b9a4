"""A planted speed-up and a planted anchor are found in simulated work; nothing is found in none."""

import random

from awase.core.assist.comparison import control_items
from awase.core.assist.study import AssistItem, compared
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.assist import AssistSettings
from awase.core.records.topic import Topic

RIGHT, WRONG = frozenset({frozenset({"d:1"})}), frozenset({frozenset({"d:9"})})


def simulated(*, speed_up: float, anchor: float, n_topics: int = 60) -> list[AssistItem]:
    rng, items = random.Random(7), []
    for topic in range(n_topics):
        slow = rng.lognormvariate(0, 0.15)
        for n in range(20):
            is_control = n % 4 == 0
            seconds = 40 * slow * rng.lognormvariate(0, 0.4)
            suggested = WRONG if rng.random() < 0.3 else RIGHT
            falls = suggested == WRONG and not is_control and rng.random() < anchor
            items.append(
                AssistItem(
                    topic=str(topic), is_control=is_control,
                    active_s=seconds * (1 if is_control else 1 - speed_up),
                    n_keys=10 if is_control else 8, suggested=suggested, gold=RIGHT,
                    final=WRONG if falls or rng.random() < 0.05 else RIGHT,
                )
            )  # fmt: skip
    return items


def by_name(items: list[AssistItem]) -> dict:
    return {one.what: one for one in compared(items)}


def test_that_a_planted_speed_up_of_a_fifth_and_a_planted_anchor_are_recovered() -> None:
    found = by_name(simulated(speed_up=0.2, anchor=0.3))
    seconds, anchored = found["active_s"], found["anchored"]
    assert seconds.low < -0.2 < seconds.high < 0
    assert 0 < anchored.low < 0.3 * 0.95 < anchored.high
    assert found["n_keys"].difference == -0.2


def test_that_nothing_is_found_where_nothing_was_planted() -> None:
    found = by_name(simulated(speed_up=0.0, anchor=0.0))
    for what in ("active_s", "anchored"):
        assert found[what].low <= 0 <= found[what].high


def test_that_a_comparison_without_control_is_undefined() -> None:
    items = [one for one in simulated(speed_up=0.2, anchor=0.3, n_topics=2) if not one.is_control]
    assert {(one.control, one.difference, one.low) for one in compared(items)} == {(None,) * 3}


def test_that_the_share_drawn_is_kept_in_both_halves_of_sizes_and_the_seed_decides() -> None:
    sentences = tuple(AbstractSentence(n=n, text="x" * n) for n in range(1, 101))
    topic = Topic(id="t", abstracts=(Abstract(id="a", sentences=sentences),))
    drawn = control_items(AssistSettings(control_percent=20, seed=1), topic)
    assert [len([n for _, n in drawn if low <= n < low + 50]) for low in (1, 51)] == [10, 10]
    assert drawn == control_items(AssistSettings(control_percent=20, seed=1, level=4), topic)
    assert drawn != control_items(AssistSettings(control_percent=20, seed=2), topic)
    assert control_items(AssistSettings(), topic) == frozenset()
