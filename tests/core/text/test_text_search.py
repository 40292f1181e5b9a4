from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.text.script import folded, spans_of


@in_turn(
    ("text", "needle", "found"),
    [
        ("The Dog saw the dog.", "DOG", ["Dog", "dog"]),
        ("職業訓練を受けた。訓練は続く。", "訓練", ["訓練", "訓練"]),
        ("ＮＴＴは１０日", "ntt", ["ＮＴＴ"]),
        ("ＮＴＴは１０日", "10日", ["１０日"]),
        ("ｶﾞｲﾄﾞ付き", "ガイド", ["ｶﾞｲﾄﾞ"]),
        ("か\u3099く", "がく", ["か\u3099く"]),
        ("㈱合わせ", "(株)", ["㈱"]),
        ("Straße", "STRASSE", ["Straße"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("葛\U000e0100城市と☎\ufe0f03", "葛城", ["葛\U000e0100城"]),
        ("１０〜２０、−３", "10～20", ["１０〜２０"]),
        ("１０〜２０、−３", "－３", ["−３"]),
        ("犬", "猫", []),
        ("犬", "", []),
        ("", "犬", []),
    ],
)
def test_that_words_are_found_whatever_their_width_and_case(text, needle, found):
    spans = spans_of(text, folded(needle))
    assert [text[start:end] for start, end in spans] == found


@given(st.text(alphabet="aAｱﾞがか\u3099１①ß犬 ", max_size=12), st.text(max_size=3))
def test_that_spans_are_in_order_and_inside_the_text(text, needle):
    spans = spans_of(text, folded(needle))
    flat = [at for span in spans for at in span]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert bool(spans) == (bool(needle) and folded(needle) in folded(text))
