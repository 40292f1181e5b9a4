"""Small corpora that several people annotated, for tests of agreement."""

from dataclasses import replace

from awase.core.annotation.actions import alignment_edit
from awase.core.records.abstract import Alignment
from awase.core.records.corpus import Corpus
from tests import building

MISSING = None
"""Stands for a sentence that an annotator has not settled."""

N_SOURCES = 70


def entry(n, family, rank=None):
    """Returns a settled entry; an empty family = no source; None = still to do."""
    if family is MISSING:
        return building.entry(n)
    row = "|".join("&".join(map(str, members)) for members in family)
    return replace(building.entry(n, row or "-"), rank=rank)


def topic(id, families, *, ranks=None, extracts=None, texts=None, length=None):
    """Returns a topic with one abstract.

    Args:
        id: Of the topic.
        families: Annotator to a family a sentence.
        ranks: Annotator to a rank a sentence.
        extracts: System to sentence numbers.
        texts: Of the source sentences.
        length: Of the abstract.
    """
    texts = texts or [f"Source sentence number {n} says thing{n}." for n in range(1, N_SOURCES + 1)]
    n_sentences = len(next(iter(families.values())))
    texts_of_abstract = [f"Thing{n} was said." for n in range(1, n_sentences + 1)]
    abstract = replace(
        building.abstract(
            f"{id}-a", texts=texts_of_abstract, ranks=["A"] * n_sentences, length=length
        ),
        alignments=tuple(
            Alignment(
                annotator=who,
                sentences=tuple(
                    entry(n, family, ((ranks or {}).get(who) or [None] * n_sentences)[n - 1])
                    for n, family in enumerate(given, start=1)
                ),
            )
            for who, given in families.items()
        ),
    )
    outputs = [
        building.extract(system, *extract, length=length)
        for system, extract in (extracts or {}).items()
    ]
    return building.topic(id, docs=texts, abstracts=[abstract], outputs=outputs)


def corpus(*topics):
    return Corpus(topics=topics)


def annotate(session, said, who="A1"):
    """Lets somebody say this of a sentence of the abstract of topic `T`."""
    (abstract,) = session.topic("T").abstracts
    assert session.perform(alignment_edit("T", abstract, who, said, verb="link", subject=""))


TABLE_1 = [[(1,), (10, 11)], [(3, 5, 6)], [(21, 23), (1, 30, 60)]]
"""The rows of Table 1 of the TSC-3 paper."""

MERGED = [[(1, 10, 11)], *TABLE_1[1:]]
"""The same, the alternatives of row 1 joined into one."""
