import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.errors import CorpusFormatError
from awase.core.metrics.rouge.units import (
    BasicElement,
    BeMode,
    basic_element,
    basic_elements,
    be_counts,
    stemmed_element,
    units_of,
)
from awase.core.text.rouge_stemmer import RougeStemmer

FIELDS = st.sampled_from(["nil", "men", "killed", "police"])
ELEMENTS = st.lists(st.builds(BasicElement, FIELDS, FIELDS, FIELDS), max_size=8)
LINES = ["killed|NIL|NIL", "killed|police|subj", "killed|gunman|NIL"]


@in_turn(
    ("mode", "units"),
    [
        (BeMode.H, [("killed",)]),
        (BeMode.HM, [("killed", "police"), ("killed", "gunman")]),
        (BeMode.HMR, [("killed", "police", "subj")]),
        (BeMode.HM1, [("killed", "nil"), ("killed", "police"), ("killed", "gunman")]),
        (BeMode.HMR1, [("killed", "police", "subj"), ("killed", "gunman", "nil")]),
        (
            BeMode.HMR2,
            [("killed", "nil", "nil"), ("killed", "police", "subj"), ("killed", "gunman", "nil")],
        ),
    ],
)
def test_that_a_mode_chooses_parts_of_elements(mode, units):
    assert units_of(basic_elements(LINES), mode) == units


@given(ELEMENTS, ELEMENTS, st.sampled_from(BeMode))
def test_that_matches_are_clipped_and_mirror_each_other(peer, model, mode):
    forth, back = be_counts([peer], [model], mode), be_counts([model], [peer], mode)
    assert forth.hits.item() == back.hits.item() <= min(forth.models.item(), forth.peers.item())
    itself = be_counts([peer], [peer], mode)
    assert itself.hits.item() == itself.models.item()


def test_that_every_word_of_a_field_over_three_letters_is_stemmed():
    element = stemmed_element(BasicElement(" the men", "men", "running"), RougeStemmer())
    assert element == (" the man", "men", "running")


@in_turn("line", ["", "a|b", "a|b|", "a|b|c|d"])
def test_that_a_line_without_three_fields_is_refused(line):
    with pytest.raises(CorpusFormatError, match="HEAD"):
        basic_element(line)


def test_that_every_bad_line_is_told_with_its_number():
    with pytest.raises(CorpusFormatError) as caught:
        basic_elements(["a|b", "a|b|c", ""], source="be.txt")
    found = [(problem.source, problem.line) for problem in caught.value.problems]
    assert found == [("be.txt", 1), ("be.txt", 3)]
