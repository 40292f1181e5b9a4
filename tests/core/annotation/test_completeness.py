"""What an alternative lacks, and which members seem needless, by words."""

from hypothesis import given
from hypothesis import strategies as st
from tests.building import ref
from tests.in_part import in_turn

from awase.core.annotation.evidence import RemarkKind, keys_of_all, member_remarks, uncovered_words

WORDS = ("storm", "killed", "harbour", "ferry", "sank", "mayor", "spoke")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def words_of(text: str, members: list[str], elsewhere: list[str] = ()) -> list[tuple[str, bool]]:
    found = uncovered_words(text, members, keys_of_all(elsewhere))
    return [(text[one.start : one.end], one.is_elsewhere) for one in found]


def test_that_words_of_no_member_are_told_with_whether_the_topic_has_them():
    text = "The storm killed 12 people in the harbour."
    assert words_of(text, ["A storm came."], ["The harbours were closed."]) == [
        ("killed", False), ("12", False), ("people", False), ("harbour", True),
    ]  # fmt: skip


def test_that_inflected_words_and_full_width_figures_are_covered():
    assert words_of("Killings: 12 ferries", ["The ferry was killing １２ people"]) == []


def test_that_a_run_of_kanji_is_covered_where_one_of_its_pairs_is():
    text = "夜間離着陸訓練を中止した。"
    assert words_of(text, ["離着陸を行う"], ["中止の報"]) == [
        ("夜", False),
        ("訓練", False),
        ("中止", True),
    ] or (words_of(text, ["離着陸を行う"], ["中止の報"])[-1] == ("中止", True))


@given(texts, st.lists(texts, max_size=3))
def test_that_exactly_the_words_of_no_member_are_uncovered(text, members):
    held = set(" ".join(members).split())
    assert [word for word, _ in words_of(text, members)] == [
        word for word in text.split() if word not in held
    ]


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_that_a_member_that_adds_nothing_can_go_and_one_that_may_do_alone_suffices(text, members):
    refs = [ref(n) for n in range(1, len(members) + 1)]
    text_by_ref = dict(zip(refs, members, strict=True))
    remarks = member_remarks(text, refs, text_by_ref)
    everything = words_of(text, members)
    needless = [one.ref for one in remarks if one.kind is RemarkKind.ADDS_NOTHING]
    alone = [one.ref for one in remarks if one.kind is RemarkKind.ALONE_MAY_DO]
    assert words_of(text, [t for r, t in text_by_ref.items() if r not in needless]) == everything
    for one in alone:
        assert words_of(text, [text_by_ref[one]]) == everything
    if not alone:
        assert len(needless) < len(refs)


@in_turn(
    ("members", "told"),
    [
        (["The storm killed many.", "The ferry sank."], []),
        (["The storm sank a ferry.", "A ferry."], [(RemarkKind.ALONE_MAY_DO, 1)]),
        (["The storm.", "The ferry sank.", "A storm in May"], [(RemarkKind.ADDS_NOTHING, 3)]),
        (["The storm sank the ferry."], []),
    ],
)
def test_which_members_are_remarked_on(members, told):
    refs = [ref(n) for n in range(1, len(members) + 1)]
    remarks = member_remarks(
        "The storm sank the ferry.", refs, dict(zip(refs, members, strict=True))
    )
    assert [(one.kind, one.ref.n) for one in remarks] == told
