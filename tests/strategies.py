"""Hypothesis strategies for every record, down to whole corpora.

They are wide where formats and storage break (ids with colons, quotes and blanks, empty against
absent texts, numbers with gaps, several annotators) and small everywhere else.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from hypothesis import strategies as st

from awase.core.records.abstract import (
    LIMIT_UNITS,
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    GoldEntry,
    GoldOrigin,
    GoldSource,
    Limit,
    SentenceAlignment,
)
from awase.core.records.corpus import (
    DEFAULT_RANK_WEIGHTS,
    RESERVED_NAMES,
    ROLES,
    Assignment,
    Corpus,
    Person,
)
from awase.core.records.source import Document, SentenceRef, SourceSentence
from awase.core.records.topic import Extract, HumanScore, Output, TextOutput, Topic

_CHARACTERS = "ab1:\"'\\/,;#-_. 　\t\n犬猫。「」①髙～é😀\u2028"

texts = st.text(_CHARACTERS, max_size=12)
"""Texts, the empty one included."""

optional_texts = st.none() | texts

ids = st.text("ab1:\"'\\/,#-. 犬é😀", min_size=1, max_size=6).filter(
    lambda value: value == value.strip()
)
"""Ids with what breaks careless formats: colons, quotes, blanks, commas."""

plain_ids = st.text("abc019犬-_:.", min_size=1, max_size=6)
"""Ids that line formats can hold too: no blank, no comma."""

optional_ids = st.none() | ids
numbers = st.integers(min_value=1, max_value=10**6)
ranks = st.sampled_from([None, *(rank for rank, _ in DEFAULT_RANK_WEIGHTS)])
finite = st.floats(allow_nan=False, allow_infinity=False)


def unique(values: st.SearchStrategy, max_size: int = 3, min_size: int = 0) -> st.SearchStrategy:
    return st.lists(values, min_size=min_size, max_size=max_size, unique=True)


def several(
    parts: st.SearchStrategy, most: int, key: Callable[[Any], object] = attrgetter("id")
) -> st.SearchStrategy[tuple]:
    return st.lists(parts, max_size=most, unique_by=key).map(tuple)


@st.composite
def sentence_numbers(draw: st.DrawFn) -> list[int]:
    """Returns 1, 2, 3, … or numbers in any order with gaps."""
    if draw(st.booleans()):
        return list(range(1, draw(st.integers(0, 4)) + 1))
    return draw(unique(numbers, 4))


@st.composite
def documents(draw: st.DrawFn, document_ids: st.SearchStrategy = ids) -> Document:
    return Document(
        id=draw(document_ids),
        sentences=tuple(
            SourceSentence(n=n, text=draw(texts), paragraph=draw(st.none() | st.integers(1, 9)))
            for n in draw(sentence_numbers())
        ),
        source=draw(optional_texts),
        date=draw(optional_texts),
        title=draw(optional_texts),
    )


def alternatives(refs: list[SentenceRef]) -> st.SearchStrategy[Alternative]:
    return unique(st.sampled_from(refs), 3, 1).map(lambda members: Alternative(tuple(members)))


@st.composite
def sentence_alignments(
    draw: st.DrawFn, n: int, refs: list[SentenceRef], rank_of: st.SearchStrategy
) -> SentenceAlignment:
    state = draw(st.sampled_from(AlignmentState))
    chosen = []
    if refs and state is not AlignmentState.NO_SOURCE:
        chosen = draw(st.lists(alternatives(refs), max_size=3))
    return SentenceAlignment(
        n=n, state=state, alternatives=tuple(chosen), note=draw(optional_texts), rank=draw(rank_of)
    )


@st.composite
def gold_entries(
    draw: st.DrawFn, n: int, refs: list[SentenceRef], rank_of: st.SearchStrategy
) -> GoldEntry:
    entry = draw(sentence_alignments(n, refs, rank_of))
    numbers_of = st.lists(st.sampled_from(range(1, len(entry.alternatives) + 1)), max_size=2)
    sources = [
        GoldSource(
            annotator=name,
            digest=draw(plain_ids),
            alternatives=tuple(draw(numbers_of)) if entry.alternatives else (),
        )
        for name in draw(unique(ids, 2))
    ]
    return GoldEntry(
        entry=entry,
        origin=draw(st.sampled_from(GoldOrigin)),
        decided_by=draw(optional_ids),
        at=draw(optional_ids),
        sources=tuple(sources),
        locked=draw(st.booleans()),
        cause=draw(optional_texts),
    )


@st.composite
def alignments(
    draw: st.DrawFn,
    annotator: str,
    sentence_ns: list[int],
    refs: list[SentenceRef],
    rank_of: st.SearchStrategy,
) -> Alignment:
    chosen = draw(unique(st.sampled_from(sentence_ns), len(sentence_ns))) if sentence_ns else []
    return Alignment(
        annotator=annotator,
        sentences=tuple(draw(sentence_alignments(n, refs, rank_of)) for n in chosen),
    )


limits = st.builds(Limit, unit=st.sampled_from(LIMIT_UNITS), size=numbers)


@st.composite
def abstracts(
    draw: st.DrawFn, refs: list[SentenceRef], rank_of: st.SearchStrategy = ranks
) -> Abstract:
    """Returns an abstract with up to three annotators' alignments to `refs`."""
    ns = draw(sentence_numbers())
    decided = draw(unique(st.sampled_from(ns), len(ns))) if ns and draw(st.booleans()) else []
    return Abstract(
        id=draw(ids),
        sentences=tuple(AbstractSentence(n=n, text=draw(texts), rank=draw(rank_of)) for n in ns),
        length=draw(optional_ids),
        author=draw(optional_texts),
        limit=draw(st.none() | limits),
        alignments=tuple(
            draw(alignments(name, ns, refs, rank_of)) for name in draw(unique(ids, 3))
        ),
        gold=tuple(draw(gold_entries(n, refs, rank_of)) for n in decided),
    )


