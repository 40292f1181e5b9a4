"""One root a sentence, where a parser or a file has several."""

from collections.abc import Sequence
from dataclasses import replace

from awase.core.records.parse import ROOT, EnhancedEdge, NodeId, ParsedWord

_SIDE_BY_SIDE = "parataxis"


def with_one_root(words: Sequence[ParsedWord]) -> tuple[list[ParsedWord], int]:
    """Returns the words with all roots but the first attached to it, and how many those are.

    They become `parataxis`, UD's relation of clauses that stand side by side, which is no basic
    element.
    """
    roots = [number for number, word in enumerate(words, start=1) if word.head == 0]
    mended = list(words)
    for number in roots[1:]:
        word = words[number - 1]
        edges = tuple(
            EnhancedEdge(NodeId(roots[0]), _SIDE_BY_SIDE) if edge.head == ROOT else edge
            for edge in word.enhanced
        )
        mended[number - 1] = replace(word, head=roots[0], deprel=_SIDE_BY_SIDE, enhanced=edges)
    return mended, len(roots[1:])
