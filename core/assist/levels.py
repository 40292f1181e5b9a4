"""How much an annotator is helped: one level for a project, set by who leads it."""

from enum import IntEnum
from typing import Final

from awase.core.assist.suggestion import ANOTHER, CARRIED, CLOSURE, FAMILY, Suggestion


class AssistLevel(IntEnum):
    """Each level has all that those below it have."""

    DOCUMENT_ORDER = 0
    """Source sentences stand as in their documents."""
    RANKED = 1
    """The likeliest come first."""
    MARKS = 2
    """Words not covered yet are marked; near-duplicates left out are told at confirming."""
    SUGGESTIONS = 3
    """More alternatives are suggested once the annotator has linked one."""
    FAMILIES = 4
    """The first alternatives are suggested, too."""


LEAST_CONFIDENCE: Final = 0.4
"""Below it nothing is suggested: reading it would cost more than it helps."""

_LEVEL_BY_KIND: Final = {
    CLOSURE: AssistLevel.MARKS,
    ANOTHER: AssistLevel.SUGGESTIONS,
    CARRIED: AssistLevel.SUGGESTIONS,
    FAMILY: AssistLevel.FAMILIES,
}


def is_shown(suggestion: Suggestion, level: AssistLevel) -> bool:
    """Returns whether somebody who works at this level sees the suggestion."""
    return level >= _LEVEL_BY_KIND[suggestion.kind] and suggestion.confidence >= LEAST_CONFIDENCE
