"""Who aligned anything."""

from awase.core.records.corpus import Corpus


def annotators_of(corpus: Corpus) -> tuple[str, ...]:
    """Returns everybody who aligned anything, in the order in which they first stand."""
    return tuple(
        dict.fromkeys(
            alignment.annotator
            for topic in corpus.topics
            for abstract in topic.abstracts
            for alignment in abstract.alignments
        )
    )
