"""A corpus of any size that is shaped like TSC-3's, made from a seed."""

import random

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, AlignmentState, Alternative, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from tests.benchmarks.cover_instances import N_SOURCE, realistic

_SYLLABLES = "東京大阪新聞政府発表調査研究会社市長警察事故地震船船体発見湖底記者"


def made_corpus(
    *, n_topics: int, n_sentences: int, n_systems: int, seed: int = 7, first: int = 0
) -> Corpus:
    """Returns a corpus with one abstract a topic and one extract a system and topic.

    Ids count from `first`.
    """
    generator = random.Random(seed)
    topics = tuple(
        _topic(generator, f"{first + topic_idx:04}", n_sentences, n_systems)
        for topic_idx in range(n_topics)
    )
    return Corpus(name=f"made-{n_topics}", topics=topics)


def _topic(generator: random.Random, topic_id: str, n_sentences: int, n_systems: int) -> Topic:
    documents = _documents(generator, topic_id, max(n_sentences, N_SOURCE))
    refs = [ref for document in documents for ref in document.refs()]
    abstract = _abstract(generator, topic_id, refs)
    outputs = tuple(
        Extract(system=f"system{system_idx:02}", sentences=tuple(generator.sample(refs, 20)))
        for system_idx in range(n_systems)
    )
    return Topic(
        id=topic_id, language="ja", documents=documents, abstracts=(abstract,), outputs=outputs
    )


def _documents(
    generator: random.Random, topic_id: str, n_sentences: int, n_documents: int = 10
) -> tuple[Document, ...]:
    return tuple(
        Document(
            id=f"98{topic_id}{document_idx:03}",
            source="青嶺新聞",
            date="1998-07-22",
            sentences=tuple(
                SourceSentence(n=n, text=_text(generator), paragraph=(n + 2) // 3)
                for n in range(1, n_sentences // n_documents + 1)
            ),
        )
        for document_idx in range(n_documents)
    )


def _text(generator: random.Random) -> str:
    return "".join(generator.choices(_SYLLABLES, k=generator.randint(25, 65))) + "。"


def _abstract(generator: random.Random, topic_id: str, refs: list[SentenceRef]) -> Abstract:
    """Returns an abstract whose alternatives are those of the solver's realistic instances."""
    needs = realistic(generator).needs
    return Abstract(
        id=f"{topic_id}-long",
        sentences=tuple(
            AbstractSentence(n=n, text=_text(generator), rank=generator.choice("ABC"))
            for n in range(1, len(needs) + 1)
        ),
        alignments=(
            Alignment(
                annotator="1",
                sentences=tuple(
                    SentenceAlignment(
                        n=n,
                        state=AlignmentState.CONFIRMED,
                        alternatives=tuple(
                            Alternative(tuple(refs[item] for item in sorted(alternative)))
                            for alternative in alternatives
                        ),
                    )
                    for n, alternatives in enumerate(needs, start=1)
                ),
            ),
        ),
    )
