from fractions import Fraction

from tests.building import abstract, extract, topic

from awase.core.analysis.explanation import explain
from awase.core.annotation.candidates import TopicIndex
from awase.core.metrics.extracts.scorers import Tsc3Options

TEXTS = (
    "A ferry with forty passengers sank near the harbour of Lindholm.",
    "Divers searched the wreck until midnight.",
    "The ferry with forty passengers aboard sank off Lindholm harbour.",
    "Football results will follow.",
    "The captain was questioned by the police.",
)


def explained(*chosen: int, h: int = 3):
    sentences = ("A ferry sank near Lindholm harbour; divers searched it.", "It was sad.")
    own = abstract("a", "1&2|5; -", texts=sentences)
    about = topic(docs=TEXTS, language="en", abstracts=[own], outputs=[extract("x", *chosen)])

    def of(n: int, system: str = "x"):
        return explain(
            about,
            own,
            n,
            system,
            annotator="first",
            h=h,
            options=Tsc3Options(),
            index=TopicIndex(about),
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
