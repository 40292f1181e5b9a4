from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import agreement as slow

from awase.core.annotation.formula import Numbering, absorbed_alternatives
from awase.core.records.alignment import Alternative
from awase.core.records.identifiers import SentenceRef

alternatives = st.lists(
    st.lists(st.integers(1, 5).map(lambda n: SentenceRef("d", n)), min_size=1, max_size=3).map(
        lambda refs: Alternative(tuple(refs))
    ),
    max_size=5,
)


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
