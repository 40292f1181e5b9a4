"""What an import brings joins a corpus whole, or is refused with every conflict."""

from copy import deepcopy
from dataclasses import replace

import pytest
from tests import building

from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import Abstract, Alignment, AssistSettings
from awase.core.records.addition import (
    Addition,
    AlignmentPart,
    addition_of,
    merge,
    with_aliases,
    with_extracts,
)
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Assignment, Corpus, Person
from awase.core.records.source import Document
from awase.core.records.topic import Extract, HumanScore, TextOutput, Topic

NEW_WEIGHTS = (("A", 1.0), ("B", 0.5))


def document(id: str) -> Document:
    return building.document(id, ("x", "y"))


def abstract(id: str = "a", *ranks: str | None) -> Abstract:
    return building.abstract(id, ranks=ranks or (None,))


def alignment(annotator: str, *members: str) -> Alignment:
    return building.alignment(annotator, ["&".join(members)])


def part(topic: str, abstract: str, annotator: str, *members: str, ranks=()) -> AlignmentPart:
    own = alignment(annotator, *members)
    return AlignmentPart(topic=topic, abstract=abstract, alignment=own, ranks=ranks)


def corpus() -> Corpus:
    topic = Topic(
        id="t",
        documents=(document("d"),),
        abstracts=(abstract("a", "A", None), abstract("b")),
        outputs=(building.extract("s", "d:1"),),
    )
    return Corpus(
        name="old",
        topics=(topic, Topic(id="u")),
        human_scores=(HumanScore(system="s", measure="m", value=1),),
    )


def refusals(addition: Addition, old: Corpus | None = None) -> list[str]:
    with pytest.raises(CorpusFormatError) as error:
        merge(old or corpus(), addition)
    return [str(problem) for problem in error.value.problems]


def full_addition() -> Addition:
    return Addition(
        name="new",
        topics=(Topic(id="v"),),
        documents=(("t", document("e")), ("w", document("d"))),
        abstracts=(("t", abstract("c")), ("w", abstract("a")), ("x", abstract("a"))),
        alignments=(
            part("t", "a", "y", "e:2", ranks=((2, "B"),)),
            part("w", "a", "x", "d:1", ranks=((1, "C"),)),
        ),
        outputs=(
            ("t", building.extract("s2", "e:1")),
            ("w", building.text("s", "x")),
            ("t", building.text("s2", "y")),
        ),
        human_scores=(HumanScore(system="s", measure="m", value=2, topic="w"),),
    )


# --- joining -------------------------------------------------------------------------------------


def test_that_every_kind_of_part_joins_its_topic():
    old = corpus()
    merged = merge(old, full_addition())
    assert [topic.id for topic in merged.topics] == ["t", "u", "v", "w", "x"]
    t, w = merged.topics[0], merged.topics[3]
    assert [d.id for d in t.documents] == ["d", "e"]
    assert [a.id for a in t.abstracts] == ["a", "b", "c"]
    assert t.abstracts[0].alignments == (alignment("y", "e:2"),)
    assert [s.rank for s in t.abstracts[0].sentences] == ["A", "B"]
    assert [(o.system, type(o)) for o in t.outputs] == [
        ("s", Extract),
        ("s2", Extract),
        ("s2", TextOutput),
    ]
    assert w.documents == (document("d"),)
    assert w.abstracts[0].alignments == (alignment("x", "d:1"),)
    assert w.abstracts[0].sentences[0].rank == "C"
    assert [o.system for o in w.outputs] == ["s"]
    assert merged.human_scores == old.human_scores + full_addition().human_scores
    assert merged.topics[1] == old.topics[1]
    assert full_addition().systems() == {"s", "s2"}


def test_that_neither_the_corpus_nor_the_addition_is_changed():
    old, addition = corpus(), full_addition()
    before = deepcopy((old, addition))
    merge(old, addition)
    assert (old, addition) == before
    refusals(Addition(topics=(Topic(id="t"),)), old)
    assert old == before[0]


def test_that_nothing_joined_and_all_joined_to_an_empty_corpus_are_the_corpus():
    work = (Assignment(topic="t", person="x"),)
    old = replace(corpus(), persons=(Person(id="x"),), assignments=work, is_blind=True)
    assert merge(old, Addition()) == old
    assert merge(old, Addition(persons=old.persons, assignments=work)) == old
    weighted = Corpus(name="n", rank_weights=NEW_WEIGHTS, topics=corpus().topics)
    assert merge(Corpus(), addition_of(weighted)) == weighted
    assert merge(Corpus(), addition_of(corpus())) == corpus()


