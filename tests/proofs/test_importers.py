"""Damaged files of every format; `make proof-importers` tries 100,000."""

import pytest

from awase.core.formats.registry import FORMATS
from tests.proofs.importers import Input, made, outcome, run
from tests.proofs.seeds import seeds

PAST_FINDINGS: dict[int, str] = {
    47: "an Arrow stream with a negative length was a traceback",
    3149: "a number without an end among FAR's was a traceback",
}
"""Numbers of inputs that once broke a promise, and how."""


def test_that_every_format_has_a_sound_seed():
    assert seeds().keys() == {entry.id for entry in FORMATS.values() if entry.reads}
    for format_id, found in seeds().items():
        assert found
        for seed in found:
            joins = format_id not in ("awase-json", "duc-scores")
            assert outcome(Input(format_id=format_id, data=seed, joins=joins)) == "read", seed


@pytest.mark.parametrize("number", PAST_FINDINGS)
def test_that_what_was_found_once_is_mended(number):
    outcome(made(number))


def test_that_damaged_files_are_read_or_refused_in_words():
    counts = run(300)
    assert counts.total() == 300
    assert min(counts["read"], counts["refused"]) > 30


@pytest.mark.slow
def test_that_thousands_of_damaged_files_are_read_or_refused_in_words():
    assert run(5000, first=300).total() == 5000
