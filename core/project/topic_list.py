"""A topic as one person sees it in a list: how far it is, whose it is, when it is due."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState
from awase.core.records.project import Assignment, is_shared_out, is_work_of
from awase.core.records.topic import Topic


class TopicState(Enum):
    """How far somebody is with a topic."""

    NOTHING = "nothing to align"
    TODO = "to do"
    BEGUN = "begun"
    DONE = "done"


class TopicFilter(Enum):
    """Which topics are listed."""

    ALL = "all"
    MINE = "mine"
    OPEN = "open"
    DONE = "done"
    FLAGGED = "flagged"


class TopicOrder(Enum):
    """How topics are sorted."""

    WORK = "work"
    """As they are assigned, then as they stand in the corpus."""
    NAME = "name"
    PROGRESS = "progress"
    FLAGS = "flags"
    DUE = "due"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLine:
    """A topic as one person sees it in the list.

    Attributes:
        id: Of the topic.
        title: Of the topic; empty when it has none.
        n_settled: Abstract sentences that the person settled, of those they are to align.
        n_sentences: Abstract sentences that they are to align: all, when nothing is assigned.
        n_flagged: Those of them that they flagged.
        order: Place among their assignments; None = it has none.
        due: ISO 8601; None = no date.
        others: (annotator, abstract sentences they settled) of everybody else.
    """

    id: str
    title: str
    n_settled: int
    n_sentences: int
    n_flagged: int
    order: int | None
    due: str | None
    others: tuple[tuple[str, int], ...]

    @property
    def state(self) -> TopicState:
        """How far the person is."""
        return state_of(self.n_settled, self.n_sentences, self.n_flagged)


def state_of(n_settled: int, n_sentences: int, n_flagged: int) -> TopicState:
    """Returns how far somebody is who settled and flagged so many sentences of a topic."""
    if not n_sentences:
        return TopicState.NOTHING
    if n_settled == n_sentences:
        return TopicState.DONE
    return TopicState.BEGUN if n_settled or n_flagged else TopicState.TODO


Work = Mapping[str, tuple[Assignment, ...]]
"""Topic to a person's assignments in it."""


def work_of(assignments: Sequence[Assignment], who: str) -> Work | None:
    """Returns what is assigned to `who`, by topic; None where nothing is assigned to anybody."""
    work: dict[str, tuple[Assignment, ...]] = {}
    for one in assignments:
        if is_work_of(one, who):
            work[one.topic] = (*work.get(one.topic, ()), one)
    return work if work or is_shared_out(assignments) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AbstractTally:
    """How far an abstract is.

    Attributes:
        id: Of the abstract.
        n_sentences: How many it has.
        by_annotator: (annotator, sentences settled, sentences flagged) of everybody.
    """

    id: str
    n_sentences: int
    by_annotator: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicTally:
    """How far a topic is.

    Attributes:
        id: Of the topic.
        title: Of the topic; empty when it has none.
        abstracts: In their order.
    """

    id: str
    title: str
    abstracts: tuple[AbstractTally, ...]


def tally_of(topic: Topic) -> TopicTally:
    """Returns how far the topic is."""
    return TopicTally(
        id=topic.id, title=topic.title or "", abstracts=tuple(map(_abstract_tally, topic.abstracts))
    )


def _abstract_tally(abstract: Abstract) -> AbstractTally:
    counts = []
    for alignment in abstract.alignments:
        states = [entry.state for entry in alignment.sentences]
        settled = sum(state.is_settled for state in states)
        counts.append((alignment.annotator, settled, states.count(AlignmentState.FLAGGED)))
    return AbstractTally(
        id=abstract.id, n_sentences=len(abstract.sentences), by_annotator=tuple(counts)
    )


def line_of(topic: TopicTally, who: str, work: Work | None) -> TopicLine:
    """Returns the topic as `who` sees it."""
    given = work.get(topic.id, ()) if work is not None else ()
    is_whole = work is None or not given or any(one.abstract is None for one in given)
    wanted = None if is_whole else {one.abstract for one in given}
    n_settled = n_sentences = n_flagged = 0
    others: dict[str, int] = {}
    for abstract in topic.abstracts:
        is_asked = wanted is None or abstract.id in wanted
        n_sentences += abstract.n_sentences * is_asked
        for annotator, settled, flagged in abstract.by_annotator:
            if annotator != who:
                others[annotator] = others.get(annotator, 0) + settled
            elif is_asked:
                n_settled += settled
                n_flagged += flagged
    return TopicLine(
        id=topic.id,
        title=topic.title,
        n_settled=n_settled,
        n_sentences=n_sentences,
        n_flagged=n_flagged,
        order=min((one.order for one in given if one.order is not None), default=None),
        due=min((one.due for one in given if one.due is not None), default=None),
        others=tuple(others.items()),
    )
