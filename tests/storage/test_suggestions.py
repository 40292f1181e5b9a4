"""What was suggested is kept beside the log, and leaves everything else as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.annotation import actions
from awase.core.annotation.actions import as_confirmed, with_accepted, with_toggled
from awase.core.errors import InputError
from awase.core.records.abstract import (
    AlignmentState,
    Alternative,
    AssistOrigin,
    AssistSettings,
    GoldEntry,
    SentenceAlignment,
)
from awase.core.records.json_values import entry_of, entry_value
from tests.in_part import in_turn
from tests.storage.sample import REFS

FAMILY = (Alternative(REFS[:1]), Alternative(REFS[1:3]))


@in_turn("wrong", [{"level": 5}, {"level": -1}, {"control_percent": 95}])
def test_that_settings_out_of_range_are_refused(wrong):
    with pytest.raises(InputError, match="It goes from 0 to"):
        AssistSettings(**wrong)


@given(st.lists(st.sampled_from(["take", "link", "confirm", "refuse", "none", "flag"]), max_size=8))
def test_that_an_entry_remembers_what_became_of_a_suggestion(steps):
    entry, expected = SentenceAlignment(n=1), None
    for step in steps:
        before = entry
        if step == "take":
            entry = with_accepted(entry, FAMILY)
            expected = AssistOrigin.TAKEN if entry != before else expected
        elif step == "link":
            entry = with_toggled(entry, 99, REFS[3]) if len(entry.alternatives) < 5 else entry
            if entry != before and expected is AssistOrigin.TAKEN:
                expected = AssistOrigin.CHANGED
        elif step in ("confirm", "refuse"):
            entry = as_confirmed(entry, is_refusal=step == "refuse")
            if entry != before and step == "refuse":
                expected = expected or AssistOrigin.REFUSED
        elif step == "flag":
            entry = actions.with_flag_toggled(entry)
        else:
            entry = actions.as_no_source(entry)
            if before.state is not AlignmentState.NO_SOURCE and expected is AssistOrigin.TAKEN:
                expected = AssistOrigin.CHANGED
        assert entry.assist is expected
        assert entry_of(entry_value(entry)) == entry
        assert GoldEntry(entry=entry).entry.assist is None
