"""Raters: annotators, the gold, and a robot."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.progress import Reporter
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.gold import gold_alignment
from awase.core.records.topic import Topic

# The annotator who links every abstract sentence to its first candidate alone.
ROBOT: Final = "robot"

GOLD: Final = "gold"  # the gold layer, as an annotator who decided what is decided


def alignment_of(abstract: Abstract, who: str) -> Alignment | None:
    """Returns the alignment of `who`; an annotator of that name takes precedence over the gold."""
    own = abstract.alignment_by(who)
    if own is None and who == GOLD and abstract.gold:
        return gold_alignment(abstract.gold)
    return own


@dataclass(frozen=True, slots=True, kw_only=True)
class Raters:
    """Whose work on some topics can be compared, and on which abstracts."""

    # Everybody who aligned anything, in the order in which they first appear.
    annotators: tuple[str, ...]
    has_gold: bool
    # Length classes of abstracts, in that order; None is that of those without one.
    lengths: tuple[str | None, ...]

    @property
    def has_robot(self) -> bool:
        """Whether the robot can be compared: not where a person is called so."""
        return ROBOT not in self.annotators

    def knows(self, who: str) -> bool:
        """Returns whether `who` is a rater."""
        return who in (*self.annotators, ROBOT) or (who == GOLD and self.has_gold)


def raters_in(topics: Sequence[Topic], reporter: Reporter) -> Raters:
    """Returns the raters, in one pass over the topics."""
    annotators, lengths = dict[str, None](), dict[str | None, None]()
    has_gold = False
    for done, topic in enumerate(topics):
        reporter.advance(done, len(topics), topic.id)
        for abstract in topic.abstracts:
            lengths[abstract.length] = None
            annotators |= dict.fromkeys(one.annotator for one in abstract.alignments)
            has_gold = has_gold or bool(abstract.gold)
    return Raters(annotators=tuple(annotators), has_gold=has_gold, lengths=tuple(lengths))
