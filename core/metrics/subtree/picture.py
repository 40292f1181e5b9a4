"""The picture of two compared sentences: their trees, and which subtrees belong together."""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.metrics.subtree.comparison import SubtreeComparison, SubtreeMatch
from awase.core.plots.picture import Picture
from awase.core.plots.trees import DrawnTree, TreeLink, tree_pair
from awase.core.records.parse import ParsedSentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTexts:
    """What is written in the picture, in the reader's language."""

    title: str
    system: str
    reference: str


def comparison_picture(
    comparison: SubtreeComparison, chosen: SubtreeMatch | None, texts: PictureTexts, width: float
) -> Picture:
    """Returns the trees of two sentences, the system's at the left.

    Args:
        comparison: Of one sentence each.
        chosen: One of its matches, whose words stand out and whose heads are linked; None = every
            word of the system is linked with its partner.
    """
    (system,), (reference,) = comparison.system, comparison.reference
    if chosen is None:
        return tree_pair(
            _drawn(system, texts.system, ()),
            _drawn(reference, texts.reference, ()),
            [
                TreeLink(
                    left=match.subtree.subtree.head,
                    right=match.partner.subtree.head,
                    weight=match.similarity,
                )
                for match in comparison.of_system
                if match.length == 1 and match.partner is not None
            ],
            texts.title,
            width,
        )
    own = chosen.subtree.subtree
    other = chosen.partner.subtree if chosen.partner is not None else None
    is_system = any(match is chosen for match in comparison.of_system)
    left, right = (own, other) if is_system else (other, own)
    links = []
    if left is not None and right is not None:
        links.append(TreeLink(left=left.head, right=right.head, weight=chosen.similarity))
    return tree_pair(
        _drawn(system, texts.system, left.words if left is not None else (-1,)),
        _drawn(reference, texts.reference, right.words if right is not None else (-1,)),
        links,
        texts.title,
        width,
    )


def _drawn(sentence: ParsedSentence, title: str, marked: Sequence[int]) -> DrawnTree:
    """Returns the tree; a mark at -1, where no word is, lets all words fade."""
    return DrawnTree(
        title=title,
        words=tuple(word.form for word in sentence.words),
        heads=tuple(word.head for word in sentence.words),
        marked=frozenset(marked),
    )
