"""Long texts are cut around the words that matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.gui.kit.look.rows import clamped


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["storm", "a", "harbour", "x"]), min_size=1, max_size=40), st.data()
)
def test_that_what_is_shown_fits_and_marks_the_same_words(words, data):
    text = " ".join(words)
    spans, at = [], 0
    for word in words:
        if word in ("storm", "harbour"):
            spans.append((at, at + len(word)))
        at += len(word) + 1
    size = data.draw(st.integers(12, 80))
    shown, moved = clamped(text, spans, size, lambda one: len(one) <= size)
    assert len(shown) <= size or shown == text
    for start, end in moved:
        assert shown[start:end]
        assert any(text[a:b].startswith(shown[start:end].rstrip("…")) for a, b in spans)
    if len(text) <= size:
        assert (shown, moved) == (text, tuple(spans))
    elif any(b - a + 2 + 12 <= size for a, b in spans):
        assert moved


def test_that_the_part_with_most_matches_is_shown():
    text = "storm " + "blah " * 30 + "the ferry sank in the harbour."
    spans = [(0, 5), (text.index("ferry"), text.index("ferry") + 5),
             (text.index("harbour"), text.index("harbour") + 7)]  # fmt: skip
    shown, moved = clamped(text, spans, 50, lambda one: len(one) <= 50)
    assert shown.startswith("…")
    assert [shown[a:b] for a, b in moved] == ["ferry", "harbour"]
