"""Every invariant of every record: what is said, where, and how to mend it; all faults at once."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import building
from tests.in_part import in_turn

from awase.core.errors import CorpusFormatError, shortened
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    Limit,
    SentenceAlignment,
)
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus
from awase.core.records.edits import AlignmentEdit, RankEdit
from awase.core.records.source import Document, SentenceRef, SourceSentence, sentence_place
from awase.core.records.topic import Extract, HumanScore, TextOutput, Topic

NUL = "a\x00b"
NUL_TOLD = (
    "The text has a character that cannot be stored (U+0000 at offset 1). "
    "The file was probably damaged by a conversion; remove or restore the character."
)
EMPTY_ID = "The id is empty. Give it a name."


def bad_id(value: str) -> str:
    return (
        f"The id {value!r} has a blank at its end, a line break or a control character. Remove it."
    )


def count(name: str, value: int) -> str:
    return f"{name} is {value}. Numbers count from 1."


def twice(n: int) -> str:
    return f"Sentence number {n} appears twice. Give each sentence a number of its own."


def problems_of(make: Callable[[], object]) -> list[str]:
    with pytest.raises(CorpusFormatError) as error:
        make()
    return [str(problem) for problem in error.value.problems]


def document(id: str = "d", n_sentences: int = 3) -> Document:
    return building.document(id, n_sentences)


def alignment(n: int, *members: SentenceRef, annotator: str = "x") -> Alignment:
    alternatives = (Alternative(members),) if members else ()
    return Alignment(
        annotator=annotator, sentences=(SentenceAlignment(n=n, alternatives=alternatives),)
    )


def abstract(id: str = "a", *alignments: Alignment, rank: str | None = None) -> Abstract:
    sentences = (AbstractSentence(n=1, text="x", rank=rank),)
    return Abstract(id=id, sentences=sentences, alignments=alignments)


D1 = SentenceRef("d", 1)


# --- ids -----------------------------------------------------------------------------------------


@in_turn(
    "value",
    [" a", "a ", "a\n", "a\tb", "a\x7fb", "a\x85b", "a\x9fb", "a\u2028b", "a\u2029b", "a\ud800b",
     "　a", "\x00", " "],
)  # fmt: skip
def test_that_an_id_has_no_outer_blank_line_break_or_control_character(value):
    assert problems_of(lambda: Topic(id=value)) == [f"id: {bad_id(value)}"]


@in_turn("value", ["a", "0310", "d:1", "a b", "犬", "a,b=c/d", "\u200b", "\xa0a"[1:]])
def test_that_other_ids_but_an_empty_one_are_taken(value):
    assert Topic(id=value).id == value
    assert problems_of(lambda: Topic(id="")) == [f"id: {EMPTY_ID}"]


@in_turn("code", [0, 0xD83D, 0xDFFF])
def test_that_a_text_has_no_nul_and_no_half_character(code):
    (problem,) = problems_of(lambda: SourceSentence(n=1, text=f"a{chr(code)}"))
    assert problem.startswith(
        f"text: The text has a character that cannot be stored (U+{code:04X} at offset 1)."
    )


# --- sentence addresses --------------------------------------------------------------------------


@in_turn(
    ("text", "ref"),
    [
        ("980101001:3", SentenceRef("980101001", 3)),
        ("a:b:12", SentenceRef("a:b", 12)),
        ("a::1", SentenceRef("a:", 1)),
        (":1:2", SentenceRef(":1", 2)),
        ("d:01", SentenceRef("d", 1)),
        ("d:999999999", SentenceRef("d", 999_999_999)),
        ("犬:5", SentenceRef("犬", 5)),
        ("a b\nc:1", SentenceRef("a b\nc", 1)),
    ],
)
def test_that_the_last_colon_of_an_address_separates(text, ref):
    assert SentenceRef.parse(text) == ref
    assert SentenceRef.parse(str(ref)) == ref


@in_turn(
    "text",
    ["", "d", "d:", ":1", "d:0", "d:000", "d:-1", "d:+1", "d:1.0", "d: 1", "d:1 ", "d:x", "d:１",
     "d:٣", "d:²", "d:1_0", "d:1\n", "d:1000000000", "d:" + "9" * 5000],
)  # fmt: skip
def test_that_other_texts_are_no_addresses(text):
    assert problems_of(lambda: SentenceRef.parse(text)) == [
        f"“{shortened(text)}” is not a sentence id. Write it as <document id>:<n>, with n counted "
        "from 1."
    ]


# --- documents -----------------------------------------------------------------------------------


def test_that_documents_are_checked():
    assert problems_of(lambda: SourceSentence(n=0, text="x")) == [f"n: {count('n', 0)}"]
    assert problems_of(lambda: SourceSentence(n=-1, text=NUL, paragraph=0)) == [
        f"n: {count('n', -1)}",
        f"paragraph: {count('paragraph', 0)}",
        f"text: {NUL_TOLD}",
    ]
    assert problems_of(lambda: Document(id="", source=NUL, date=NUL, title=NUL)) == [
        f"id: {EMPTY_ID}",
        f"source: {NUL_TOLD}",
        f"date: {NUL_TOLD}",
        f"title: {NUL_TOLD}",
    ]
    assert problems_of(lambda: building.document("d", 5, numbers=(2, 1, 2, 1, 3))) == [
        f"sentences[2].n: {twice(2)}",
        f"sentences[3].n: {twice(1)}",
    ]


# --- abstracts and alignments --------------------------------------------------------------------


def test_that_abstracts_and_alignments_are_checked():
    assert problems_of(lambda: Limit(unit="letters", size=0)) == [
        "unit: “letters” is not a unit of length. Use one of characters, words, bytes, sentences.",
        f"size: {count('size', 0)}",
    ]
    assert problems_of(lambda: AbstractSentence(n=0, text=NUL, rank="")) == [
        f"n: {count('n', 0)}",
        f"text: {NUL_TOLD}",
        f"rank: {EMPTY_ID}",
    ]
    assert problems_of(lambda: Abstract(id=" a", length="", author=NUL)) == [
        f"id: {bad_id(' a')}",
        f"length: {EMPTY_ID}",
        f"author: {NUL_TOLD}",
    ]
    assert problems_of(lambda: building.abstract(texts=("x", "y"), numbers=(4, 4))) == [
        f"sentences[1].n: {twice(4)}"
    ]
    assert problems_of(lambda: abstract("a", alignment(1), alignment(1), alignment(2))) == [
        "alignments[1].annotator: Annotator “x” has two alignments of abstract “a”. "
        "Join them or rename one annotator.",
        "alignments[2].annotator: Annotator “x” has two alignments of abstract “a”. "
        "Join them or rename one annotator.",
        "alignments[2].sentences[0].n: Abstract “a” has no sentence 2. "
        "Correct the number or add the sentence.",
    ]
    assert problems_of(lambda: Alternative(())) == [
        "The alternative has no member. "
        "Name at least one source sentence, or remove the alternative."
    ]
    assert problems_of(
        lambda: SentenceAlignment(
            n=0, state=AlignmentState.NO_SOURCE, alternatives=(Alternative((D1,)),), note=NUL
        )
    ) == [
        f"n: {count('n', 0)}",
        "state: The sentence is marked “no source” and yet has alternatives. "
        "Remove the alternatives or choose another state.",
        f"note: {NUL_TOLD}",
    ]
    assert problems_of(lambda: building.alignment("", ";", numbers=(2, 2))) == [
        f"annotator: {EMPTY_ID}",
        f"sentences[1].n: {twice(2)}",
    ]


def test_that_a_member_stands_once_in_an_alternative_at_its_first_place():
    d2 = SentenceRef("d", 2)
    alternative = Alternative((d2, D1, d2))
    assert alternative.members == (d2, D1)
    assert alternative.as_set == {D1, d2}
    assert alternative == Alternative((d2, D1))


def test_that_only_confirmed_and_no_source_are_settled_and_a_missing_entry_is_to_do():
    settled = {state for state in AlignmentState if state.is_settled}
    assert settled == {AlignmentState.CONFIRMED, AlignmentState.NO_SOURCE}
    made = alignment(3, D1)
    assert made.of_sentence(3) == made.sentences[0]
    assert made.of_sentence(1) == SentenceAlignment(n=1, state=AlignmentState.TODO)


# --- outputs and human scores --------------------------------------------------------------------


def test_that_outputs_and_human_scores_are_checked():
    assert problems_of(
        lambda: Extract(system="", sentences=(), length=" ", references=(("x", NUL),))
    ) == [f"system: {EMPTY_ID}", f"length: {bad_id(' ')}", f"references[0][1]: {NUL_TOLD}"]
    assert problems_of(
        lambda: TextOutput(system="a\n", sentences=("x", NUL), length="", references=((), (NUL,)))
    ) == [
        f"system: {bad_id(chr(97) + chr(10))}",
        f"length: {EMPTY_ID}",
        f"references[1][0]: {NUL_TOLD}",
        f"text[1]: {NUL_TOLD}",
    ]
    assert problems_of(
        lambda: HumanScore(system="", measure="", value=float("nan"), topic="", annotator="a ")
    ) == [
        f"system: {EMPTY_ID}",
        f"measure: {EMPTY_ID}",
        f"topic: {EMPTY_ID}",
        f"annotator: {bad_id('a ')}",
        "value: The score is not a finite number. Leave the entry out when there is no score.",
    ]
    assert problems_of(lambda: HumanScore(system="s", measure="m", value=float("-inf"))) == [
        "value: The score is not a finite number. Leave the entry out when there is no score."
    ]


# --- topics --------------------------------------------------------------------------------------


def test_that_names_in_a_topic_stand_once_each():
    extract, text = building.extract("s"), building.text("s")
    short = building.extract("s", length="short")
    outputs = [short, extract, text, extract, text, short]
    assert problems_of(
        lambda: Topic(
            id="t",
            title=NUL,
            language="",
            documents=(document(), document()),
            abstracts=(abstract(), abstract("b"), abstract()),
            outputs=tuple(outputs),
        )
    ) == [
        f"title: {NUL_TOLD}",
        f"language: {EMPTY_ID}",
        "documents[1].id: Document “d” appears twice in topic “t”, so its sentences would be in "
        "two documents. Remove one of the two or rename it.",
        "abstracts[2].id: Abstract “a” appears twice in topic “t”. Remove one of the two or "
        "rename it.",
        "outputs[3].system: System “s” has two outputs of the same kind for topic “t”. "
        "Remove one of the two or rename the system.",
        "outputs[4].system: System “s” has two outputs of the same kind for topic “t”. "
        "Remove one of the two or rename the system.",
        "outputs[5].system: System “s” has two outputs of the same kind for topic “t”, length "
        "“short”. Remove one of the two or rename the system.",
    ]


def test_that_alternatives_and_extracts_name_sentences_of_the_topic():
    made = building.abstract("a", {"y": ["s1"], "x": ["s1|s9"]})
    outputs = [building.text("s"), building.extract("s", "s1 dd:1 zz9:1")]
    assert problems_of(
        lambda: building.topic(abstracts=[abstract("b"), made], outputs=outputs)
    ) == [
        "abstracts[1].alignments[1].sentences[0].alternatives[1][0]: Topic “t” has no sentence "
        "“d:9”. The document has other sentence numbers; correct the id.",
        "outputs[1].extract[1]: Topic “t” has no sentence “dd:1”. Did you mean document “d”?",
        "outputs[1].extract[2]: Topic “t” has no sentence “zz9:1”. Correct the document id.",
    ]


# --- corpora -------------------------------------------------------------------------------------


def test_that_a_corpus_is_checked_as_a_whole():
    ranked = abstract(rank="D")
    scores = [
        HumanScore(system="s", measure="coverage", value=1, topic="t"),
        HumanScore(system="s", measure="coverage", value=2, topic="t"),
        HumanScore(system="s", measure="coverage", value=2),
        HumanScore(system="s", measure="coverage", value=2, topic="u"),
        HumanScore(system="s", measure="coverage", value=2, topic="t", annotator="x"),
    ]
    weights = (("A", 1.0), ("B", -1.0), ("", float("nan")), ("A", float("inf")))
    assert problems_of(
        lambda: Corpus(
            name=NUL,
            rank_weights=weights,
            topics=(Topic(id="t"), Topic(id="t", abstracts=(abstract("b", rank="B"), ranked))),
            human_scores=tuple(scores),
        )
    ) == [
        f"name: {NUL_TOLD}",
        "rank_weights.B: The weight of rank “B” is -1.0. Weights are finite numbers from 0.",
        f"rank_weights: {EMPTY_ID}",
        "rank_weights.: The weight of rank “” is nan. Weights are finite numbers from 0.",
        "rank_weights.A: The weight of rank “A” is inf. Weights are finite numbers from 0.",
        "rank_weights.A: Rank “A” has two weights. Keep one.",
        "topics[1].id: Topic “t” appears twice. Remove one of the two or rename it.",
        "topics[1].abstracts[1].sentences[0].rank: Rank “D” has no weight. "
        "Add it to rank_weights or use one of , A, B.",
        "human_scores[1]: The same annotator scored “s” twice for “coverage”. "
        "Remove one of the two scores.",
        "human_scores[3].topic: The corpus has no topic “u”. "
        "Correct the topic of the score or add the topic.",
    ]
    unranked = Topic(id="t", abstracts=(ranked,))
    assert problems_of(lambda: Corpus(rank_weights=(), topics=(unranked,))) == [
        "topics[0].abstracts[0].sentences[0].rank: Rank “D” has no weight. "
        "Add it to rank_weights: the corpus has no ranks yet."
    ]


def test_that_the_default_weights_are_1_over_the_position_of_the_rank():
    # Hirao et al. (2004), section 3.4, footnote 7.
    assert DEFAULT_RANK_WEIGHTS == (("A", 1.0), ("B", 1 / 2), ("C", 1 / 3))
    assert Corpus().rank_weights == DEFAULT_RANK_WEIGHTS


# --- records are values --------------------------------------------------------------------------


def test_that_an_edit_taken_back_twice_is_the_edit():
    edit = AlignmentEdit(
        verb="toggle",
        topic="t",
        abstract="a",
        annotator="x",
        old=SentenceAlignment(n=1),
        new=SentenceAlignment(n=1, alternatives=(Alternative((D1,)),)),
        subject="d:1",
    )
    assert (edit.inverse().old, edit.inverse().new) == (edit.new, edit.old)
    assert edit.inverse().inverse() == edit
    ranking = RankEdit(verb="rank", topic="t", abstract="a", n=1, old=None, new="A")
    assert (ranking.inverse().old, ranking.inverse().new) == ("A", None)
    assert (ranking.subject, ranking.inverse().subject) == ("A", "")


def test_that_a_corpus_with_one_topic_changed_is_the_one_that_is_checked_whole():
    one, two = Topic(id="one"), Topic(id="two")
    corpus = Corpus(name="c", topics=(one, two))
    changed = replace(two, title="Two")
    assert corpus.with_topics((one, changed)) == replace(corpus, topics=(one, changed))
    assert corpus.with_topics((one,)).topics == (one,)
    with pytest.raises(CorpusFormatError, match="Z"):
        corpus.with_topics((one, replace(two, abstracts=(abstract(rank="Z"),))))


def test_that_a_topic_with_one_abstract_changed_is_the_one_that_is_checked_whole():
    def aligned(row: str, annotator: str = "x") -> Abstract:
        return building.abstract("a", {annotator: [row]})

    topic = building.topic(docs=1, title="T", abstracts=[aligned("")])
    for abstracts in ((aligned("s1"),), (replace(topic.abstracts[0], author="y"),), ()):
        assert topic.with_abstracts(abstracts) == replace(topic, abstracts=abstracts)
    for abstracts in ((aligned("s2"),), (aligned("e:1"),), (aligned(""), aligned("", "y"))):
        with pytest.raises(CorpusFormatError) as whole:
            replace(topic, abstracts=abstracts)
        with pytest.raises(CorpusFormatError, match=re.escape(str(whole.value))):
            topic.with_abstracts(abstracts)


@in_turn("row", [(3, "c", None), (0, "a", 1), (3, "a", 0), (3, "\ud800", 1), (3, "a\0", None)])
def test_that_sentences_made_together_are_those_made_one_by_one(row):
    rows = [(1, "a", None), (2, "", 2), row]

    def made(make: Callable[[], object]) -> object:
        try:
            return make()
        except CorpusFormatError as error:
            return error.problems

    def single() -> tuple[SourceSentence, ...]:
        return tuple(SourceSentence(n=n, text=text, paragraph=p) for n, text, p in rows)

    assert made(lambda: SourceSentence.all_of(rows)) == made(single)
    assert SourceSentence.all_of([]) == ()


_WORDS = st.sampled_from(["a", "b c", "", " ", NUL, "\ud800", "雪"])


@example([("a", (NUL,), None, "given")])
@given(st.lists(st.tuples(
    _WORDS, st.lists(_WORDS, max_size=2).map(tuple), st.none() | _WORDS,
    st.sampled_from(["given", "en-2", "en-2+ja-2", "a,b", ""]),
)))  # fmt: skip
def test_that_outputs_made_together_are_those_made_one_by_one(rows):
    def one_by_one():
        return [
            TextOutput(system=one, sentences=told, length=length, split=split)
            for one, told, length, split in rows
        ]

    def together():
        return TextOutput.all_of(
            *(map(list, zip(*rows, strict=True)) if rows else ([], [], [], []))
        )

    made = []
    for makes in (one_by_one, together):
        try:
            made.append(makes())
        except CorpusFormatError as error:
            made.append(str(error))
    assert made[0] == made[1]


def test_that_a_sentence_names_its_topic_where_its_abstract_does_not_tell_it():
    assert sentence_place("0310", "0310-short", 3) == "0310-short · 3"
    assert sentence_place("0310", "0310", 3) == "0310 · 3"
    assert sentence_place("031", "0310-short", 3) == "031 · 0310-short · 3"
    assert sentence_place("0310", "short", 3) == "0310 · short · 3"


@pytest.mark.parametrize(
    "make",
    [
        partial(TextOutput, sentences=("a",), system=None),
        partial(Topic, id=None),
        partial(Alignment, annotator=None),
        partial(Document, id=None, sentences=()),
    ],
)
def test_that_an_id_that_must_be_there_is_not_none(make):
    with pytest.raises(CorpusFormatError, match="The id is empty"):
        make()
