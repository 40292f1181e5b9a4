"""Changes of a transaction, for targeted refreshes."""

from dataclasses import dataclass

# (topic, abstract, annotator, number of the abstract sentence)
AlignmentKey = tuple[str, str, str, int]
RankKey = tuple[str, str, int]  # (topic, abstract, number of the abstract sentence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The parts of a corpus that are no longer what they were."""

    alignments: frozenset[AlignmentKey] = frozenset()
    ranks: frozenset[RankKey] = frozenset()
    gold: frozenset[RankKey] = frozenset()
    topics: frozenset[str] = frozenset()
    corpus: bool = False
    parses: bool = False
    kept_scores: bool = False
    # Authors in other clients, by name; empty = made in this one.
    by: tuple[str, ...] = ()

    def __or__(self, other: "Changes") -> "Changes":
        return Changes(
            alignments=self.alignments | other.alignments,
            ranks=self.ranks | other.ranks,
            gold=self.gold | other.gold,
            topics=self.topics | other.topics,
            corpus=self.corpus or other.corpus,
            parses=self.parses or other.parses,
            kept_scores=self.kept_scores or other.kept_scores,
            by=tuple(dict.fromkeys((*self.by, *other.by))),
        )

    def touched_topics(self) -> frozenset[str]:
        """Returns the ids of all topics in which anything changed."""
        of_alignments = {key[0] for key in self.alignments}
        of_sentences = {key[0] for key in self.ranks | self.gold}
        return self.topics | of_alignments | of_sentences
