"""Documents that go or are split anew, and abstracts that are rewritten: what becomes of links."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import building, strategies
from tests.building import abstract, alignment, alternatives, entry, extract, ref, refs
from tests.in_part import in_turn
from tests.laws import tries

from awase.core.annotation import content
from awase.core.annotation.actions import topic_after
from awase.core.annotation.content import rewritten
from awase.core.errors import CorpusFormatError
from awase.core.records.abstract import (
    AbstractSentence,
    Alignment,
    AlignmentState,
    GoldEntry,
    SentenceAlignment,
)
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.resplitting import resplit

CONFIRMED, INCOMPLETE = AlignmentState.CONFIRMED, AlignmentState.INCOMPLETE


def topic() -> Topic:
    own = abstract(
        "a", {"x": "s1|s2&e:1|e:2; e:1"}, ranks="BA", texts=("The first one.", "The second one.")
    )
    docs = {"d": ("One.", "Two."), "e": ("Three. Four.", "Five.")}
    return building.topic(docs=docs, abstracts=[own], outputs=[extract("s", "e:1 s2 s1")])


def entries_of(changed: Topic):
    return changed.abstracts[0].alignments[0].sentences


def test_that_uses_are_counted():
    uses = content.uses_of(topic(), frozenset(refs("e:1 e:2")))
    assert (uses.n_links, uses.n_alternatives, uses.n_extract_members) == (3, 3, 1)
    assert uses.is_any
    assert not content.uses_of(topic(), frozenset(refs(9))).is_any
    assert content.uses_of(replace(topic(), abstracts=()), frozenset(refs(1))).is_any  # by extracts
    (own,) = topic().abstracts
    decided = (GoldEntry(entry=own.alignments[0].sentences[0]),)
    with_gold = replace(topic(), abstracts=(replace(own, gold=decided),))
    assert content.uses_of(with_gold, frozenset(refs("e:1 e:2"))).n_links > uses.n_links


def test_that_an_alternative_that_loses_a_member_goes_as_a_whole():
    one, two = entries_of(content.without_document(topic(), "d"))
    assert one.alternatives == alternatives("e:2")
    assert one.state is INCOMPLETE
    assert two == entries_of(topic())[1]
    assert content.without_document(topic(), "d").outputs[0].sentences == refs("e:1")


def test_that_an_entry_without_alternatives_is_to_do_again_unless_it_is_flagged():
    gone = content.without_document(topic(), "e")
    assert entries_of(gone)[1].state is AlignmentState.TODO
    flagged = replace(topic().abstracts[0], alignments=(alignment("x", "; !e:1"),))
    gone = content.without_document(replace(topic(), abstracts=(flagged,)), "e")
    assert entries_of(gone)[1].state is AlignmentState.FLAGGED


def resplit_text(document_id: str, *texts: str) -> Topic:
    before = topic()
    document = next(part for part in before.documents if part.id == document_id)
    found = resplit([(s.n, s.text) for s in document.sentences], texts)
    sentences = tuple(SourceSentence(n=n, text=text) for n, text in found.sentences)
    return content.with_replaced_document(
        before,
        replace(document, sentences=sentences),
        content.carried_in(document_id, found),
        content.recut_in(document_id, found),
    )


def test_that_a_link_to_a_cut_sentence_names_all_its_parts():
    one, two = entries_of(resplit_text("e", "Three.", "Four.", "Five."))
    assert one.alternatives == alternatives("s1|s2&e:1&e:3|e:2")
    assert two.alternatives == alternatives("e:1&e:3")
    assert one.state is two.state is INCOMPLETE
    changed = resplit_text("e", "Three.", "Four.", "Five.")
    assert changed.outputs[0].sentences == refs("e:1 e:3 s2 s1")


def test_that_links_to_joined_sentences_name_the_one_that_has_both():
    changed = resplit_text("d", "One. Two.")
    one, two = entries_of(changed)
    assert one.alternatives == alternatives("s1|s1&e:1|e:2")
    assert (one.state, two.state) == (INCOMPLETE, CONFIRMED)


def test_that_a_split_that_forgets_a_linked_sentence_is_refused():
    before = topic()
    shorter = replace(before.documents[0], sentences=before.documents[0].sentences[:1])
    with pytest.raises(CorpusFormatError, match="no sentence"):
        content.with_replaced_document(before, shorter, {})


def test_that_alignments_go_from_the_abstracts_that_are_meant():
    abstracts = [abstract(id, {"x": "s1", "y": "s1"}) for id in "ab"]
    made = building.corpus(building.topic("t", docs=1, abstracts=abstracts))
    (after,) = content.without_alignments(made, "x", (), ["a"]).topics
    assert [[one.annotator for one in part.alignments] for part in after.abstracts] == [
        ["y"], ["x", "y"],
    ]  # fmt: skip


def test_that_edits_are_none_where_nothing_differs():
    before = topic()
    assert content.topic_edit(before, before, verb=content.EDIT_TOPIC) is None
    assert content.source_text_edit(before, ref(1), "One.") is None
    assert content.source_text_edit(before, ref(9), "x") is None
    assert content.abstract_text_edit("t", before.abstracts[0], 1, "The first one.") is None
    assert content.abstract_text_edit("t", before.abstracts[0], 9, "x") is None


def test_that_texts_are_edited_in_place():
    before = topic()
    edits = (
        content.source_text_edit(before, ref("e:2"), "5."),
        content.abstract_text_edit("t", before.abstracts[0], 2, "2."),
    )
    after = before
    for edit in edits:
        after = topic_after(after, edit)
    assert after.documents[1].sentences[1] == SourceSentence(n=2, text="5.")
    assert after.abstracts[0].sentences[1] == AbstractSentence(n=2, text="2.", rank="A")
    for edit in reversed(edits):
        assert edit.subject
        after = topic_after(after, edit.inverse())
    assert after == before


def test_that_a_document_joins_and_a_second_of_its_name_is_refused():
    joined = content.with_document(topic(), Document(id="f"))
    assert [part.id for part in joined.documents] == ["d", "e", "f"]
    with pytest.raises(CorpusFormatError, match="appears twice"):
        content.with_document(topic(), Document(id="d"))


@settings(max_examples=tries(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    one=strategies.topics(topic_ids=st.just("t")), other=strategies.topics(topic_ids=st.just("t"))
)
def test_that_an_edit_makes_one_topic_of_another_and_its_inverse_the_first_again(one, other):
    edit = content.topic_edit(one, other, verb=content.EDIT_TOPIC)
    if edit is not None:
        assert topic_after(one, edit) == other
        assert topic_after(other, edit.inverse()) == one


# Abstracts


def test_that_sentences_that_stay_keep_number_rank_and_entry():
    before = topic().abstracts[0]
    found = rewritten(before, ("New.", "The second one.", "The first one."))
    assert [(s.n, s.rank) for s in found.abstract.sentences] == [(3, None), (2, "A"), (1, "B")]
    assert set(found.abstract.alignments[0].sentences) == set(before.alignments[0].sentences)
    assert not found.resplit.gone()
    (turned,) = rewritten(before, ("The second one.", "The first one.")).abstract.alignments
    assert [one.n for one in turned.sentences] == [1, 2]


def test_that_the_first_part_of_a_cut_sentence_keeps_the_links_for_review():
    before = topic().abstracts[0]
    found = rewritten(before, ("The first", "one.", "The second one."))
    assert [(s.n, s.rank) for s in found.abstract.sentences] == [(1, "B"), (3, "B"), (2, "A")]
    own = found.abstract.alignments[0]
    assert own.of_sentence(1) == replace(before.alignments[0].sentences[0], state=INCOMPLETE)
    assert own.of_sentence(3) == SentenceAlignment(n=3)


def test_that_joined_sentences_need_the_sources_of_both():
    found = rewritten(topic().abstracts[0], ("The first one. The second one.",))
    (joined,) = found.abstract.alignments[0].sentences
    assert joined.alternatives == alternatives("s1&e:1|s2&e:1|e:2&e:1")
    assert joined.state is INCOMPLETE
    assert [(s.n, s.rank) for s in found.abstract.sentences] == [(1, "B")]
    half = abstract("a", texts=("The first one.", "The second one."), ranks=(None, "A"))
    (ranked,) = rewritten(half, ("The first one. The second one.",)).abstract.sentences
    assert ranked.rank == "A"


@in_turn(("one", "other", "joined"), [("-", "-", "-"), ("-", "!", "!"), ("", "-", "")])
def test_that_states_and_notes_of_joined_sentences_are_put_together(one, other, joined):
    for notes, both in ((("a", "b"), "a / b"), (("a", "a"), "a")):
        entries = (entry(1, one, note=notes[0]), entry(2, other, note=notes[1]))
        entries = (entries[0], replace(entries[1], rank="C"))
        own = Alignment(annotator="x", sentences=entries)
        before = replace(topic().abstracts[0], alignments=(own,))
        found = rewritten(before, ("The first one. The second one.",))
        expected = replace(entry(1, joined, note=both), rank="C")
        assert found.abstract.alignments[0].sentences == (expected,)


def test_that_sentences_that_go_with_work_on_them_are_named():
    found = rewritten(topic().abstracts[0], ("The second one.",))
    assert found.worked_on & {*found.resplit.gone()} == {1}
    own = topic().abstracts[0]
    decided = (GoldEntry(entry=own.alignments[0].sentences[0]),)
    alone = replace(own, alignments=(), gold=decided)
    assert rewritten(alone, ("The second one.",)).worked_on == {1}
    decided = tuple(
        GoldEntry(entry=one, decided_by=str(one.n)) for one in own.alignments[0].sentences
    )
    (kept,) = rewritten(
        replace(own, gold=decided), ("The first one. The second one.",)
    ).abstract.gold
    assert kept.decided_by == "1"
    assert [one.n for one in found.abstract.alignments[0].sentences] == [2]
    assert rewritten(topic().abstracts[0], ()).abstract.alignments == ()
    three = abstract("a", {"x": "s1;s2;s1"}, texts=("It rained.", "A boat sank.", "All swam."))
    (turned,) = rewritten(three, ("All swam.", "It rained.")).abstract.alignments
    assert [one.n for one in turned.sentences] == [3, 1]
