"""Two texts side by side: which subtree of one is matched with which of the other.

Source: Chousa and Hirao, section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.metrics.subtree.forest import Forest, ForestOptions, PlacedTree, forest_of, joined
from awase.core.metrics.subtree.reading import ReadSentence
from awase.core.metrics.subtree.similarity import (
    NO_PARTNER,
    Partners,
    SubtreeScore,
    partners,
    score_of,
)
from awase.core.records.parse import ParsedSentence


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeMatch:
    """A subtree of one text, and the one of the other text that is most like it.

    Attributes:
        partner: Of the other text; None = it has none of as many words that is similar at all.
    """

    subtree: PlacedTree
    partner: PlacedTree | None
    similarity: float

    @property
    def length(self) -> int:
        """Returns how many words the subtree has."""
        return len(self.subtree.subtree.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtreeComparison:
    """What the similarity of two texts rests on.

    Attributes:
        of_system: Its subtrees with their partners in the reference, the shortest first.
        score: What follows from them; None = neither text has a word.
    """

    system: tuple[ParsedSentence, ...]
    reference: tuple[ParsedSentence, ...]
    of_system: tuple[SubtreeMatch, ...]
    of_reference: tuple[SubtreeMatch, ...]
    score: SubtreeScore | None


def compared(
    system: Sequence[ReadSentence],
    reference: Sequence[ReadSentence],
    options: ForestOptions,
    *,
    by_head: bool = True,
) -> SubtreeComparison:
    """Returns how two texts match."""
    one, other = (
        joined(forest_of(tree, vectors, options) for tree, vectors in text)
        for text in (system, reference)
    )
    of_one, of_other = partners(one, other, by_head=by_head)
    has_words = bool(one.subtrees or other.subtrees)
    return SubtreeComparison(
        system=tuple(read.sentence for read in system),
        reference=tuple(read.sentence for read in reference),
        of_system=_matches(one, other, of_one),
        of_reference=_matches(other, one, of_other),
        score=score_of(one, other, of_one, of_other) if has_words else None,
    )


def _matches(one: Forest, other: Forest, found: Partners) -> tuple[SubtreeMatch, ...]:
    return tuple(
        SubtreeMatch(
            subtree=subtree,
            partner=None if partner == NO_PARTNER else other.subtrees[partner],
            similarity=similarity,
        )
        for subtree, partner, similarity in zip(
            one.subtrees, found.partner.tolist(), found.similarity.tolist(), strict=True
        )
    )


def words_of(placed: PlacedTree, text: Sequence[ParsedSentence]) -> str:
    """Returns the words of a subtree with blanks between, `…` where words are left out."""
    words = text[placed.sentence_idx].words
    spelled: list[str] = []
    before = None
    for place in placed.subtree.words:
        if before is not None and place > before + 1:
            spelled.append("…")
        spelled.append(words[place].form)
        before = place
    return " ".join(spelled)
