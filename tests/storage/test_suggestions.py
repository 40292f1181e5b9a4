"""What was suggested is kept beside the log, and leaves everything else as it was."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.annotation import actions
from awase.core.annotation.actions import as_confirmed, with_accepted, with_toggled
from awase.core.errors import InputError
from awase.core.formats.awase_json.corpus import read
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.records.abstract import (
    Alignment,
    AlignmentState,
    Alternative,
    AssistOrigin,
    AssistSettings,
    GoldEntry,
    SentenceAlignment,
    ShownSuggestion,
)
from awase.core.records.addition import AlignmentPart, merge
from awase.core.records.corpus import Corpus
from awase.core.records.json_values import entry_of, entry_value
from tests.in_part import in_turn
from tests.storage.sample import LINKED, REFS, addition
from tests.written import as_json

FAMILY = (Alternative(REFS[:1]), Alternative(REFS[1:3]))
SHOWN = ShownSuggestion(
    kind="family", family=(("d:1:3",),), confidence=0.93, source="lexical-family", model="1",
    shown_ms=1200,
)  # fmt: skip


def test_that_settings_and_origins_survive_awase_json():
    settings = AssistSettings(level=4, control_percent=20, seed=9, weights="{}")
    entry = replace(LINKED, assist=AssistOrigin.CHANGED)
    own = Alignment(annotator="ann", sentences=(entry,))
    part = AlignmentPart(topic="t1", abstract="long", alignment=own)
    corpus = merge(Corpus(), replace(addition(), alignments=(part,), assist=settings))
    text = as_json(WriteRequest(corpus=corpus))
    again = read(ReadRequest(text=text, source="x")).addition
    assert again.assist == settings
    assert again.topics[0].abstracts[0].alignments[0].sentences[0].assist is AssistOrigin.CHANGED
    usual = replace(corpus, assist=AssistSettings(), topics=addition().topics)
    assert "assist" not in as_json(WriteRequest(corpus=usual))


@in_turn("wrong", [{"level": 5}, {"level": -1}, {"control_percent": 95}])
def test_that_settings_out_of_range_are_refused(wrong):
    with pytest.raises(InputError, match="It goes from 0 to"):
        AssistSettings(**wrong)


def test_that_an_unknown_origin_in_awase_json_is_told():
    text = (
        '{"awase": 1, "topics": [{"id": "t", "documents": [], "abstracts": [{"id": "a", "sentences"'
        ': ["x"], "alignments": [{"sentences": [{"n": 1, "assist": "robot"}]}]}]}]}'
    )
    with pytest.raises(InputError, match="not what can become of a suggestion"):
        read(ReadRequest(text=text, source="x"))


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


def test_that_a_corpus_keeps_its_own_settings_when_something_is_joined():
    own = Corpus(assist=AssistSettings(level=1))
    assert merge(own, replace(addition(), assist=AssistSettings(level=4))).assist.level == 1
    assert merge(Corpus(), replace(addition(), assist=AssistSettings(level=4))).assist.level == 4
