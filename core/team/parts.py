"""Parts of a corpus that work requires."""

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # importing records takes longer than the first paint
    from awase.core.records.corpus import Corpus


class Part(Enum):
    """A part of a corpus that work requires."""

    TEXTS = auto()
    ABSTRACTS = auto()
    LINKS = auto()  # an abstract sentence with a source
    GOLD = auto()  # a decision about an abstract sentence
    OUTPUTS = auto()
    HUMAN_SCORES = auto()
    ANNOTATORS = auto()  # the work of more than one


def has(corpus: "Corpus", part: Part) -> bool:
    """Returns whether the corpus has any of these."""
    match part:
        case Part.TEXTS:
            return any(topic.documents for topic in corpus.topics)
        case Part.ABSTRACTS:
            return any(topic.abstracts for topic in corpus.topics)
        case Part.LINKS:
            return _is_linked(corpus)
        case Part.GOLD:
            return any(abstract.gold for topic in corpus.topics for abstract in topic.abstracts)
        case Part.OUTPUTS:
            return any(topic.outputs for topic in corpus.topics)
        case Part.HUMAN_SCORES:
            return bool(corpus.human_scores)
        case Part.ANNOTATORS:
            from awase.core.records.topic import annotators_of

            return len(annotators_of(corpus.topics)) > 1


def _is_linked(corpus: "Corpus") -> bool:
    return any(
        sentence.alternatives
        for topic in corpus.topics
        for abstract in topic.abstracts
        for alignment in abstract.alignments
        for sentence in alignment.sentences
    )
