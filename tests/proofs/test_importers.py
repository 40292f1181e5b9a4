"""Damaged files of every format; `make proof-importers` tries 100,000."""

import pytest

from awase.core.formats.registry import FORMATS
from tests.proofs.importers import Input, outcome, run
from tests.proofs.seeds import seeds

PAST_FINDINGS = {
    "an Arrow stream with a negative length": Input(
        format_id="hf-dataset", data={"data-00000-of-00001.arrow": b"\xff\xfe\xfd\xff" + bytes(20)}
    ),
    "a number without an end among FAR's": Input(
        format_id="far", data=b'{"topics": [{"topic": "n", "sentences": ["A."], "abstract": '
        b'[{"id": 1e400, "text": "B.", "alternatives": [[0]]}], "extracts": {"lead": [0]}}]}',
    ),
}  # fmt: skip
"""Inputs that once were a traceback. Their numbers would be others' with the next format."""


def test_that_every_format_has_a_sound_seed():
    assert seeds().keys() == {entry.id for entry in FORMATS.values() if entry.reads}
    for format_id, found in seeds().items():
        assert found, f"{format_id}: add a sound file to tests/proofs/seeds.py"
        for seed in found:
            joins = format_id not in ("awase-json", "duc-scores")
            assert outcome(Input(format_id=format_id, data=seed, joins=joins)) == "read", seed


@pytest.mark.parametrize("name", PAST_FINDINGS)
def test_that_what_was_found_once_is_mended(name):
    assert outcome(PAST_FINDINGS[name]) == "refused"


@pytest.mark.slow
def test_that_damaged_files_are_read_or_refused_in_words():
    counts = run(300)
    assert counts.total() == 300
    assert min(counts["read"], counts["refused"]) > 30


@pytest.mark.slow
def test_that_thousands_of_damaged_files_are_read_or_refused_in_words():
    assert run(5000, first=300).total() == 5000
