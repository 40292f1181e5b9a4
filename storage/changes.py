"""Changes of a transaction, for targeted refreshes, and what it locks on a server."""

from dataclasses import dataclass

from awase.core.records.edit import AlignmentEdit, Edit, GoldEdit

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


# Names of what is locked, in the order in which everybody locks them; none = the whole corpus.
Parts = tuple[str, ...]

WHOLE: Parts = ()


def parts_of(edit: Edit | None, who: str) -> Parts:
    """Returns the locks of `edit`; None = only the person's own history."""
    person = _person(who)
    if edit is None:
        return (person,)
    if isinstance(edit, AlignmentEdit):
        owner = f"annotator {edit.annotator}"
    elif isinstance(edit, GoldEdit):
        owner = "gold"
    else:
        return WHOLE
    return (person, "\0".join((edit.topic, edit.abstract, owner)))


def parts_of_work(who: str) -> Parts:
    """Returns the locks of claiming work."""
    return (_person(who), "work")


def _person(who: str) -> str:
    return f"person {who}"
