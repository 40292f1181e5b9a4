"""What an annotator's action changes: pure data, so that it can be logged, undone and replayed.

An edit holds the value before and after. Applying it is to write `new`; undoing it is to apply
`edit.inverse()`.
"""

from dataclasses import dataclass, replace

from awase.core.records.alignment import SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.parts import TopicParts


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentEdit:
    """One annotator's entry for one abstract sentence, before and after.

    Attributes:
        verb: What the user did, an id from `awase.core.annotation.actions`.
        topic: Id of the topic.
        abstract: Id of the abstract.
        annotator: Whose alignment.
        old: The entry before; it must still be the stored one.
        new: The entry after; the same sentence.
        subject: The source sentence, state or the like that the verb is about, for the menu.
    """

    verb: str
    topic: str
    abstract: str
    annotator: str
    old: SentenceAlignment
    new: SentenceAlignment
    subject: str = ""

    def inverse(self) -> "AlignmentEdit":
        """Returns the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEdit:
    """The rank of one abstract sentence, before and after.

    Attributes:
        verb: What the user did.
        topic: Id of the topic.
        abstract: Id of the abstract.
        n: Number of the abstract sentence.
        old: The rank before; it must still be the stored one.
        new: The rank after.
    """

    verb: str
    topic: str
    abstract: str
    n: int
    old: str | None
    new: str | None

    @property
    def subject(self) -> str:
        """The rank set, for the menu."""
        return self.new or ""

    def inverse(self) -> "RankEdit":
        """Returns the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTextEdit:
    """The text of one source sentence; its address, its links and its place stay.

    Attributes:
        verb: What the user did.
        topic: Id of the topic.
        ref: The source sentence.
        old: The text before; it must still be the stored one.
        new: The text after.
    """

    verb: str
    topic: str
    ref: SentenceRef
    old: str
    new: str

    @property
    def abstract(self) -> None:
        """No abstract is concerned."""
        return None

    @property
    def subject(self) -> str:
        """The sentence, for the menu."""
        return str(self.ref)

    def inverse(self) -> "SourceTextEdit":
        """Returns the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractTextEdit:
    """The text of one abstract sentence; its number, rank and alignments stay.

    Attributes:
        verb: What the user did.
        topic: Id of the topic.
        abstract: Id of the abstract.
        n: Number of the abstract sentence.
        old: The text before; it must still be the stored one.
        new: The text after.
    """

    verb: str
    topic: str
    abstract: str
    n: int
    old: str
    new: str

    @property
    def subject(self) -> str:
        """The abstract, for the menu."""
        return self.abstract

    def inverse(self) -> "AbstractTextEdit":
        """Returns the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicEdit:
    """Parts of a topic, before and after: whatever is larger than a text, an entry or a rank.

    A document that goes, with the links and extract members that go with it, is one such edit, and
    its inverse brings all of it back.

    Attributes:
        verb: What the user did.
        topic: Id of the topic.
        old: The parts before; they must still be the stored ones.
        new: The parts after, at the same places.
        abstract: Id of the abstract it is about; None when it is about none.
        subject: The document or abstract that the verb is about, for the menu.
    """

    verb: str
    topic: str
    old: TopicParts
    new: TopicParts
    abstract: str | None = None
    subject: str = ""

    def inverse(self) -> "TopicEdit":
        """Returns the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidelinesEdit:
    """The guidelines of the corpus, before and after.

    Attributes:
        verb: What the user did.
        old: The guidelines before; they must still be the stored ones.
        new: The guidelines after.
    """

    verb: str
    old: str
    new: str

    @property
    def topic(self) -> str:
        """No topic is concerned: an id is never empty."""
        return ""

    @property
    def abstract(self) -> None:
        """No abstract is concerned."""
        return None

    @property
    def subject(self) -> str:
        """There is nothing to name, as a corpus has only one such text."""
        return ""

    def inverse(self) -> "GuidelinesEdit":
        """Returns the edit that takes this one back."""
        return replace(self, old=self.new, new=self.old)


Edit = AlignmentEdit | RankEdit | SourceTextEdit | AbstractTextEdit | TopicEdit | GuidelinesEdit
