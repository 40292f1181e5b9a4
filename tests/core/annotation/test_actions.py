from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.building import alignment, refs
from tests.in_part import in_turn
from tests.oracles import agreement as slow
from tests.verbs import ids_in

from awase.core.annotation import actions
from awase.core.annotation.actions import next_unsettled, topic_after
from awase.core.annotation.formula import Numbering, absorbed_alternatives
from awase.core.annotation.visibility import seen_by
from awase.core.records.abstract import (
    Abstract,
    Alignment,
    AlignmentState,
    Alternative,
    AssistOrigin,
    GoldEntry,
    SentenceAlignment,
)
from awase.core.records.corpus import Assignment, Person
from awase.core.records.edits import AlignmentEdit, GoldEdit
from awase.core.records.source import SentenceRef
from awase.core.records.topic import HumanScore

S = [SentenceRef("d", n) for n in range(7)]
TODO = SentenceAlignment(n=1)


def entry(row, note=None):
    return building.entry(1, row, note=note)


def members(result):
    return [[ref.n for ref in alternative.members] for alternative in result.alternatives]


@in_turn(
    ("before", "at", "n", "after"),
    [
        (TODO, 0, 1, entry("?1")),
        (entry("?1|2"), 1, 3, entry("?1|2&3")),
        (entry("?1"), 5, 1, entry("?1|1")),  # beyond the last alternative
        (entry("?1&2&3"), 0, 2, entry("?1&3")),
        (entry("?1|2"), 0, 1, entry("?2")),
        (entry("?1|2"), 1, 2, entry("?1")),
        (entry("?1"), 0, 1, TODO),
        (entry("1"), 0, 2, entry("?1&2")),
        (entry("?1"), 0, 2, entry("?1&2")),
        (entry("-"), 0, 1, entry("?1")),
        (entry("!1"), 0, 1, entry("!")),
    ],
)
def test_that_a_toggle_links_or_unlinks_where_the_annotator_stands(before, at, n, after):
    assert actions.with_toggled(before, at, S[n]) == after


def test_that_an_exchange_adds_an_alternative_with_another_sentence_for_the_last_one():
    assert members(actions.with_exchanged(entry("?1&2"), 0, S[3])) == [[1, 2], [1, 3]]
    assert members(actions.with_exchanged(entry("?1&2|4"), 0, S[3])) == [[1, 2], [4], [1, 3]]
    assert members(actions.with_exchanged(entry("?1|4&5"), 2, S[3])) == [[1], [4, 5], [4, 3]]
    assert members(actions.with_exchanged(TODO, 0, S[3])) == [[3]]


@in_turn("ref", [1, 2, 3])
def test_that_an_exchange_adds_nothing_that_is_there(ref):
    before = entry("?1&2|3&1")
    assert actions.with_exchanged(before, 0, S[ref]) is before


def test_that_only_members_of_an_alternative_are_linked_there_and_it_can_be_removed():
    assert actions.is_member(entry("?1|2"), 1, S[2])
    assert not actions.is_member(entry("?1|2"), 0, S[2])
    assert not actions.is_member(entry("?1"), 1, S[1])
    assert members(actions.without_alternative(entry("?1|2&3"), 1)) == [[1]]
    assert actions.without_alternative(entry("?1"), 1) == entry("?1")


def test_that_near_duplicates_make_every_variant_once():
    duplicates = {S[1]: (S[4],), S[2]: (S[5],)}
    result = actions.with_duplicates(entry("?1&2|4&2"), 0, lambda ref: duplicates.get(ref, ()))
    assert members(result) == [[1, 2], [4, 2], [1, 5], [4, 5]]


def test_that_variants_with_the_same_members_are_one():
    both = {S[1]: (S[3], S[4]), S[2]: (S[3], S[4])}
    result = actions.with_duplicates(entry("?1&2"), 0, lambda ref: both.get(ref, ()))
    found = [frozenset(one) for one in members(result)]
    assert len(found) == len({*found})
    assert {*found} == {frozenset({a, b}) for a in (1, 3, 4) for b in (2, 3, 4)}


