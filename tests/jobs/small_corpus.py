"""A small corpus with what jobs ask for: links, extracts, texts, human scores."""

from dataclasses import replace

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.human_score import HumanScore
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, TextOutput
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

VECTORS = {"dog": 1.0, "cat": 0.98, "runs": 0.3, "sleeps": 0.31, "walks": 0.32, "naps": 0.33,
           "a": -1.0, "b": -0.9}  # fmt: skip
TEXTS = {
    "one": "Cat walks.",
    "two": "Dog cat naps runs a b.",
    "three": "Dog sleeps.",
    "four": "A b naps.",
}
SOURCES = ("Dog runs.", "Cat naps.", "A b sleeps.")


def topic(name: str) -> Topic:
    refs = [SentenceRef("d", n) for n in (1, 2, 3)]
    alternatives = (Alternative((refs[0],)),), (Alternative((refs[1],)),)
    states = AlignmentState.CONFIRMED, AlignmentState.FLAGGED
    if name == "u":  # its second sentence has no source, which signatures tell
        alternatives, states = (alternatives[0], ()), (states[0], AlignmentState.NO_SOURCE)
    aligned = tuple(
        SentenceAlignment(n=n, state=state, alternatives=known)
        for n, (state, known) in enumerate(zip(states, alternatives, strict=True), 1)
    )
    abstract = Abstract(
        id=f"{name}-short",
        length="short",
        sentences=(
            AbstractSentence(n=1, text="Dog runs.", rank="A"),
            AbstractSentence(n=2, text="Dog sleeps.", rank="B"),
        ),
        alignments=(Alignment(annotator="1", sentences=aligned),),
    )
    extracts = tuple(
        Extract(system=system, length="short", sentences=tuple(refs[at] for at in places))
        for system, places in (("lead", (0, 1)), ("last", (2, 1)))
    )
    texts = tuple(
        TextOutput(system=system, length="short", sentences=(text,))
        for system, text in TEXTS.items()
    )
    sources = tuple(SourceSentence(n=n, text=text) for n, text in enumerate(SOURCES, 1))
    return Topic(
        id=name,
        language="en",
        documents=(Document(id="d", sentences=sources),),
        abstracts=(abstract,),
        outputs=(*extracts, *texts),
    )


def small_corpus() -> Corpus:
    """Returns three topics, four systems with texts, and two with extracts."""
    topics = tuple(map(topic, ("t", "u", "v")))
    judged = (*TEXTS, "lead", "last")
    human = tuple(
        HumanScore(topic=one.id, system=system, measure="quality", value=float(at + len(one.id)))
        for one in topics
        for at, system in enumerate(judged)
    )
    return Corpus(name="faces", topics=topics, human_scores=human)


def of_two_annotators() -> Corpus:
    """Returns the small corpus, in which a second annotator needs one sentence less."""
    corpus = small_corpus()
    both = Alternative((SentenceRef("d", 1),))
    entries = tuple(SentenceAlignment(n=n, alternatives=(both,)) for n in (1, 2))
    topics = []
    for topic in corpus.topics:
        (abstract,) = topic.abstracts
        alignments = (*abstract.alignments, Alignment(annotator="2", sentences=entries))
        topics.append(replace(topic, abstracts=(replace(abstract, alignments=alignments),)))
    return replace(corpus, topics=tuple(topics))
