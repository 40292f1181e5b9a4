from hypothesis import given
from hypothesis import strategies as st

from awase.core.errors import Problem
from awase.core.formats.duc.pyramid_xml import PlacedText


def squeezed(text):
    return "".join(text.split())


@given(st.text("ab \n", max_size=12), st.text("ab \n", min_size=1, max_size=3), st.integers(0, 14))
def test_that_no_place_with_the_words_is_nearer(text, label, start):
    found = PlacedText(text).find(label, str(start), str(start + len(label)))
    wanted = squeezed(label)
    spans = [
        (first, last)
        for first in range(len(text))
        for last in range(first + 1, len(text) + 1)
        if squeezed(text[first:last]) == wanted != ""
        and not text[first].isspace()
        and not text[last - 1].isspace()
    ]
    if not spans:
        assert isinstance(found, Problem) or found.problem is not None or not wanted
        return
    assert squeezed(text[found.start : found.end]) == wanted
    if found.problem is None:
        assert (found.start, found.end) == (start, start + len(label))
    else:
        letters_before = len(squeezed(text[:start]))
        distances = [abs(len(squeezed(text[:first])) - letters_before) for first, _ in spans]
        distance = abs(len(squeezed(text[: found.start])) - letters_before)
        assert distance == min(distances)
        assert (found.start, found.end) in spans


def test_that_offsets_count_characters_not_bytes_or_halves():
    text = PlacedText("😀犬が 走った")
    place = text.find("犬が走った", "1", "7")
    assert (place.start, place.end, place.problem) == (1, 7, None)