def test_that_sentences_without_near_duplicates_change_nothing_and_variants_are_limited():
    start = entry("?1")
    assert actions.with_duplicates(start, 0, lambda ref: ()) is start
    assert actions.with_duplicates(start, 1, lambda ref: (S[4],)) is start
    many = tuple(SentenceRef("e", n) for n in range(1, 60))
    result = actions.with_duplicates(entry("?1"), 0, lambda ref: many)
    assert len(result.alternatives) == 1 + actions.MOST_DUPLICATES_AT_ONCE


def test_that_no_source_drops_alternatives_and_can_be_taken_back():
    taken = replace(entry("?1", note="?"), assist=AssistOrigin.TAKEN)
    marked = actions.as_no_source(taken)
    assert marked == replace(entry("-", note="?"), assist=AssistOrigin.CHANGED)
    assert actions.as_no_source(marked).state is AlignmentState.TODO


def test_that_only_a_sentence_with_alternatives_and_without_a_flag_is_confirmed():
    assert actions.as_confirmed(entry("?1")).state is AlignmentState.CONFIRMED
    for stays in (TODO, entry("1"), entry("!1")):
        assert actions.as_confirmed(stays) is stays


def test_that_a_refusal_is_recorded_where_nothing_was_taken():
    for assist, recorded in (
        (None, AssistOrigin.REFUSED),
        (AssistOrigin.TAKEN, AssistOrigin.TAKEN),
    ):
        before = replace(entry("?1"), assist=assist)
        assert actions.as_confirmed(before, is_refusal=True).assist is recorded
        assert actions.as_confirmed(before).assist is assist


def test_that_an_unflagged_sentence_is_as_far_as_its_alternatives():
    flagged = actions.with_flag_toggled(entry("1"))
    assert flagged.state is AlignmentState.FLAGGED
    assert actions.with_flag_toggled(flagged).state is AlignmentState.INCOMPLETE
    assert actions.with_flag_toggled(actions.with_flag_toggled(TODO)) == TODO


def test_that_a_blank_note_is_no_note():
    noted = actions.with_note(TODO, " look again ")
    assert noted.note == "look again"
    assert actions.with_note(noted, " \n") == TODO
    assert actions.with_note(noted, "look again") is noted


def abstract(*alignments, n_sentences=3):
    return replace(building.abstract(texts="t" * n_sentences), alignments=alignments)


def test_that_an_edit_holds_the_entry_before_and_after_and_is_none_where_both_are_the_same():
    old = entry("?1")
    own = Alignment(annotator="x", sentences=(old,))
    for made, before in ((abstract(own), old), (abstract(), TODO)):
        new = actions.with_toggled(before, 0, S[2])
        edit = actions.alignment_edit("t", made, "x", new, verb=actions.LINK, subject="d:2")
        assert edit == AlignmentEdit(
            verb="link", topic="t", abstract="a", annotator="x", old=before, new=new, subject="d:2"
        )
        assert actions.alignment_edit("t", made, "x", before, verb=actions.LINK) is None


def topic():
    other = Alignment(annotator="y", sentences=(SentenceAlignment(n=3),))
    return building.topic(docs=6, abstracts=[Abstract(id="b"), abstract(other)])


def test_that_an_edit_changes_its_entry_only():
    edits = []
    after = topic()
    for n in (2, 1):
        new = actions.with_toggled(SentenceAlignment(n=n), 0, S[n])
        own = after.abstract("a")
        edits.append(actions.alignment_edit("t", own, "x", new, verb=actions.LINK))
        after = topic_after(after, edits[-1])
    mine = after.abstract("a").alignment_by("x")
    assert [held.n for held in mine.sentences] == [1, 2]
    assert after.abstract("a").alignment_by("y") == topic().abstract("a").alignment_by("y")
    assert after.abstract("b") == Abstract(id="b")


def test_that_an_edit_of_a_rank_changes_the_sentence_and_is_none_when_given_again():
    edit = actions.rank_edit("t", abstract(), 2, "C")
    assert (edit.n, edit.old, edit.new) == (2, None, "C")
    assert actions.rank_edit("t", abstract(), 2, None) is None
    after = topic_after(topic(), edit)
    assert [sentence.rank for sentence in after.abstract("a").sentences] == [None, "C", None]
    assert topic_after(after, edit.inverse()) == topic()


