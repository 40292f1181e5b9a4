"""Names of levels and kinds."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from awase.core.agreement.distances import GOLD, ROBOT, Kind, SetDistance
from awase.core.errors import Problem
from awase.gui.kit.texts.i18n import mark, tr

LEVELS: Final[Mapping[SetDistance, str]] = {
    SetDistance.ALTERNATIVES: mark("Alternatives, matched one to one"),
    SetDistance.FUNCTION: mark("Which extracts suffice (function)"),
    SetDistance.SUPPORT: mark("All linked sentences (MASI)"),
    SetDistance.EQUAL: mark("Same or not"),
    SetDistance.STATE: mark("Has a source or not"),
    SetDistance.RANK: mark("Ranks"),
    SetDistance.LINKS: mark("Links (Cohen's kappa)"),
}

SHORT_LEVELS: Final[Mapping[SetDistance, str]] = {
    SetDistance.ALTERNATIVES: mark("Alternatives"),
    SetDistance.FUNCTION: mark("Function"),
    SetDistance.SUPPORT: mark("Support"),
    SetDistance.EQUAL: mark("Equal"),
}

KINDS: Final[Mapping[Kind, str]] = {
    Kind.BOTH_NO_SOURCE: mark("both no source"),
    Kind.ONE_NO_SOURCE: mark("one no source"),
    Kind.IDENTICAL: mark("identical"),
    Kind.SAME_AFTER_ABSORPTION: mark("same after absorption"),
    Kind.MISSED_ALTERNATIVE: mark("missed alternative"),
    Kind.GROUPED_OTHERWISE: mark("same sentences, grouped otherwise"),
    Kind.IMPLIES: mark("one implies the other"),
    Kind.OVERLAPPING: mark("overlapping"),
    Kind.DISJOINT: mark("disjoint"),
}

_OTHERS: Final[Mapping[str, str]] = {ROBOT: mark("robot"), GOLD: mark("gold")}

_HIDDEN: Final = Problem(
    what=mark("{n} of {all} topics are hidden from you here."),
    hint=mark("An annotator sees how far others agree where their own work is finished."),
)


def hidden_problem(n: int, n_topics: int) -> Problem:
    """Returns the message that `n` topics are hidden from the user."""
    return replace(_HIDDEN, fields={"n": n, "all": n_topics})


def who_text(who: str) -> str:
    """Returns an annotator's name; the robot and the gold have one in each language."""
    return tr(_OTHERS[who]) if who in _OTHERS else who


def coefficient_text(distance: SetDistance) -> str:
    """Returns the sign of the level's coefficient."""
    return "κ" if distance is SetDistance.LINKS else "α"
