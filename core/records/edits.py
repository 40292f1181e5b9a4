"""Edits of a topic or a corpus, logged and undone: differences of two states; counts of parts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from awase.core.records.abstract import (
    USUAL_ASSISTANCE,
    Abstract,
    AssistSettings,
    GoldEntry,
    SentenceAlignment,
)
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Assignment, Corpus, Person, RankWeights
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import (
    Extract,
    HumanScore,
    Output,
    Topic,
    changed_pairs,
    ids_of,
    map_topics,
    select_topics,
    with_topics_at,
)

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[_Part]):
    """Neighbouring parts of one kind."""

    at: int = 0  # position of the first one among the topic's, from 0
    # In order; empty for insertions and removals.
    parts: tuple[_Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicParts:
    """The parts of a topic that an edit replaces, as they were or will be."""

    title: str | None = None
    language: str | None = None
    # From the first one that differs to the last.
    documents: Run[Document] = field(default_factory=Run)
    abstracts: Run[Abstract] = field(default_factory=Run)
    outputs: Run[Output] = field(default_factory=Run)


_TOPIC_LISTS: Final = ("documents", "abstracts", "outputs")
_CORPUS_LISTS: Final = ("human_scores", "persons", "assignments")
_Runs = dict[str, Any]  # Any: runs of parts of each kind


def difference(old: Topic, new: Topic) -> tuple[TopicParts, TopicParts]:
    """Returns the parts of `old` that `new` has not, and those of `new` in their places."""
    before, after = _differing_runs(old, new, _TOPIC_LISTS)
    return (
        TopicParts(title=old.title, language=old.language, **before),
        TopicParts(title=new.title, language=new.language, **after),
    )


def _differing_runs(old: object, new: object, names: Iterable[str]) -> tuple[_Runs, _Runs]:
    pairs = {name: runs(getattr(old, name), getattr(new, name)) for name in names}
    before, after = ({name: pair[side] for name, pair in pairs.items()} for side in (0, 1))
    return before, after


def _has_runs(whole: object, parts: object, names: Iterable[str]) -> bool:
    return all(has_run(getattr(whole, name), getattr(parts, name)) for name in names)


def _with_runs(whole: object, old: object, new: object, names: Iterable[str]) -> _Runs:
    """Returns the lists of these names with one run replaced by another."""
    return {
        name: with_run(getattr(whole, name), getattr(old, name), getattr(new, name))
        for name in names
    }


def runs(old: tuple[_Part, ...], new: tuple[_Part, ...]) -> tuple[Run[_Part], Run[_Part]]:
    """Returns the runs in which two rows of parts differ; empty ones where they are equal."""
    if old == new:
        return Run(), Run()
    shortest = min(len(old), len(new))
    at = 0
    while at < shortest and old[at] == new[at]:
        at += 1
    n_after = 0
    while n_after < shortest - at and old[-1 - n_after] == new[-1 - n_after]:
        n_after += 1
    return (
        Run(at=at, parts=old[at : len(old) - n_after]),
        Run(at=at, parts=new[at : len(new) - n_after]),
    )


def has_parts(topic: Topic, parts: TopicParts) -> bool:
    """Returns whether `topic` has `parts` at their positions."""
    has_facts = (topic.title, topic.language) == (parts.title, parts.language)
    return has_facts and _has_runs(topic, parts, _TOPIC_LISTS)


def has_run(present: tuple[_Part, ...], run: Run[_Part]) -> bool:
    """Returns whether `present` has the run at its position."""
    return present[run.at : run.at + len(run.parts)] == run.parts


def with_parts(topic: Topic, old: TopicParts, new: TopicParts) -> Topic:
    """Returns `topic` with parts `old` replaced by `new`."""
    lists = _with_runs(topic, old, new, _TOPIC_LISTS)
    return replace(topic, title=new.title, language=new.language, **lists)


def with_run(present: tuple[_Part, ...], old: Run[_Part], new: Run[_Part]) -> tuple[_Part, ...]:
    """Returns `present` with one run replaced by another."""
    if not old.parts and not new.parts:
        return present  # the same object: views see by it that nothing changed
    return present[: old.at] + new.parts + present[old.at + len(old.parts) :]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusHead:
    """A corpus without its topics and lists."""

    name: str = ""
    rank_weights: RankWeights = DEFAULT_RANK_WEIGHTS
    guidelines: str = ""
    is_blind: bool = False
    assist: AssistSettings = USUAL_ASSISTANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A corpus but for its topics."""

    head: CorpusHead = field(default_factory=CorpusHead)
    human_scores: tuple[HumanScore, ...] = ()
    persons: tuple[Person, ...] = ()
    assignments: tuple[Assignment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusParts:
    """The parts of a corpus that an edit replaces, as they were or will be."""

    head: CorpusHead = field(default_factory=CorpusHead)
    # (place among the topics, from 0; topic) of those that only this side has.
    topics: tuple[tuple[int, Topic], ...] = ()
    changed: tuple[tuple[str, TopicParts], ...] = ()
    # From the first one that differs to the last.
    human_scores: Run[HumanScore] = field(default_factory=Run)
    persons: Run[Person] = field(default_factory=Run)
    assignments: Run[Assignment] = field(default_factory=Run)

    @property
    def topic_ids(self) -> frozenset[str]:
        """Ids of all topics that it is about."""
        return frozenset((*self.topic_by_id, *self.changed_by_id))

    @property
    def topic_by_id(self) -> Mapping[str, Topic]:
        """The topics that only this side has."""
        return {topic.id: topic for _, topic in self.topics}

    @property
    def changed_by_id(self) -> Mapping[str, TopicParts]:
        """The parts of topics that both sides have."""
        return dict(self.changed)


def head_of(corpus: Corpus) -> CorpusHead:
    """Returns the head of `corpus`."""
    return CorpusHead(**{one.name: getattr(corpus, one.name) for one in fields(CorpusHead)})


def _facts_of(head: CorpusHead) -> dict[str, Any]:
    return {one.name: getattr(head, one.name) for one in fields(CorpusHead)}


def frame_of(corpus: Corpus) -> Frame:
    """Returns `corpus` but for its topics."""
    lists = {name: getattr(corpus, name) for name in _CORPUS_LISTS}
    return Frame(head=head_of(corpus), **lists)


def with_frame(frame: Frame, topics: tuple[Topic, ...]) -> Corpus:
    """Combines topics and frame to a corpus."""
    lists = {name: getattr(frame, name) for name in _CORPUS_LISTS}
    return Corpus(topics=topics, **_facts_of(frame.head), **lists)


def corpus_difference(old: Corpus, new: Corpus) -> tuple[CorpusParts, CorpusParts]:
    """Returns the parts of `old` that differ, and their counterparts in `new`."""
    # Topics in both must be in the same order.
    changed = [
        (topic.id, difference(known, topic))
        for known, topic in changed_pairs(old.topics, new.topics)
        if known != topic
    ]
    runs_of = _differing_runs(old, new, _CORPUS_LISTS)
    before, after = (
        CorpusParts(
            head=head_of(corpus),
            topics=tuple(
                (at, topic) for at, topic in enumerate(corpus.topics) if topic.id not in others
            ),
            changed=tuple((name, parts[side]) for name, parts in changed),
            **runs_of[side],
        )
        for side, (corpus, others) in enumerate(
            ((old, {*ids_of(new.topics)}), (new, {*ids_of(old.topics)}))
        )
    )
    return before, after


def has_corpus_parts(corpus: Corpus, parts: CorpusParts) -> bool:
    """Returns whether `corpus` has `parts` at their positions."""
    known = frozenset(ids_of(corpus.topics))
    whole, changed = parts.topic_by_id, parts.changed_by_id
    return (
        head_of(corpus) == parts.head
        and known >= parts.topic_ids
        and all(
            whole.get(topic.id, topic) == topic
            and (topic.id not in changed or has_parts(topic, changed[topic.id]))
            for topic in select_topics(corpus.topics, parts.topic_ids)
        )
        and _has_runs(corpus, parts, _CORPUS_LISTS)
    )


def on_present_head(
    corpus: Corpus, old: CorpusParts, new: CorpusParts
) -> tuple[CorpusParts, CorpusParts]:
    """Returns both parts with the head of `corpus`, where they do not change the head."""
    # An edit of the guidelines meanwhile is no reason to refuse another change.
    if old.head != new.head:
        return old, new
    return replace(old, head=head_of(corpus)), replace(new, head=head_of(corpus))


def on_present_places(
    corpus: Corpus, old: CorpusParts, new: CorpusParts
) -> tuple[CorpusParts, CorpusParts]:
    """Returns both parts with the assignments at their present positions in `corpus`."""
    # Others' changes of assignments meanwhile move those behind them.
    run, present = old.assignments, corpus.assignments
    if not run.parts or has_run(present, run) or run.parts[0] not in present:
        return old, new
    at = present.index(run.parts[0])
    return (
        replace(old, assignments=replace(run, at=at)),
        replace(new, assignments=replace(new.assignments, at=at)),
    )


def with_corpus_parts(corpus: Corpus, old: CorpusParts, new: CorpusParts) -> Corpus:
    """Returns `corpus` with parts `old` replaced by `new`."""
    gone = old.topic_by_id.keys()
    olds, news = old.changed_by_id, new.changed_by_id

    def changed(topic: Topic) -> Topic:
        return with_parts(topic, olds[topic.id], news[topic.id])

    topics = corpus.topics
    if gone:
        topics = select_topics(topics, frozenset(ids_of(topics)) - gone)
    if news:
        topics = map_topics(topics, changed, only=news.keys())
    if new.topics:
        places = ((place, topic.id) for place, topic in new.topics)
        topics = with_topics_at(topics, places, new.topic_by_id)
    return replace(
        corpus,
        topics=topics,
        **_facts_of(new.head),
        **_with_runs(corpus, old, new, _CORPUS_LISTS),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCounts:
    """Counts of a corpus's parts."""

    topics: int = 0
    documents: int = 0
    sentences: int = 0
    abstracts: int = 0
    abstract_sentences: int = 0
    alignments: int = 0
    extracts: int = 0
    texts: int = 0
    human_scores: int = 0

    @classmethod
    def of(cls, corpus: Corpus) -> "CorpusCounts":
        """Counts what `corpus` holds."""
        return cls.of_topics(corpus.topics) + cls(human_scores=len(corpus.human_scores))

    @classmethod
    def of_topics(cls, topics: Iterable[Topic]) -> "CorpusCounts":
        """Counts what topics hold; each topic is loaded once."""
        sums = Counter[str]()
        for topic in topics:
            sums.update(_numbers_in(topic))
        return cls(**sums)

    def __add__(self, other: "CorpusCounts") -> "CorpusCounts":
        return CorpusCounts(**{name: n + getattr(other, name) for name, n in asdict(self).items()})

    def __sub__(self, other: "CorpusCounts") -> "CorpusCounts":
        return CorpusCounts(**{name: n - getattr(other, name) for name, n in asdict(self).items()})

    def as_dict(self) -> dict[str, int]:
        """Returns the numbers by name."""
        return asdict(self)


def _numbers_in(topic: Topic) -> dict[str, int]:
    extracts = [*map(type, topic.outputs)].count(Extract)
    return {
        "topics": 1,
        "documents": len(topic.documents),
        "sentences": sum(len(document.sentences) for document in topic.documents),
        "abstracts": len(topic.abstracts),
        "abstract_sentences": sum(len(abstract.sentences) for abstract in topic.abstracts),
        "alignments": sum(len(abstract.alignments) for abstract in topic.abstracts),
        "extracts": extracts,
        "texts": len(topic.outputs) - extracts,
    }


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
        parts = (one.name for one in fields(self) if one.name != "by")
        joined = {name: getattr(self, name) | getattr(other, name) for name in parts}
        return Changes(by=tuple(dict.fromkeys((*self.by, *other.by))), **joined)

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
