"""Corpus files of up to 10,000 topics, the most that the program takes.

Every topic has 120 sentences in ten documents, an abstract of about ten sentences with somebody's
alignment, two extracts and a text. Every other topic is English, the rest Japanese.
"""

import random
from pathlib import Path
from typing import Final

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.addition import addition_of
from awase.core.records.alignment import Alignment, AlignmentState, Alternative, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, TextOutput
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.storage.store import CorpusStore

N_SENTENCES: Final = 120
N_DOCUMENTS: Final = 10
_KANJI: Final = "職業訓練高速増殖炉木造船調査年代古墳時代大学東京新聞記者発表政府会社市長警察地震"
_KANA: Final = "のにはをがとでもから"
_WORDS: Final = (
    "the of a in to government reactor training wooden ship survey century tomb university "
    "newspaper reporter announced company mayor police accident earthquake said found after new "
    "minister report damage people city area years team water power plant law court results"
).split()


def make_big(path: Path, n_topics: int, seed: int = 11) -> None:
    """Makes a corpus file of so many topics that differ, where nothing is yet."""
    rng = random.Random(seed)
    corpus = Corpus(name="big", topics=tuple(_topic(rng, idx) for idx in range(n_topics)))
    CorpusStore.create(path, name="big", who="made", addition=addition_of(corpus)).close()


def _topic(rng: random.Random, idx: int) -> Topic:
    language = "ja" if idx % 2 else "en"
    texts = [_sentence(rng, language) for _ in range(N_SENTENCES)]
    each = N_SENTENCES // N_DOCUMENTS
    documents = tuple(
        Document(
            id=f"{idx:04}{number:02}",
            sentences=tuple(
                SourceSentence(n=n, text=text, paragraph=(n + 2) // 3)
                for n, text in enumerate(texts[number * each : (number + 1) * each], start=1)
            ),
            source="made",
            date="1998-07-22",
        )
        for number in range(N_DOCUMENTS)
    )
    refs = [ref for document in documents for ref in document.refs()]
    outputs = (
        Extract(system="lead", sentences=tuple(refs[::12][:8])),
        Extract(system="random", sentences=tuple(rng.sample(refs, 8))),
        TextOutput(system="writer", sentences=tuple(rng.sample(texts, 5))),
    )
    return Topic(
        id=f"{idx:06}",
        title=f"Topic {idx}",
        language=language,
        documents=documents,
        abstracts=(_abstract(rng, refs, texts),),
        outputs=outputs,
    )


def _abstract(rng: random.Random, refs: list[SentenceRef], texts: list[str]) -> Abstract:
    n_sentences = rng.randint(8, 12)
    linked = tuple(
        SentenceAlignment(
            n=n,
            state=AlignmentState.CONFIRMED,
            alternatives=tuple(
                Alternative(tuple(rng.sample(refs, rng.randint(1, 3))))
                for _ in range(rng.randint(1, 3))
            ),
        )
        for n in range(1, n_sentences + 1)
    )
    return Abstract(
        id="short",
        length="short",
        sentences=tuple(
            AbstractSentence(n=n, text=rng.choice(texts), rank=rng.choice("ABC"))
            for n in range(1, n_sentences + 1)
        ),
        alignments=(Alignment(annotator="A1", sentences=linked),),
    )


def _sentence(rng: random.Random, language: str) -> str:
    if language == "en":
        return " ".join(rng.choices(_WORDS, k=rng.randint(10, 25))).capitalize() + "."
    words = ("".join(rng.choices(_KANJI, k=2)) + rng.choice(_KANA) for _ in range(20))
    return "".join(list(words)[: rng.randint(8, 20)]) + "。"
