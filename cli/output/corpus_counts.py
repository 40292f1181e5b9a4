"""How much a corpus holds."""

from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields
from operator import add, attrgetter

from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import chosen_of

_SINGULAR = {
    "topics": "topic",
    "documents": "document",
    "sentences": "sentence",
    "abstracts": "abstract",
    "abstract_sentences": "abstract sentence",
    "alignments": "alignment",
    "extracts": "extract",
    "texts": "text output",
    "human_scores": "human score",
}
_numbers_of = attrgetter(*_SINGULAR)


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
    def of(cls, corpus: Corpus, only: Collection[str] | None = None) -> "CorpusCounts":
        """Returns how much `corpus` holds; with ids of topics, in those alone."""
        topics = corpus.topics if only is None else chosen_of(corpus.topics, only)
        sums = Counter({"human_scores": len(corpus.human_scores)})
        for topic in topics:
            sums.update(_numbers_in(topic))
        return cls(**sums)

    @classmethod
    def of_topic(cls, topic: Topic) -> "CorpusCounts":
        """Returns how much a topic holds."""
        return cls(**_numbers_in(topic))

    def __add__(self, other: "CorpusCounts") -> "CorpusCounts":
        sums = map(add, _numbers_of(self), _numbers_of(other))
        return CorpusCounts(**dict(zip(_SINGULAR, sums, strict=True)))

    def __sub__(self, other: "CorpusCounts") -> "CorpusCounts":
        before, after = other.as_dict(), self.as_dict()
        return CorpusCounts(**{name: after[name] - before[name] for name in after})

    def as_dict(self) -> dict[str, int]:
        """Returns the numbers by name."""
        return asdict(self)

    def __str__(self) -> str:
        parts = [
            f"{number:,} {_SINGULAR[field.name]}{'' if number == 1 else 's'}"
            for field in fields(self)
            if (number := getattr(self, field.name))
        ]
        return ", ".join(parts) or "nothing"


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
