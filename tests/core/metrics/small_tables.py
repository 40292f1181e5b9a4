"""Small corpora for the tests of metrics: the paper's Table 1, and random ones."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from tests import building

from awase.core.metrics.extracts.gold import Gold, gold_of
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Extract, Output, Topic

TABLE_1 = ("A: 1 | 10 11", "B: 3 5 6", "C: 21 23 | 1 30 60")
"""Hirao et al. (2004), section 2.2, Table 1, with the ranks of the example in section 3.4."""

PAPER_WEIGHTS = (("A", Fraction(1)), ("B", Fraction(1, 2)), ("C", Fraction(3, 10)))
DEFAULT_WEIGHTS = (("A", Fraction(1)), ("B", Fraction(1, 2)), ("C", Fraction(1, 3)))


def abstract_of(
    *rows: str, id: str = "a", length: str | None = None, annotator: str = "ann"
) -> Abstract:
    return building.abstract(id, {annotator: rows}, length=length)


def table(*rows: str) -> Gold:
    """Returns the gold of rows as `building` spells them."""
    abstract = abstract_of(*rows)
    return gold_of(abstract, abstract.alignments[0])


def document(n_sentences: int = 70) -> Document:
    return building.document("d", n_sentences)


def topic_of(*abstracts: Abstract, outputs: Sequence[Output] = (), id: str = "t") -> Topic:
    return building.topic(id, docs=70, abstracts=abstracts, outputs=outputs)


N_SOURCE = 8
RANKS = ("A", "B", "C")
_sentence_numbers = st.integers(1, N_SOURCE)
source_refs = _sentence_numbers.map(lambda n: SentenceRef("d", n))
alternatives = st.lists(source_refs, min_size=1, max_size=4).map(lambda m: Alternative(tuple(m)))
extracts = st.lists(source_refs, max_size=N_SOURCE + 3).map(tuple)
options = st.builds(
    Tsc3Options,
    first=st.sampled_from(["h", "all", 1, 2, 5, 20]),
    strict=st.booleans(),
    weights=st.tuples(
        *(
            st.fractions(0, 2, max_denominator=9).map(lambda w, rank=rank: (rank, w))
            for rank in RANKS
        )
    ),
)
_states = st.sampled_from(
    [
        AlignmentState.CONFIRMED,
        AlignmentState.CONFIRMED,
        AlignmentState.FLAGGED,
        AlignmentState.INCOMPLETE,
        AlignmentState.NO_SOURCE,
    ]
)


@st.composite
def _alignments(draw: st.DrawFn, annotator: str, n_sentences: int) -> Alignment:
    entries = []
    for n in range(1, n_sentences + 1):
        state = draw(_states)
        sets = draw(st.lists(alternatives, max_size=3))
        if draw(st.integers(0, 5)):
            no_source = state is AlignmentState.NO_SOURCE
            entries.append(
                SentenceAlignment(n=n, state=state, alternatives=() if no_source else tuple(sets))
            )
    return Alignment(annotator=annotator, sentences=tuple(draw(st.permutations(entries))))


@st.composite
def abstracts(draw: st.DrawFn, id: str = "a") -> Abstract:
    n_sentences = draw(st.integers(0, 4))
    ranks = st.sampled_from([*RANKS, *RANKS, *RANKS, None])
    annotators = draw(st.sampled_from([(), ("x",), ("y",), ("x", "y"), ("y", "x")]))
    return Abstract(
        id=id,
        length=draw(st.sampled_from([None, "short", "long"])),
        sentences=tuple(
            AbstractSentence(n=n, text="", rank=draw(ranks)) for n in range(1, n_sentences + 1)
        ),
        alignments=tuple(draw(_alignments(annotator, n_sentences)) for annotator in annotators),
    )


_members = st.lists(_sentence_numbers.map(str), min_size=1, max_size=4).map(" ".join)
_sets = st.lists(_members, min_size=1, max_size=4).map("|".join)
_rows = st.builds("{}: {}".format, st.sampled_from(RANKS), _sets)
golds = st.lists(_rows, min_size=1, max_size=5).map(lambda rows: table(*rows))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Corpora in which annotators x and y each aligned something, and all else may be missing."""
    topics = []
    for topic_idx in range(draw(st.integers(1, 3))):
        outputs = draw(
            st.lists(
                st.builds(
                    Extract,
                    system=st.sampled_from(["s1", "s2"]),
                    sentences=extracts,
                    length=st.sampled_from([None, "short"]),
                ),
                unique_by=lambda output: (output.system, output.length),
                max_size=4,
            )
        )
        of_topic = [draw(abstracts(id=f"a{i}")) for i in range(draw(st.integers(0, 3)))]
        topics.append(
            Topic(
                id=f"t{topic_idx}",
                documents=(document(N_SOURCE),),
                abstracts=tuple(of_topic),
                outputs=tuple(outputs),
            )
        )
    aligned = Abstract(id="z", alignments=(Alignment(annotator="x"), Alignment(annotator="y")))
    topics.append(Topic(id="without outputs", abstracts=(aligned,)))
    return Corpus(topics=tuple(topics))
