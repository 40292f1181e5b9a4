"""Where an annotator is in a corpus, and the records found there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from awase.core.agreement.blinding import Sight
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A topic, one of its abstracts, and the annotator's alignment of it.

    Attributes:
        topic: As stored; None when the corpus has none.
        abstract: As stored; None when the topic has none.
        who: Whose alignment.
        sight: How much of others' work they may see.
    """

    topic: Topic | None = None
    abstract: Abstract | None = None
    who: str = ""
    sight: Sight = Sight.ALL
    _entries: Mapping[int, SentenceAlignment] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Rows ask for entries one by one, some of them several times whenever they are painted.
        own = self.abstract.alignment_by(self.who) if self.abstract else None
        entries = {entry.n: entry for entry in own.sentences} if own else {}
        object.__setattr__(self, "_entries", entries)

    @property
    def alignment(self) -> Alignment:
        """The annotator's alignment; empty when it has not begun."""
        own = self.abstract.alignment_by(self.who) if self.abstract else None
        return own or Alignment(annotator=self.who)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the abstract's sentences, in order."""
        return tuple(sentence.n for sentence in self.abstract.sentences) if self.abstract else ()

    @property
    def entries(self) -> Collection[SentenceAlignment]:
        """What the annotator has entered; nothing when they have not begun."""
        return self._entries.values()

    def entry(self, n: int) -> SentenceAlignment:
        """Returns the annotator's entry for abstract sentence `n`."""
        return self._entries.get(n) or SentenceAlignment(n=n)

    def may_see_others(self, n: int) -> bool:
        """Returns whether what others did with abstract sentence `n` may be shown."""
        if self.sight is Sight.SETTLED:
            return self.entry(n).state.is_settled
        return self.sight is Sight.ALL

    def text(self, n: int) -> str:
        """Returns the text of abstract sentence `n`; empty when there is none."""
        sentences = self.abstract.sentences if self.abstract else ()
        return next((sentence.text for sentence in sentences if sentence.n == n), "")

    def rank(self, n: int) -> str | None:
        """Returns the rank of abstract sentence `n`."""
        sentences = self.abstract.sentences if self.abstract else ()
        return next((sentence.rank for sentence in sentences if sentence.n == n), None)
