"""How what an import brings joins topics, those of a large corpus a few at a time."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from awase.core.errors import CorpusFormatError, Listing, Problem, raise_if_any
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment
from awase.core.records.output import Output
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.core.records.topics import ids_of, select_topics

_Part = TypeVar("_Part")
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentPart:
    """An annotator's alignment of an abstract, with the ranks that came along.

    Attributes:
        topic: Id of the topic.
        abstract: Id of the abstract.
        alignment: Joins the abstract's alignments; one by the same annotator must not exist.
        ranks: (number of the abstract sentence, rank) to set, where no other rank stands.
    """

    topic: str
    abstract: str
    alignment: Alignment
    ranks: tuple[tuple[int, str], ...] = ()


def _brings_only_new(known: Topic, brought: Topic) -> bool:
    """Returns whether `brought` has documents, abstracts or outputs, and none that `known` has."""
    parts = _part_keys(brought)
    return bool(parts) and not parts & _part_keys(known)


def _part_keys(topic: Topic) -> set[tuple[object, ...]]:
    return {
        *(("document", document.id) for document in topic.documents),
        *(("abstract", abstract.id) for abstract in topic.abstracts),
        *((type(output), output.system, output.length) for output in topic.outputs),
    }


class _Topics:
    """Topics to which parts are being joined.

    A topic that was given a bad part takes no more: later parts might be bad only because of it.
    """

    def __init__(
        self, topics: tuple[Topic, ...], named: Collection[str], problems: list[Problem]
    ) -> None:
        """Joins nothing yet.

        Args:
            topics: Those that are there.
            named: Ids of those that take something.
            problems: Takes what does not fit.
        """
        self._old = topics
        self._find = {topic.id: topic for topic in select_topics(topics, named)}.get
        self._changed: dict[str, Topic] = {}
        self._problems = problems
        self._broken: set[str] = set()

    def add(self, topic: Topic, path: str) -> None:
        """Joins a topic, which stands at `path` of the import, or what it brings to a known one."""
        known = self._known(topic.id)
        if known is None:
            self._changed[topic.id] = topic
        elif _brings_only_new(known, topic):
            self._changed[topic.id] = replace(
                known,
                documents=known.documents + topic.documents,
                abstracts=known.abstracts + topic.abstracts,
                outputs=known.outputs + topic.outputs,
                title=known.title if known.title is not None else topic.title,
                language=known.language if known.language is not None else topic.language,
            )
        else:
            self._refuse(
                topic.id,
                Problem(
                    what="The corpus already has a topic “{id}”.",
                    hint="Rename one of the two, or import into a new corpus.",
                    fields={"id": topic.id},
                    path=path,
                ),
            )

    def change(
        self, topic_id: str, change: Callable[[Topic], Topic], *, creating: bool = False
    ) -> None:
        """Replaces a topic by what `change` makes of it; may create it."""
        if topic_id in self._broken:
            return
        known = self._known(topic_id)
        if known is None and not creating:
            self._refuse(topic_id, no_topic(topic_id, self._ids()))
            return
        try:
            self._changed[topic_id] = change(known or Topic(id=topic_id))
        except CorpusFormatError as error:
            position = [*self._ids(), topic_id].index(topic_id)
            self._refuse(topic_id, *(one.below(f"topics[{position}]") for one in error.problems))

    def joined(self) -> tuple[Topic, ...]:
        """Returns all of them, changed ones in their places and new ones behind."""
        return tuple({**{topic.id: topic for topic in self._old}, **self._changed}.values())

    def _known(self, topic_id: str) -> Topic | None:
        return self._changed.get(topic_id) or self._find(topic_id)

    def _ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*ids_of(self._old), *self._changed)))

    def _refuse(self, topic_id: str, *problems: Problem) -> None:
        self._broken.add(topic_id)
        self._problems.extend(problems)


def no_topic(topic_id: str, known_ids: Iterable[str]) -> Problem:
    """Returns what says that there is no such topic, and which there are."""
    known = Listing(known_ids, most=_SHOWN)
    return Problem(
        what="The corpus has no topic “{topic}”.",
        hint="It has: {known}." if known else "It has none yet: import its documents first.",
        fields={"topic": topic_id, "known": known},
    )


@contextmanager
def _below(prefix: str) -> Iterator[None]:
    """Sets the paths of problems that are raised inside under `prefix`."""
    try:
        yield
    except CorpusFormatError as error:
        raise CorpusFormatError(problem.below(prefix) for problem in error.problems) from error


class Brought(NamedTuple):
    """What an addition brings to topics: those of the addition with their places there."""

    topics: Sequence[tuple[int, Topic]]
    documents: Sequence[tuple[str, Document]]
    abstracts: Sequence[tuple[str, Abstract]]
    alignments: Sequence[AlignmentPart]
    outputs: Sequence[tuple[str, Output]]

    def ids(self) -> Iterator[str]:
        """Yields the topics that it is about, in the order in which it makes new ones."""
        yield from (topic.id for _, topic in self.topics)
        yield from (topic_id for topic_id, _ in chain(self.documents, self.abstracts))
        yield from (part.topic for part in self.alignments)
        yield from (topic_id for topic_id, _ in self.outputs)

    def join(self, topics: _Topics) -> _Topics:
        """Joins all of it to topics, and returns these."""
        for index, topic in self.topics:
            topics.add(topic, f"topics[{index}].id")
        for topic_id, documents in _grouped(self.documents).items():
            topics.change(topic_id, partial(_with_documents, documents), creating=True)
        for topic_id, abstracts in _grouped(self.abstracts).items():
            topics.change(topic_id, partial(_with_abstracts, abstracts), creating=True)
        for part in self.alignments:
            topics.change(part.topic, partial(_with_alignment, part))
        for topic_id, outputs in _grouped(self.outputs).items():
            topics.change(topic_id, partial(_with_outputs, outputs))
        return topics


def joined_topics(
    topics: tuple[Topic, ...], brought: Brought, problems: list[Problem]
) -> tuple[Topic, ...]:
    """Returns the topics with what is brought, new ones behind.

    Args:
        topics: Those that are there.
        brought: What joins them.
        problems: Takes what does not fit. What the topics are together is not looked at here:
            whoever makes a corpus of them does.
    """
    return brought.join(_Topics(topics, frozenset(brought.ids()), problems)).joined()


def _grouped(parts: Sequence[tuple[str, _Part]]) -> dict[str, list[_Part]]:
    groups: dict[str, list[_Part]] = {}
    for topic_id, part in parts:
        groups.setdefault(topic_id, []).append(part)
    return groups


def _with_documents(documents: list[Document], topic: Topic) -> Topic:
    return replace(topic, documents=(*topic.documents, *documents))


def _with_abstracts(abstracts: list[Abstract], topic: Topic) -> Topic:
    return replace(topic, abstracts=(*topic.abstracts, *abstracts))


def _with_outputs(outputs: list[Output], topic: Topic) -> Topic:
    return replace(topic, outputs=(*topic.outputs, *outputs))


def _with_alignment(part: AlignmentPart, topic: Topic) -> Topic:
    abstract = topic.abstract(part.abstract)
    if abstract is None:
        raise CorpusFormatError.of(
            "Topic “{topic}” has no abstract “{abstract}”.",
            "It has: {known}." if topic.abstracts else "It has none yet: import abstracts first.",
            topic=topic.id,
            abstract=part.abstract,
            known=Listing(known.id for known in topic.abstracts),
        )
    with _below(f"abstracts[{topic.abstracts.index(abstract)}]"):
        aligned = replace(
            abstract,
            sentences=_ranked(abstract, dict(part.ranks)),
            alignments=(*abstract.alignments, part.alignment),
        )
    return replace(
        topic,
        abstracts=tuple(aligned if known is abstract else known for known in topic.abstracts),
    )


def _ranked(abstract: Abstract, ranks: dict[int, str]) -> tuple[AbstractSentence, ...]:
    raise_if_any(_rank_problems(abstract, ranks))
    return tuple(
        replace(sentence, rank=ranks[sentence.n]) if sentence.n in ranks else sentence
        for sentence in abstract.sentences
    )


def _rank_problems(abstract: Abstract, ranks: dict[int, str]) -> Iterator[Problem]:
    known = {sentence.n: sentence.rank for sentence in abstract.sentences}
    for n, rank in ranks.items():
        old = known.get(n)
        if n not in known:
            yield Problem(
                what="Abstract “{id}” has no sentence {n}.",
                hint="Correct the number or add the sentence.",
                fields={"id": abstract.id, "n": n},
            )
        elif old is not None and old != rank:
            yield Problem(
                what="Sentence {n} of abstract “{id}” has rank {old}, the import says {new}.",
                hint="Make them equal first: every weighted coverage depends on them.",
                fields={"id": abstract.id, "n": n, "old": old, "new": rank},
            )