def test_that_name_guidelines_and_assistance_are_taken_by_a_corpus_without_them_only():
    ours, theirs = (
        {"name": name, "guidelines": f"As {name} says.", "assist": AssistSettings(level=level)}
        for name, level in (("old", 1), ("new", 3))
    )
    for own, taken, is_blind in ((ours, ours, False), ({}, theirs, True)):
        merged = merge(Corpus(**own, is_blind=not is_blind), Addition(**theirs, is_blind=is_blind))
        assert {name: getattr(merged, name) for name in theirs} == taken
        assert merged.is_blind


def test_that_rank_weights_are_taken_by_a_corpus_without_topics_only():
    assert merge(Corpus(), Addition(rank_weights=NEW_WEIGHTS)).rank_weights == NEW_WEIGHTS
    assert merge(Corpus(), Addition()).rank_weights == DEFAULT_RANK_WEIGHTS
    reordered = DEFAULT_RANK_WEIGHTS[::-1]
    assert merge(corpus(), Addition(rank_weights=reordered)).rank_weights == DEFAULT_RANK_WEIGHTS


def test_that_a_rank_that_is_known_stays_once_and_a_new_one_comes_behind_those_of_its_weight():
    (first, weight), *others = DEFAULT_RANK_WEIGHTS
    ranks = ((first, weight), ("new", weight))
    found = merge(corpus(), Addition(ranks=ranks)).rank_weights
    assert found == ((first, weight), ("new", weight), *others)


def test_that_systems_come_under_other_names_in_outputs_and_in_human_scores():
    outputs = [building.extract("lead", 1), building.text("bart", "x")]
    judged = [HumanScore(topic="t", system=one, measure="m", value=1) for one in ("lead", "bart")]
    brought = Addition(topics=(building.topic(outputs=outputs),), human_scores=tuple(judged),
                       outputs=(("t", outputs[1]),))  # fmt: skip
    found = with_aliases(brought, {"bart": "BART", "gone": "x"})
    assert [one.system for one in found.topics[0].outputs] == ["lead", "BART"]
    assert [one.system for one in found.human_scores] == ["lead", "BART"]
    assert [(id_, one.system) for id_, one in found.outputs] == [("t", "BART")]
    assert with_aliases(found, {"BART": "bart"}) == brought


def test_that_extracts_take_the_place_of_their_systems_own_and_of_no_text():
    own, text, other = building.extract("s", 1), building.text("s", "x"), building.extract("o", 1)
    topics = (building.topic(name, docs=2, outputs=[own, text, other]) for name in "tuv")
    new = building.extract("s", 2)
    found = with_extracts(Corpus(topics=tuple(topics)), {"t": [new]}, {"s"}, {"t", "v"}).topics
    assert [topic.outputs for topic in found] == [
        (text, other, new), (own, text, other), (text, other),
    ]  # fmt: skip


def test_that_several_annotators_of_one_abstract_may_come_together_and_a_known_rank_again():
    parts = tuple(part("t", "a", name, "d:1", ranks=((1, "A"),)) for name in "xy")
    joined = merge(corpus(), Addition(alignments=parts)).topics[0].abstracts[0]
    assert [a.annotator for a in joined.alignments] == ["x", "y"]
    assert joined.sentences[0].rank == "A"


def test_that_a_known_topic_takes_new_documents_and_abstracts():
    brought = Topic(
        id="t",
        title="known from now on",
        language="en",
        documents=(document("new"),),
        abstracts=(abstract("new"),),
    )
    first, second = corpus().topics
    before = replace(corpus(), topics=(replace(first, language="ja"), second))
    topic = merge(before, Addition(topics=(brought,))).topic("t")
    known = before.topic("t")
    assert topic is not None
    assert known is not None
    assert topic.documents == (*known.documents, *brought.documents)
    assert topic.abstracts == (*known.abstracts, *brought.abstracts)
    assert (topic.title, topic.language) == (brought.title, "ja")
    titled = replace(corpus(), topics=(replace(first, title="own"), second))
    (topic, _) = merge(titled, Addition(topics=(brought,))).topics
    assert (topic.title, topic.language) == ("own", "en")


# --- refusing ------------------------------------------------------------------------------------


