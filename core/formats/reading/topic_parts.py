"""Topics put together from several files, for formats that spread a topic over many."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from awase.core.errors import CorpusFormatError, Problem, raise_if_any
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.edits.addition import Addition
from awase.core.records.identifiers import GIVEN
from awase.core.records.output import HumanScore, Output, TextOutput
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic, ids_of


@dataclass(slots=True)
class _Parts:
    title: str | None = None
    documents: list[Document] = field(default_factory=list)
    abstracts: list[Abstract] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)


class Made(NamedTuple):
    """Topics, ids of those that the corpus has already, and what is wrong with others."""

    topics: list[Topic]
    joining: list[str]
    problems: list[Problem]


class TopicParts:
    """Collects topics for a corpus. Documents and abstracts that it has already are passed over."""

    def __init__(self, request: ReadRequest) -> None:
        """Begins without any.

        Args:
            request: Says which corpus the topics join, and the language of new ones.
        """
        self._language = request.language
        self._known = {topic.id: topic for topic in request.corpus.topics}.get
        self._ids = frozenset(ids_of(request.corpus.topics))
        self._parts: dict[str, _Parts] = {}
        self.human_scores: list[HumanScore] = []

    def add_topic(self, topic_id: str, *, title: str | None = None) -> None:
        """Adds a topic if it is not there yet."""
        parts = self._parts.setdefault(topic_id, _Parts())
        parts.title = parts.title or title

    def add_document(self, topic_id: str, document: Document) -> None:
        """Adds a document unless the topic has it."""
        known = self._known(topic_id)
        old = known.documents if known is not None else ()
        parts = self._parts[topic_id]
        texts = [sentence.text for sentence in document.sentences]
        for one in (*old, *parts.documents):
            if one.id == document.id and [sentence.text for sentence in one.sentences] == texts:
                return
        parts.documents.append(document)

    def add_abstract(self, topic_id: str, abstract: Abstract) -> None:
        """Adds an abstract unless the topic has it, aligned or not."""
        known = self._known(topic_id)
        texts = [sentence.text for sentence in abstract.sentences]
        for one in known.abstracts if known is not None else ():
            is_same = one.id == abstract.id and one.length == abstract.length
            if is_same and [sentence.text for sentence in one.sentences] == texts:
                return
        self._parts[topic_id].abstracts.append(abstract)

    def add_output(self, topic_id: str, output: TextOutput) -> None:
        """Adds an output."""
        self.add_outputs(topic_id, (output,))

    def add_outputs(self, topic_id: str, outputs: Iterable[Output]) -> None:
        """Adds several outputs."""
        self._parts[topic_id].outputs += outputs

    def made(self) -> Made:
        """Returns the topics, with everything that breaks the rules of one."""
        problems: list[Problem] = []
        topics: list[Topic] = []
        for topic_id, parts in self._parts.items():
            try:
                topics.append(self._topic(topic_id, parts))
            except CorpusFormatError as error:
                # Records name the places of their parts, which no file here has.
                problems += [replace(problem, path="") for problem in error.problems]
        topics = [topic for topic in topics if topic.id not in self._ids or _brings(topic)]
        return Made(topics, [topic.id for topic in topics if topic.id in self._ids], problems)

    def result(self, warnings: Sequence[Problem]) -> ReadResult:
        """Returns the topics as an addition, with these warnings and our own.

        Raises:
            CorpusFormatError: With everything that breaks the rules of a topic.
        """
        made = self.made()
        raise_if_any(made.problems)
        return ReadResult(
            addition=Addition(topics=tuple(made.topics), human_scores=tuple(self.human_scores)),
            warnings=(*warnings, *told_joining(made.joining)),
        )

    def _topic(self, topic_id: str, parts: _Parts) -> Topic:
        return Topic(
            id=topic_id,
            title=parts.title,
            language=self._language,
            documents=tuple(parts.documents),
            abstracts=tuple(parts.abstracts),
            outputs=tuple(parts.outputs),
        )


def told_joining(ids: Sequence[str]) -> Iterator[Problem]:
    """Yields that items join topics with these ids, which the corpus has; nothing of none."""
    if ids:
        yield Problem(
            what="{n} items join topics of that name, which the corpus has: {names}.",
            hint="Import into a new corpus if they are others.",
            fields={"n": len(ids), "names": known_ids(ids)},
        )


def _brings(topic: Topic) -> bool:
    return bool(topic.documents or topic.abstracts or topic.outputs)


def numbered_document(id: str, texts: Iterable[str], split: str = GIVEN) -> Document:
    """Returns a document of these sentences, which a text became in that way."""
    return Document(
        id=id,
        split=split,
        sentences=tuple(SourceSentence(n=n, text=text) for n, text in enumerate(texts, start=1)),
    )


def numbered_abstract(
    id: str,
    texts: Iterable[str],
    split: str = GIVEN,
    *,
    length: str | None = None,
    author: str | None = None,
    limit: Limit | None = None,
) -> Abstract:
    """Returns an abstract of these sentences, which nobody has aligned, as `numbered_document`."""
    return Abstract(
        id=id,
        split=split,
        author=author,
        length=length,
        limit=limit,
        sentences=tuple(AbstractSentence(n=n, text=text) for n, text in enumerate(texts, start=1)),
    )
