"""Edits: pure data that can be logged, undone and replayed; and what a change touches."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Generic, Self, TypeVar

from awase.core.records.abstract import GoldEntry, SentenceAlignment
from awase.core.records.differences import CorpusParts, TopicParts
from awase.core.records.source import SentenceRef

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit(Generic[_Value]):
    """What all edits have: applying one writes `new`, undoing it applies `inverse()`."""

    verb: str
    old: _Value  # the value before; it must still be the stored one
    new: _Value

    def inverse(self) -> Self:
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentEdit(_Edit[SentenceAlignment]):
    """One annotator's entry for one abstract sentence."""

    topic: str
    abstract: str
    annotator: str
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldEdit(_Edit[GoldEntry | None]):
    """The decision about one abstract sentence; None = there is none."""

    topic: str
    abstract: str
    n: int
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEdit(_Edit[str | None]):
    """The rank of one abstract sentence, the abstract's own."""

    topic: str
    abstract: str
    n: int

    @property
    def subject(self) -> str:
        """The rank set, for the menu."""
        return self.new or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTextEdit(_Edit[str]):
    """The text of one source sentence; its address and links stay."""

    abstract: ClassVar[None] = None
    topic: str
    ref: SentenceRef

    @property
    def subject(self) -> str:
        """The sentence, for the menu."""
        return str(self.ref)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractTextEdit(_Edit[str]):
    """The text of one abstract sentence; its number, rank and alignments stay."""

    topic: str
    abstract: str
    n: int

    @property
    def subject(self) -> str:
        """The abstract, for the menu."""
        return self.abstract


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicEdit(_Edit[TopicParts]):
    """Parts of a topic larger than a text, an entry or a rank; links go with a document."""

    topic: str
    abstract: str | None = None  # id of the abstract it is about; None when it is about none
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidelinesEdit(_Edit[str]):
    """The guidelines of the corpus."""

    topic: ClassVar[str] = ""  # no topic's, as an id is never empty
    abstract: ClassVar[None] = None
    subject: ClassVar[str] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusEdit(_Edit[CorpusParts]):
    """Parts of the corpus: topics added or removed, several topics, persons, human scores."""

    topic: ClassVar[str] = ""
    abstract: ClassVar[None] = None
    subject: str = ""  # what the verb is about, for the menu: a file, a system, a person


Edit = (
    AlignmentEdit
    | GoldEdit
    | RankEdit
    | SourceTextEdit
    | AbstractTextEdit
    | TopicEdit
    | GuidelinesEdit
    | CorpusEdit
)

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


IMPORT: Final = "import"
MERGE: Final = "merge"
EDIT_PROJECT: Final = "edit_project"
ASSIGN: Final = "assign"
REMOVE_TOPICS: Final = "remove_topics"
REMOVE_DOCUMENTS: Final = "remove_documents"
REMOVE_ABSTRACTS: Final = "remove_abstracts"
REMOVE_SYSTEMS: Final = "remove_systems"
REMOVE_ALIGNMENTS: Final = "remove_alignments"
REMOVE_HUMAN_SCORES: Final = "remove_human_scores"
