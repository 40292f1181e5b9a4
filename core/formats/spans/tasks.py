"""Writing of alignments as span labelling tasks.

A task is one annotator's alignment of one abstract. Its text is that of the topic's source
sentences; a span is a source sentence, its label `A<n>.<k>` the k-th alternative of abstract
sentence n. Everything else is beside the text, under the names of `facts`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from awase.core.errors import InputError
from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.reading.topic_parts import known_ids, topic_named
from awase.core.records.abstract import Abstract, AbstractSentence, Alignment
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True)
class Stretch:
    """A source sentence's span."""

    ref: SentenceRef
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SpanCover:
    """The sentences in a span."""

    refs: tuple[SentenceRef, ...]  # those covered by more than half, in the order of the text
    is_whole: bool  # whether the span cuts no sentence; what it leaves out may be blank


@dataclass(frozen=True, slots=True)
class SentenceLayout:
    """A text and the sentences in it."""

    text: str
    stretches: tuple[Stretch, ...]  # the sentences, in the order of the text
    _exact: dict[tuple[int, int], SentenceRef] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        exact = {(stretch.start, stretch.end): stretch.ref for stretch in self.stretches}
        object.__setattr__(self, "_exact", exact)

    def cover(self, start: int, end: int) -> SpanCover:
        """Returns the sentences of which the span from `start` to `end` has more than half."""
        exact = self._exact.get((start, end))
        if exact is not None:
            return SpanCover((exact,), is_whole=True)
        refs: list[SentenceRef] = []
        is_whole = True
        for stretch in self.stretches:
            first, last = max(start, stretch.start), min(end, stretch.end)
            if first >= last:
                continue
            if 2 * (last - first) > stretch.end - stretch.start:
                refs.append(stretch.ref)
            left_out = self.text[stretch.start : first] + self.text[last : stretch.end]
            is_whole = is_whole and not left_out.strip()
        return SpanCover(tuple(refs), is_whole)


def layout_of(topic: Topic) -> SentenceLayout:
    """Returns the topic's sentences, one a line, by document."""
    stretches: list[Stretch] = []
    texts: list[str] = []
    offset = 0
    for ref, sentence in topic.sentences():
        stretches.append(Stretch(ref, offset, offset + len(sentence.text)))
        texts.append(sentence.text)
        offset += len(sentence.text) + 1
    return SentenceLayout("\n".join(texts), tuple(stretches))


@dataclass(frozen=True, slots=True)
class Span:
    """A labelled stretch of text."""

    start: int
    end: int
    label: str  # as `label_of` makes it


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanTask:
    """A task for a tool."""

    topic: Topic
    abstract: Abstract
    alignment: Alignment | None  # None when not begun
    layout: SentenceLayout
    spans: tuple[Span, ...]  # the members of all alternatives, in their order

    def facts(self) -> dict[str, object]:
        """Returns the data beside the text that make an import lossless."""
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
    """Yields a task for each topic, abstract and annotator requested.

    An abstract without alignments makes one task without an annotator.
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
            "Annotator “{name}” has no alignment here.",
            "Name one of: {known}." if annotators else "Nobody has one yet.",
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


def _spans(alignment: Alignment, layout: SentenceLayout) -> Iterator[Span]:
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