@in_turn(
    ("rows", "n_sentences", "after", "following"),
    [
        (";s1", 3, 1, 3),
        (";s1", 3, 3, 1),
        (";s1", 3, 0, 1),
        ("!s1", 2, 0, 2),  # flagged ones come last
        ("!s1;-", 2, 0, 1),
        ("s1;-", 2, 1, None),
    ],
)
def test_that_the_next_unsettled_sentence_is_sought_forward_then_from_the_start(
    rows, n_sentences, after, following
):
    own = abstract(alignment("x", rows), n_sentences=n_sentences)
    assert next_unsettled(own, "x", after) == following


def test_that_verbs_are_distinct():
    verbs = ids_in(actions)
    assert len(verbs) > 10
    assert len({*verbs}) == len(verbs)


def test_that_an_annotator_whose_only_action_is_undone_has_no_alignment():
    abstract = next(abstract for abstract in topic().abstracts if abstract.sentences)
    begun = AlignmentEdit(
        verb=actions.FLAG,
        topic=topic().id,
        abstract=abstract.id,
        annotator="somebody new",
        old=SentenceAlignment(n=1),
        new=SentenceAlignment(n=1, state=AlignmentState.FLAGGED),
    )
    after = topic_after(topic(), begun)
    changed = after.abstract(abstract.id)
    assert changed is not None
    assert changed.alignment_by("somebody new") is not None
    assert topic_after(after, begun.inverse()) == topic()


def test_that_decisions_stand_in_the_order_of_the_abstract_and_the_others_stay():
    made = building.topic("t", abstracts=[building.abstract("a", texts=["x", "y"])])
    second, first = (GoldEntry(entry=SentenceAlignment(n=n)) for n in (2, 1))
    for decided in (second, first):
        edit = GoldEdit(verb="take", topic="t", abstract="a", n=decided.n, old=None, new=decided)
        made = topic_after(made, edit)
    assert made.abstracts[0].gold == (first, second)
    again = GoldEdit(verb="take", topic="t", abstract="a", n=1, old=first, new=None)
    assert topic_after(made, again).abstracts[0].gold == (second,)


def test_that_an_annotator_sees_the_topics_that_they_finished_and_no_scores_of_people():
    links = {"A": "s1", "B": "s2"}
    rest = (links | {"A": ";"}, {"B": "s2"})  # not finished, and not begun
    topics = [building.topic(id, links=of) for id, of in zip("tuv", (links, *rest), strict=True)]
    score = HumanScore(system="s", measure="m", value=1.0, topic="u")
    people = (Person(id="A", role="annotator"), Person(id="L", role="lead"))
    work = (Assignment(topic="u", person="A"),)
    made = replace(building.corpus(*topics, scores=[score]), persons=people, assignments=work)
    seen = seen_by(made, "A")
    assert seen == replace(made, topics=made.topics[:1], human_scores=(), assignments=())
    assert seen_by(replace(made, is_blind=True), "A").topics == ()
    assert seen_by(made, "L") is seen_by(made, "nobody") is made


members_of_one = st.lists(st.integers(1, 5), min_size=1, max_size=3)
alternatives = st.lists(members_of_one.map(lambda ns: Alternative(refs(*ns))), max_size=5)


@given(alternatives)
def test_that_what_is_kept_says_the_same_and_what_is_dropped_contains_it(given_):
    kept, dropped = absorbed_alternatives(given_)
    assert {one.as_set for one in kept} == slow.absorbed([one.as_set for one in given_])
    assert len(kept) + len(dropped) == len(given_)
    assert all(inner in kept and inner.as_set <= outer.as_set for outer, inner in dropped)
    assert [*kept] == [one for one in given_ if any(one is other for other in kept)]


def test_that_sentences_keep_their_numbers():
    numbering = Numbering()
    refs = [SentenceRef("d", 7), SentenceRef("e", 7)]
    mask = numbering.mask(refs)
    assert numbering.mask([refs[0]]) | numbering.mask([refs[1]]) == mask
    assert numbering.refs(mask) == tuple(refs)
    assert numbering.number(refs[1]) == 1
