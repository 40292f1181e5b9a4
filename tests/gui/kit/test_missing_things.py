"""The window says where it takes what is missing."""

import pytest
from tests.in_part import in_turn

from awase.core.errors import Missing, Problem
from awase.gui.kit.i18n import hint_of, set_language


@pytest.mark.parametrize("language", ["en", "ja"])
@in_turn("missing", list(Missing))
def test_that_a_hint_says_how_to_give_what_is_missing(missing, language):
    set_language(language)
    hints = [
        hint_of(Problem(what="x", fields=fields)) for fields in ({}, {"missing": missing.value})
    ]
    assert hints[0] == ""
    assert len(hints[1]) > 10
    has_kana = any("\u3040" <= char <= "\u30ff" for char in hints[1])
    assert has_kana == (language == "ja")
