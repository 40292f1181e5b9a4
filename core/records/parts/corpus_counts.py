"""How much a corpus holds."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields
from operator import add, attrgetter, sub
from typing import Final

from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCounts:
    """Numbers of things.

    Attributes:
        topics: Topics.
        documents: Documents.
        sentences: Source sentences.
        abstracts: Abstracts.
        abstract_sentences: Their sentences.
        alignments: One an annotator and abstract.
        extracts: Outputs that name source sentences.
        texts: Outputs with sentences of their own.
        human_scores: Human scores.
    """

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
        """Returns how much `corpus` holds."""
        return cls.of_topics(corpus.topics) + cls(human_scores=len(corpus.human_scores))

    @classmethod
    def of_topics(cls, topics: Iterable[Topic]) -> "CorpusCounts":
        """Returns how much topics hold, each of which is asked for once."""
        sums = Counter[str]()
        for topic in topics:
            sums.update(_numbers_in(topic))
        return cls(**sums)

    def __add__(self, other: "CorpusCounts") -> "CorpusCounts":
        return _each(add, self, other)

    def __sub__(self, other: "CorpusCounts") -> "CorpusCounts":
        return _each(sub, self, other)

    def as_dict(self) -> dict[str, int]:
        """Returns the numbers by name."""
        return asdict(self)


_NAMES: Final = tuple(one.name for one in fields(CorpusCounts))
_numbers_of = attrgetter(*_NAMES)


def _each(join: Callable[[int, int], int], one: CorpusCounts, two: CorpusCounts) -> CorpusCounts:
    numbers = map(join, _numbers_of(one), _numbers_of(two))
    return CorpusCounts(**dict(zip(_NAMES, numbers, strict=True)))


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
