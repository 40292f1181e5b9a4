from fractions import Fraction

from awase.core.annotation.candidates.offering import TopicIndex
from awase.core.inspection.explanation import explain
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

TEXTS = (
    "A ferry with forty passengers sank near the harbour of Lindholm.",
    "Divers searched the wreck until midnight.",
    "The ferry with forty passengers aboard sank off Lindholm harbour.",
    "Football results will follow.",
    "The captain was questioned by the police.",
)


def ref(n: int) -> SentenceRef:
    return SentenceRef("d", n)


def explained(*extract: int, h: int = 3):
    alignment = Alignment(
        annotator="1",
        sentences=(
            SentenceAlignment(
                n=1,
                state=AlignmentState.CONFIRMED,
                alternatives=(Alternative((ref(1), ref(2))), Alternative((ref(5),))),
            ),
            SentenceAlignment(n=2, state=AlignmentState.NO_SOURCE),
        ),
    )
    abstract = Abstract(
        id="a",
        sentences=(
            AbstractSentence(n=1, text="A ferry sank near Lindholm harbour; divers searched it."),
            AbstractSentence(n=2, text="It was sad."),
        ),
        alignments=(alignment,),
    )
    topic = Topic(
        id="t",
        language="en",
        documents=(
            Document(
                id="d",
                sentences=tuple(
                    SourceSentence(n=n, text=text) for n, text in enumerate(TEXTS, start=1)
                ),
            ),
        ),
        abstracts=(abstract,),
        outputs=(Extract(system="x", sentences=tuple(ref(n) for n in extract)),),
    )

    def of(n: int, system: str = "x"):
        return explain(
            topic,
            abstract,
            n,
            system,
            annotator="first",
            h=h,
            options=Tsc3Options(),
            index=TopicIndex(topic),
        )

    return of


def numbers(seen) -> list[int]:
    return [sentence.ref.n for sentence in seen]


def test_that_what_is_there_and_what_is_missing_are_told_apart():
    found = explained(4, 2)(1)
    assert found.value == Fraction(1, 2)
    assert (numbers(found.extracted), numbers(found.missing)) == ([2], [1])
    assert numbers(found.irrelevant) == [4]
    assert found.others == (1,)
    assert (found.n_counted, found.asked) == (2, 3)
    assert found.extracted[0].place == 2
    assert found.missing[0].place == 0


def test_that_an_unlinked_twin_is_pointed_out():
    found = explained(3, 4)(1)
    assert found.value == 0
    assert numbers(found.unlinked) == [3]
    start, end = found.unlinked[0].matches[0]
    assert TEXTS[2][start:end].lower() in ("ferry", "sank")


def test_that_nothing_is_pointed_out_where_nothing_is_missing():
    found = explained(5, 3)(1)
    assert found.value == 1
    assert found.unlinked == ()


def test_that_a_member_of_a_needless_alternative_is_redundant():
    found = explained(5, 1)(1)
    assert numbers(found.extracted) == [5]
    assert numbers(found.redundant) == [1]


def test_that_a_sentence_that_does_not_count_has_no_explanation():
    of = explained(1)
    assert of(2) is None
    assert of(1, "absent") is None
