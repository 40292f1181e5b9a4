"""How many of the links that scores rest on came of a suggestion: signatures tell the share."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.assist import AssistOrigin

FACT: Final = "assist"
ASSISTED: Final = frozenset({AssistOrigin.TAKEN, AssistOrigin.CHANGED})
"""What became of suggestions that somebody took, as they were or changed."""


class Links(NamedTuple):
    """Alternatives, and how many of them stand in entries that began with a suggestion."""

    n_assisted: int = 0
    n_links: int = 0

    def plus(self, other: "Links") -> "Links":
        """Returns both together."""
        return Links(self.n_assisted + other.n_assisted, self.n_links + other.n_links)

    @property
    def facts(self) -> dict[str, str]:
        """What signatures say: nothing where nothing was taken, else the share in percent.

        It is rounded, but some are never 0 % and not all never 100 %.

        >>> Links(1, 3).facts
        {'assist': '33%'}
        >>> Links(1, 900).facts, Links(899, 900).facts, Links(0, 900).facts
        ({'assist': '1%'}, {'assist': '99%'}, {})
        """
        if not self.n_assisted:
            return {}
        if self.n_assisted == self.n_links:
            return {FACT: "100%"}
        percent = (200 * self.n_assisted + self.n_links) // (2 * self.n_links)
        return {FACT: f"{min(99, max(1, percent))}%"}


def assisted_links(abstract: Abstract, alignment: Alignment | None) -> Links:
    """Returns the alternatives of an alignment, or of the gold layer in that shape.

    One of gold is assisted where it came from an annotator whose own entry is.
    """
    if alignment is None:
        return Links()
    n_links = sum(len(entry.alternatives) for entry in alignment.sentences)
    if any(one is alignment for one in abstract.alignments):
        return Links(len(set(_assisted_in(alignment))), n_links)
    return Links(len(set(assisted_in_gold(abstract))), n_links)


def _assisted_in(alignment: Alignment) -> Iterator[tuple[int, int]]:
    """Yields the abstract sentence and the number, from 1, of each assisted alternative."""
    for entry in alignment.sentences:
        if entry.assist in ASSISTED:
            yield from ((entry.n, number) for number in range(1, len(entry.alternatives) + 1))


def assisted_in_gold(abstract: Abstract) -> Iterator[tuple[int, int]]:
    """Yields the same of gold: what came from an annotator whose own entry is assisted."""
    by_name = {one.annotator: one for one in abstract.alignments}
    for decision in abstract.gold:
        for source in decision.sources:
            alignment = by_name.get(source.annotator)
            if alignment and alignment.of_sentence(decision.n).assist in ASSISTED:
                yield from ((decision.n, number) for number in source.alternatives)
