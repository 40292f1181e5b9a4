"""Who can be compared: annotators, the gold, and a robot."""

from collections.abc import Sequence
from typing import Final

from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.gold import gold_alignment
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import annotators_of, shapes_of

ROBOT: Final = "robot"
"""The annotator who links every abstract sentence to its first candidate alone."""

GOLD: Final = "gold"
"""The gold layer, as an annotator who decided what is decided."""


def alignment_of(abstract: Abstract, who: str) -> Alignment | None:
    """Returns what `who` aligned; an annotator of that name goes before the gold."""
    own = abstract.alignment_by(who)
    if own is None and who == GOLD and abstract.gold:
        return gold_alignment(abstract.gold)
    return own


def has_robot(topics: Sequence[Topic]) -> bool:
    """Returns whether the robot can be compared: not where a person is called so."""
    return ROBOT not in annotators_of(topics)


def is_known(topics: Sequence[Topic], who: str) -> bool:
    """Returns whether anything of `who` can be compared."""
    if who in (*annotators_of(topics), ROBOT):
        return True
    return who == GOLD and has_gold(topics)


def has_gold(topics: Sequence[Topic]) -> bool:
    """Returns whether anything is decided."""
    return any(abstract.gold for topic in shapes_of(topics) for abstract in topic.abstracts)