references = st.none() | st.lists(st.lists(texts, max_size=2).map(tuple), max_size=2).map(tuple)


@st.composite
def outputs(draw: st.DrawFn, refs: list[SentenceRef], systems: st.SearchStrategy = ids) -> Output:
    system, length, reference = draw(systems), draw(optional_ids), draw(references)
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(refs), max_size=4)) if refs else []
        return Extract(system=system, sentences=tuple(chosen), length=length, references=reference)
    written = draw(st.lists(texts, max_size=3))
    return TextOutput(system=system, sentences=tuple(written), length=length, references=reference)


@st.composite
def topics(
    draw: st.DrawFn,
    topic_ids: st.SearchStrategy = ids,
    document_ids: st.SearchStrategy = ids,
    rank_of: st.SearchStrategy = ranks,
) -> Topic:
    chosen = draw(several(documents(document_ids), 3))
    refs = [ref for document in chosen for ref in document.refs()]
    return Topic(
        id=draw(topic_ids),
        documents=chosen,
        abstracts=draw(several(abstracts(refs, rank_of), 2)),
        outputs=draw(
            several(outputs(refs), 3, lambda part: (part.system, part.length, type(part)))
        ),
        title=draw(optional_texts),
        language=draw(st.sampled_from([None, "ja", "en"])),
    )


def human_scores(topic_ids: list[str]) -> st.SearchStrategy[HumanScore]:
    return st.builds(
        HumanScore,
        system=ids,
        measure=ids,
        value=finite,
        topic=st.sampled_from([None, *topic_ids]),
        annotator=optional_ids,
    )


persons = st.builds(
    Person,
    id=ids.filter(lambda value: value not in RESERVED_NAMES and "#" not in value),
    name=optional_texts,
    role=st.sampled_from(ROLES),
)


@st.composite
def assignments(
    draw: st.DrawFn, topics_: Sequence[Topic], persons_: Sequence[Person]
) -> Assignment:
    topic = draw(st.sampled_from(topics_))
    return Assignment(
        topic=topic.id,
        person=draw(st.sampled_from(persons_)).id,
        abstract=draw(st.sampled_from([None, *(abstract.id for abstract in topic.abstracts)])),
        round=draw(st.integers(1, 2)),
        order=draw(st.none() | numbers),
        due=draw(st.none() | plain_ids),
    )


rank_weights = st.lists(
    st.tuples(ids, st.floats(min_value=0, allow_infinity=False)),
    max_size=4,
    unique_by=lambda pair: pair[0],
).map(tuple)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    weights = draw(st.just(DEFAULT_RANK_WEIGHTS) | rank_weights)
    rank_of = st.sampled_from([None, *(rank for rank, _ in weights)])
    chosen = draw(several(topics(rank_of=rank_of), 2))
    scores = human_scores([topic.id for topic in chosen])
    people = draw(several(persons, 2))
    work = ()
    if chosen and people:
        work = draw(several(assignments(chosen, people), 2, attrgetter("key")))
    return Corpus(
        name=draw(texts),
        rank_weights=weights,
        topics=chosen,
        human_scores=draw(several(scores, 3, attrgetter("key"))),
        guidelines=draw(texts),
        persons=people,
        assignments=work,
        is_blind=draw(st.booleans()),
    )
