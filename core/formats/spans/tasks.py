"""Alignments as tasks for tools that label spans of text: the side that writes.

A task is one annotator's alignment of one abstract. Its text is that of the topic's source
sentences; a span is a source sentence, its label `A<n>.<k>` the k-th alternative of abstract
sentence n. What labels cannot say stands beside the text, under the names of `facts`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awase.core.errors import InputError
from awase.core.formats.reading.places import topic_named
from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.formats.spans.layout import Layout, layout_of
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True)
class Span:
    """A labelled stretch of text.

    Attributes:
        start: Offset of its first character, in code points.
        end: Offset behind its last one.
        label: As `label_of` makes it.
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanTask:
    """What a tool is to show.

    Attributes:
        topic: Whose source sentences are the text.
        abstract: Whose sentences the labels name.
        alignment: None when nobody has begun.
        layout: The text.
        spans: The members of all alternatives, in their order.
    """

    topic: Topic
    abstract: Abstract
    alignment: Alignment | None
    layout: Layout
    spans: tuple[Span, ...]

    def facts(self) -> dict[str, object]:
        """Returns what stands beside the text, so that an import finds back and loses nothing."""
        facts: dict[str, object] = {"topic": self.topic.id, "abstract": self.abstract.id}
        if self.alignment is not None:
            facts["annotator"] = self.alignment.annotator
        facts["source_sentences"] = [
            [str(stretch.ref), stretch.start, stretch.end] for stretch in self.layout.stretches
        ]
        facts["abstract_sentences"] = [
            _sentence_facts(sentence, self.alignment) for sentence in self.abstract.sentences
        ]
        return facts


def label_of(n: int, k: int) -> str:
    """Returns the label of the k-th alternative (from 1) of abstract sentence `n`."""
    return f"A{n}.{k}"


def tasks_of(request: WriteRequest) -> Iterator[SpanTask]:
    """Yields a task for each topic, abstract and annotator asked for.

    An abstract that nobody has aligned makes one task without an annotator.

    Raises:
        InputError: There is no such topic, abstract or annotator, or nothing to write; or an
            alternative has an empty sentence, which no span can mark.
    """
    topics = request.corpus.topics
    if request.topic is not None:
        topics = (topic_named(request.corpus, request.topic),)
    abstracts: dict[str, None] = {}
    annotators: dict[str, None] = {}
    has_task = False
    for topic in topics:
        for abstract in topic.abstracts:
            abstracts[abstract.id] = None
            if request.abstract not in (None, abstract.id):
                continue
            annotators |= dict.fromkeys(part.annotator for part in abstract.alignments)
            for task in _tasks(topic, abstract, request.annotator):
                has_task = True
                yield task
    if not abstracts:
        raise InputError.of(
            "There is no abstract, so there is nothing to align.", "Import abstracts first."
        )
    if request.abstract is not None and request.abstract not in abstracts:
        raise InputError.of(
            "There is no abstract “{name}”.", "Name one of: {known}.",
            name=request.abstract, known=known_ids([*abstracts]),
        )  # fmt: skip
    if not has_task:
        raise InputError.of(
            "Annotator “{name}” has no alignment here.", "Name one of: {known}.",
            name=request.annotator or "", known=known_ids([*annotators]),
        )  # fmt: skip


def _tasks(topic: Topic, abstract: Abstract, annotator: str | None) -> Iterator[SpanTask]:
    layout = layout_of(topic)
    alignments: tuple[Alignment | None, ...] = abstract.alignments
    if annotator is not None:
        alignments = tuple(part for part in abstract.alignments if part.annotator == annotator)
    elif not alignments:
        alignments = (None,)
    for alignment in alignments:
        spans = tuple(_spans(alignment, layout)) if alignment is not None else ()
        yield SpanTask(
            topic=topic, abstract=abstract, alignment=alignment, layout=layout, spans=spans
        )


def _spans(alignment: Alignment, layout: Layout) -> Iterator[Span]:
    stretch_of = {stretch.ref: stretch for stretch in layout.stretches}
    for entry in alignment.sentences:
        for k, alternative in enumerate(entry.alternatives, start=1):
            for ref in alternative.members:
                stretch = stretch_of[ref]
                if stretch.start == stretch.end:
                    raise InputError.of(
                        "Sentence “{ref}” is empty, so no span can mark it.",
                        "Remove it from the alternatives, or export Awase JSON.",
                        ref=str(ref),
                    )
                yield Span(stretch.start, stretch.end, label_of(entry.n, k))


def _sentence_facts(
    sentence: AbstractSentence, alignment: Alignment | None
) -> Mapping[str, object]:
    facts: dict[str, object] = {"n": sentence.n, "text": sentence.text}
    if sentence.rank is not None:
        facts["rank"] = sentence.rank
    if alignment is None:
        return facts
    entry = alignment.of_sentence(sentence.n)
    facts["state"] = entry.state.value
    if entry.alternatives:
        facts["alternatives"] = [
            [str(ref) for ref in alternative.members] for alternative in entry.alternatives
        ]
    if entry.note is not None:
        facts["note"] = entry.note
    if entry.rank is not None:
        facts["own_rank"] = entry.rank
    return facts
