"""What an annotator's action changes: pure data, so that it can be logged, undone and replayed.

An edit holds the value before and after. Applying it is to write `new`; undoing it is to apply
`edit.inverse()`.
"""

from dataclasses import dataclass, replace

from awase.core.records.alignment import SentenceAlignment


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


Edit = AlignmentEdit | RankEdit
