"""JSON that is stored: the same whichever way it was made."""

import json

from hypothesis import given
from hypothesis import strategies as st

from awase.core.records.encoding.json_values import dumps
from awase.core.records.identifiers import id_problems, is_usable_id

_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.text(st.characters()), max_size=5) | _ANYTHING)
def test_that_compact_json_is_as_the_encoder_has_it(value):
    assert dumps(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(st.text(st.sampled_from("a \n\x7f\ud800\u2028"), max_size=3))
def test_that_an_id_is_usable_when_nothing_is_wrong_with_it(value):
    assert is_usable_id(value) == (not [*id_problems(value, "id")])
