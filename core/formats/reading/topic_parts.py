"""Topics merged from several files."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, repeat
from typing import TypeVar

from awase.core.errors import NOTHING, CorpusFormatError, InputError, Listing, Problem, raise_if_any
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.addition import Addition, no_abstract, no_topic
from awase.core.records.corpus import Corpus
from awase.core.records.source import GIVEN, Document, SourceSentence
from awase.core.records.topic import HumanScore, Output, Topic, ids_of


def known_ids(ids: Sequence[str]) -> str:
    """Returns ids for a message, the first twenty."""
    return Listing(ids, most=20) or NOTHING


def naming(names: Sequence[str], *, what: str, hint: str = "") -> Iterator[Problem]:
    """Yields the message that counts and lists names, if there are any."""
    if names:
        yield Problem(what=what, hint=hint, fields={"n": len(names), "names": known_ids(names)})


_Named = TypeVar("_Named", Topic, Abstract)


def _named(among: Sequence[_Named], id_: str | None) -> _Named | None:
    if id_ is None:
        return among[0] if len(among) == 1 else None
    exact = next((one for one in among if one.id == id_), None)
    composed = unicodedata.normalize("NFC", id_)  # however a disk composes the letters of a name
    same = (one for one in among if unicodedata.normalize("NFC", one.id) == composed)
    return exact or next(same, None)


def topic_named(corpus: Corpus, topic_id: str | None) -> Topic:
    """Returns the topic with this id; the only one when none is named."""
    topic = _named(corpus.topics, topic_id)
    if topic is not None:
        return topic
    ids = ids_of(corpus.topics)
    if topic_id is not None:
        raise CorpusFormatError([no_topic(topic_id, ids)])
    raise CorpusFormatError.of(
        "The file does not say which topic it is about.",
        "Name one of: {known}."
        if ids
        else "The corpus has no topics yet: import their texts first.",
        known=known_ids(ids),
    )


def abstract_named(topic: Topic, abstract_id: str | None) -> Abstract:
    """Returns the abstract with this id; the only one when none is named."""
    abstract = _named(topic.abstracts, abstract_id)
    if abstract is not None:
        return abstract
    if abstract_id is not None:
        raise CorpusFormatError([no_abstract(topic, abstract_id)])
    raise CorpusFormatError.of(
        "The file does not say which abstract of topic “{topic}” it is about.",
        "Name one of: {known}." if topic.abstracts else "It has none yet: import abstracts first.",
        topic=topic.id,
        known=known_ids([abstract.id for abstract in topic.abstracts]),
    )


def already_aligned(abstract: Abstract, annotator: str) -> Problem:
    """Returns the problem that an imported alignment is there already."""
    return Problem(
        what="Abstract “{abstract}” already has an alignment by annotator “{annotator}”.",
        hint="Import under another annotator's name, or remove the alignment first.",
        fields={"abstract": abstract.id, "annotator": annotator},
    )


@dataclass(slots=True)
class _Parts:
    title: str | None = None
    documents: list[Document] = field(default_factory=list)
    abstracts: list[Abstract] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)


class TopicParts:
    """Collects topics for a corpus. Documents and abstracts that it has already are passed over."""

    def __init__(self, request: ReadRequest) -> None:
        self._language = request.language
        self._known = {topic.id: topic for topic in request.corpus.topics}.get
        self._ids = frozenset(ids_of(request.corpus.topics))
        self._parts: dict[str, _Parts] = {}
        self.human_scores: list[HumanScore] = []

    def add_topic(self, topic_id: str, *, title: str | None = None) -> None:
        """Adds a missing topic."""
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

    def add_outputs(self, topic_id: str, *outputs: Output) -> None:
        """Adds outputs."""
        self._parts[topic_id].outputs += outputs

    def result(self, warnings: Sequence[Problem]) -> ReadResult:
        """Returns the topics as an addition, with these warnings and our own."""
        problems: list[Problem] = []
        topics: list[Topic] = []
        for topic_id, parts in self._parts.items():
            try:
                topics.append(
                    Topic(
                        id=topic_id,
                        title=parts.title,
                        language=self._language,
                        documents=tuple(parts.documents),
                        abstracts=tuple(parts.abstracts),
                        outputs=tuple(parts.outputs),
                    )
                )
            except CorpusFormatError as error:
                # Records name the places of their parts, which no file here has.
                problems += [replace(problem, path="") for problem in error.problems]
        raise_if_any(problems)
        topics = [
            one
            for one in topics
            if one.id not in self._ids or one.documents or one.abstracts or one.outputs
        ]
        joining = naming(
            [topic.id for topic in topics if topic.id in self._ids],
            what="{n} {n:item joins the topic|items join topics} of that name, which the corpus "
            "has: {names}.",
            hint="Import into a new corpus if they are different.",
        )
        return ReadResult(
            addition=Addition(topics=tuple(topics), human_scores=tuple(self.human_scores)),
            warnings=(*warnings, *joining),
        )


def numbered_document(
    id: str,
    texts: Iterable[str],
    split: str = GIVEN,
    *,
    paragraphs: Iterable[int | None] | None = None,
    title: str | None = None,
    date: str | None = None,
) -> Document:
    """Returns a document of these sentences, which a text became in that way."""
    numbered = zip(count(1), texts, repeat(None) if paragraphs is None else paragraphs)
    return Document(
        id=id,
        split=split,
        title=title,
        date=date,
        sentences=tuple(SourceSentence(n=n, text=text, paragraph=at) for n, text, at in numbered),
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
    """Returns an unaligned abstract of these sentences, as `numbered_document`."""
    return Abstract(
        id=id,
        split=split,
        author=author,
        length=length,
        limit=limit,
        sentences=tuple(AbstractSentence(n=n, text=text) for n, text in enumerate(texts, start=1)),
    )


def language_of(request: ReadRequest, topic_id: str) -> str | None:
    """Returns the language for splitting: requested, or the topic's; None = detect."""
    from awase.core.text.sentences import SPLITTER_IDS  # scoring a file does without the rules

    if request.language is not None and request.language not in SPLITTER_IDS:
        raise InputError.of(
            "Text in “{language}” cannot be split into sentences.",
            "Use one of {known}.",
            language=request.language,
            known=Listing(SPLITTER_IDS),
        )
    topic = request.corpus.topic(topic_id)
    of_topic = topic.language if topic is not None else None
    return request.language or (of_topic if of_topic in SPLITTER_IDS else None)