def test_that_a_conflict_refuses_the_import():
    assert refusals(Addition(topics=(Topic(id="v"), Topic(id="t"), Topic(id="v")))) == [
        f"topics[{index}].id: The corpus already has a topic “{id}”. "
        "Rename one of the two, or import into a new corpus."
        for index, id in ((1, "t"), (2, "v"))
    ]
    assert refusals(Addition(rank_weights=(("A", 1.0), ("B", 0.5), ("C", 0.3)))) == [
        "rank_weights: The rank weights of the import (A 1, B 0.5, C 0.3) differ from the "
        "corpus's (A 1, B 0.5, C 0.3333). "
        "Make them equal first: every weighted coverage depends on them."
    ]
    assert refusals(
        Addition(documents=(("t", document("e")), ("t", document("d")), ("", document("d"))))
    ) == [
        "topics[0].documents[2].id: Document “d” appears twice in topic “t”, so its sentences "
        "would be in two documents. Remove one of the two or rename it.",
        "topics[2].id: The id is empty. Give it a name.",
    ]
    assert refusals(Addition(abstracts=(("t", abstract("a")),))) == [
        "topics[0].abstracts[2].id: Abstract “a” appears twice in topic “t”. Remove one of the "
        "two or rename it."
    ]
    assert refusals(
        Addition(
            outputs=(
                ("t", building.extract("s", "d:7")),
                ("nowhere", building.extract("s")),
                ("nowhere", building.extract("s2")),
            )
        )
    ) == [
        "topics[0].outputs[1].system: System “s” has two outputs of the same kind for "
        "topic “t”. Remove one of the two or rename the system.",
        "topics[0].outputs[1].extract[0]: Topic “t” has no sentence “d:7”. "
        "The document has other sentence numbers; correct the id.",
        "The corpus has no topic “nowhere”. It has: t, u.",
    ]
    assert refusals(
        Addition(alignments=(part("nowhere", "a", "x"), part("t", "z", "x"), part("u", "z", "x")))
    ) == [
        "The corpus has no topic “nowhere”. It has: t, u.",
        "topics[0]: Topic “t” has no abstract “z”. It has: a, b.",
        "topics[1]: Topic “u” has no abstract “z”. It has none yet: import abstracts first.",
    ]
    assert refusals(
        Addition(alignments=(part("t", "b", "x", "d:1"), part("t", "b", "x", "d:1")))
    ) == [
        "topics[0].abstracts[1].alignments[1].annotator: Annotator “x” has two alignments "
        "of abstract “b”. Join them or rename one annotator."
    ]
    assert refusals(
        Addition(alignments=(part("t", "a", "x", ranks=((1, "B"), (2, "B"), (3, "B"))),))
    ) == [
        "topics[0].abstracts[0]: Sentence 1 of abstract “a” has rank A, the import says B. "
        "Make them equal first: every weighted coverage depends on them.",
        "topics[0].abstracts[0]: Abstract “a” has no sentence 3. "
        "Correct the number or add the sentence.",
    ]
    assert refusals(Addition(alignments=(part("t", "b", "x", "e:1"),))) == [
        "topics[0].abstracts[1].alignments[0].sentences[0].alternatives[0][0]: Topic “t” "
        "has no sentence “e:1”. Correct the document id."
    ]
    assert refusals(Addition(topics=(Topic(id="v", abstracts=(abstract("a", "D"),)),))) == [
        "topics[0].abstracts[0].sentences[0].rank: Rank “D” has no weight. "
        "Add it to rank_weights or use one of A, B, C."
    ]
    assert refusals(
        Addition(
            human_scores=(
                HumanScore(system="s", measure="m", value=2),
                HumanScore(system="s", measure="m", value=2, topic="nowhere"),
            )
        )
    ) == [
        "human_scores[0]: The same annotator scored “s” twice for “m”. "
        "Remove one of the two scores.",
        "human_scores[1].topic: The corpus has no topic “nowhere”. "
        "Correct the topic of the score or add the topic.",
    ]


def test_that_conflicts_of_all_kinds_are_told_together():
    told = refusals(
        Addition(
            rank_weights=NEW_WEIGHTS,
            topics=(Topic(id="u"),),
            documents=(("t", document("d")),),
            outputs=(("nowhere", building.extract("s")),),
            human_scores=(HumanScore(system="s", measure="m", value=2),),
        )
    )
    starts = ["rank_weights", "topics[0].id", "topics[0].documents", "The corpus", "human_scores"]
    assert [text[: len(start)] for text, start in zip(told, starts, strict=True)] == starts


def test_that_after_a_bad_part_a_topic_is_not_blamed_for_what_follows_from_it():
    told = refusals(
        Addition(
            documents=(("t", document("d")), ("t", document("e"))),
            outputs=(("t", building.extract("s2", "e:1")),),
        )
    )
    assert len(told) == 1


def test_that_a_long_list_of_topics_is_cut():
    many = Corpus(topics=tuple(Topic(id=f"t{n}") for n in range(25)))
    (told,) = refusals(Addition(outputs=(("x", building.extract("s")),)), many)
    assert told.endswith("t18, t19, ….")
    (told,) = refusals(Addition(outputs=(("x", building.extract("s")),)), Corpus())
    assert told == "The corpus has no topic “x”. It has none yet: import its documents first."
