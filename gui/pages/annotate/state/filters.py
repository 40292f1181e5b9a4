"""Which abstract sentences the list shows."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from awase.core.annotation.overview import disagreed
from awase.core.records.alignment import AlignmentState
from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.annotate.state.position import Place


class AbstractFilter(Enum):
    """A choice of abstract sentences."""

    ALL = "all"
    UNSETTLED = "unsettled"
    FLAGGED = "flagged"
    DISAGREED = "disagreed"


FILTER_TITLES: Final[Mapping[AbstractFilter, str]] = {
    AbstractFilter.ALL: mark("all ({n})"),
    AbstractFilter.UNSETTLED: mark("not settled ({n})"),
    AbstractFilter.FLAGGED: mark("flagged ({n})"),
    AbstractFilter.DISAGREED: mark("disagreed ({n})"),
}
OTHERS_HIDDEN: Final = mark("disagreed (others are hidden)")
"""Title of the last filter while what others did has not been asked for."""
NOTHING_LEFT: Final[Mapping[AbstractFilter, str]] = {
    AbstractFilter.ALL: mark("This abstract has no sentences"),
    AbstractFilter.UNSETTLED: mark("Every sentence is settled"),
    AbstractFilter.FLAGGED: mark("No sentence is flagged"),
    AbstractFilter.DISAGREED: mark("No two annotators disagree"),
}


def has_others(place: Place) -> bool:
    """Returns whether somebody else aligned the abstract, too."""
    alignments = place.abstract.alignments if place.abstract else ()
    return any(alignment.annotator != place.who for alignment in alignments)


def kept_by(place: Place, *, shows_others: bool) -> Mapping[AbstractFilter, tuple[int, ...]]:
    """Returns the numbers of the sentences that each filter keeps.

    Where annotators disagree is kept back until what others did has been asked for: it would tell
    the annotator which of their sentences to change.
    """
    if place.abstract is None:
        return dict.fromkeys(AbstractFilter, ())
    entries = place.entries
    settled = {entry.n for entry in entries if entry.state.is_settled}
    flag = AlignmentState.FLAGGED
    flagged = {entry.n for entry in entries if entry.state is flag}
    found = disagreed(place.abstract) if shows_others else frozenset[int]()
    differing = {n for n in found if place.may_see_others(n)}
    numbers = place.numbers
    return {
        AbstractFilter.ALL: numbers,
        AbstractFilter.UNSETTLED: tuple([n for n in numbers if n not in settled]),
        AbstractFilter.FLAGGED: tuple([n for n in numbers if n in flagged]),
        AbstractFilter.DISAGREED: tuple([n for n in numbers if n in differing]),
    }
