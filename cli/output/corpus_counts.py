"""How much a corpus holds."""

from dataclasses import asdict, dataclass, fields

from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract

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
        documents = [document for topic in corpus.topics for document in topic.documents]
        abstracts = [abstract for topic in corpus.topics for abstract in topic.abstracts]
        outputs = [output for topic in corpus.topics for output in topic.outputs]
        extracts = sum(isinstance(output, Extract) for output in outputs)
        return cls(
            topics=len(corpus.topics),
            documents=len(documents),
            sentences=sum(len(document.sentences) for document in documents),
            abstracts=len(abstracts),
            abstract_sentences=sum(len(abstract.sentences) for abstract in abstracts),
            alignments=sum(len(abstract.alignments) for abstract in abstracts),
            extracts=extracts,
            texts=len(outputs) - extracts,
            human_scores=len(corpus.human_scores),
        )

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
