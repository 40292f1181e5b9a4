"""What each suggester suggests, and what none of them does."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.building import alignment, alternatives, document, entry, ref
from tests.in_part import in_turn

from awase.core.annotation.fitting import AssistExamples, confirmed_entries
from awase.core.annotation.suggesters import (
    SUGGESTERS,
    Closure,
    LexicalFamily,
    OtherLength,
    build_suggesters,
)
from awase.core.annotation.suggestion import (
    ANOTHER,
    CARRIED,
    CLOSURE,
    FAMILY,
    KINDS,
    AssistLevel,
    Suggestion,
    is_shown,
    own_view,
)  # fmt: skip
from awase.core.errors import InputError
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.topic import Topic

SOURCES = (
    "The storm sank a ferry in the harbour of Porto on Monday.",
    "The mayor of Lisbon spoke of a budget for schools.",
    "On Monday a ferry was lost in the harbour of Porto in a storm.",
    "Twelve passengers of the ferry were rescued by fishermen.",
    "Rain is expected.",
)
SHORT = "A storm sank a ferry in Porto."
LONG = "A storm sank a ferry in the harbour of Porto, and fishermen rescued twelve passengers."
rows = st.sampled_from(["", "s1", "s1|s3", "s2&s4", "-", "?s4", "s1|s2|s3|s4|s5", "s1&s4"])


def made_topic(short: str = "", long: str = "", others: str = "s2") -> Topic:
    parts = [
        Abstract(
            id=id, length=id, sentences=(AbstractSentence(n=1, text=text),),
            alignments=(alignment("1", [own]), alignment("2", [others])),
        )
        for id, text, own in (("short", SHORT, short), ("long", LONG, long))
    ]  # fmt: skip
    return Topic(id="t", documents=(document("d", SOURCES),), abstracts=tuple(parts))


def suggested(suggester, topic: Topic, abstract_idx: int = 0):
    view = own_view(topic, "1")
    abstract = view.abstracts[abstract_idx]
    return suggester.suggest(view, abstract.sentences[0], abstract.alignments[0].sentences[0])


def test_that_the_best_candidate_is_suggested_first_while_nothing_is_linked():
    first = suggested(LexicalFamily(), made_topic())[0]
    assert first.family == alternatives("s1")
    assert first.kind == FAMILY
    assert 0.5 < first.confidence <= 1.0


def test_that_a_sentence_that_says_the_same_is_suggested_once_one_is_linked():
    first = suggested(LexicalFamily(), made_topic(short="?s1"))[0]
    assert (first.family, first.kind) == (alternatives("s3"), ANOTHER)


def test_that_the_other_member_of_a_pair_stays_when_one_is_exchanged():
    families = [one.family for one in suggested(LexicalFamily(), made_topic(long="?s1&s4"), 1)]
    assert alternatives("s3&s4")[0].as_set in [family[0].as_set for family in families]


def test_that_the_closure_is_what_near_duplicates_make_and_nothing_once_it_is_there():
    (found,) = suggested(Closure(), made_topic(long="?s1&s4"), 1)
    assert found.kind == CLOSURE
    assert [one.as_set for one in found.family] == [frozenset({ref(3), ref(4)})]
    assert suggested(Closure(), made_topic(long="?s1&s4|s3&s4"), 1) == ()
    assert suggested(Closure(), made_topic()) == ()


def test_that_what_was_linked_for_the_other_length_is_suggested_and_others_work_is_not():
    (found,) = suggested(OtherLength(), made_topic(long="s1|s3"))
    assert (found.family, found.kind) == (alternatives("s1|s3"), CARRIED)
    assert suggested(OtherLength(), made_topic(others="s1")) == ()
    (rest,) = suggested(OtherLength(), made_topic(short="?s1", long="s1|s3"))
    assert rest.family == alternatives("s3")


@pytest.mark.parametrize("name", SUGGESTERS)
@given(rows, rows, st.sampled_from((*SOURCES, SHORT, LONG, "", "…")))
def test_that_a_suggester_changes_nothing_and_suggests_only_what_would_add_something(
    name, short, long, text
):
    topic = made_topic(short, long)
    view = own_view(topic, "1")
    before = repr(view)
    suggester = build_suggesters([name])[name]
    sentence = replace(view.abstracts[0].sentences[0], text=text or "–")
    own = entry(1, short)
    found = suggester.suggest(view, sentence, own)
    assert suggester.suggest(view, sentence, own) == found
    assert repr(view) == before
    known = [one.as_set for one in own.alternatives]
    confidences = [one.confidence for one in found]
    assert confidences == sorted(confidences, reverse=True)
    for suggestion in found:
        assert suggestion.kind in KINDS
        for one in suggestion.family:
            assert set(topic.refs()) >= one.as_set
            assert one.as_set not in known


def test_that_a_topic_without_documents_has_no_suggestions():
    nothing = Topic(id="t", abstracts=(building.abstract("a", texts=["A storm."]),))
    for suggester in build_suggesters().values():
        assert suggester.suggest(nothing, nothing.abstracts[0].sentences[0], entry(1)) == ()


def test_what_is_shown_at_which_level():
    sure = [Suggestion(family=alternatives("s1"), confidence=0.9, why="x", kind=k) for k in KINDS]
    shown = {level: {one.kind for one in sure if is_shown(one, level)} for level in AssistLevel}
    assert shown == {
        0: set(),
        1: set(),
        2: {CLOSURE},
        3: {CLOSURE, ANOTHER, CARRIED},
        4: set(KINDS),
    }
    unsure = Suggestion(family=alternatives("s1"), confidence=0.1, why="x")
    assert not is_shown(unsure, AssistLevel.FAMILIES)


@in_turn("wrong", [{"family": ()}, {"confidence": 1.2}, {"kind": "guess"}])
def test_that_a_suggestion_of_nothing_or_of_no_kind_is_refused(wrong):
    values = {"family": alternatives("s1"), "confidence": 0.5, "why": "x", "kind": FAMILY} | wrong
    with pytest.raises(InputError):
        Suggestion(**values)


def test_that_only_confirmed_entries_teach_and_few_of_them_change_no_weight():
    topic = made_topic(short="?s1", long="s4", others="-")
    assert [one.entry.alternatives for one in confirmed_entries([topic])] == [alternatives("s4")]
    examples = AssistExamples(confirmed_entries([topic]))
    assert examples.n_sentences == 1
    assert examples.single.labels == [True]
    shipped = LexicalFamily()
    fitted = LexicalFamily(examples.fitted("a corpus"))
    assert suggested(shipped, topic) == suggested(fitted, topic)
