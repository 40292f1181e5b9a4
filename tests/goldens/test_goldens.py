"""What the program prints, writes and stores is, to the byte, what it was when it was recorded."""

from functools import partial

import pytest
from tests.goldens.cases import CASES, SLOW, lines_of
from tests.goldens.conftest import DECIDING, HERE, MADE_WITH, RECORDED
from tests.goldens.recording import first_difference, kept, tables_of, transcript
from tests.in_part import in_part
from tests.models_made_up import WordByWord

from awase.core.language import models

STORING = ("score/keep", "find/extract-into", "import/awase-json", "import/alignment-table")
"""Cases of which the tables of the corpus are recorded, too."""


BY_LETTERS = partial(WordByWord, lambda word: (1, len(word), ord(word[0]) % 7))
"""An encoder that needs no model: how long a word is, and its first letter."""


@pytest.mark.parametrize("case", in_part(CASES, by_default=lambda case: case not in SLOW))
def test_that_outputs_are_those_recorded(case, run, golden, folder, monkeypatch):
    monkeypatch.setattr(models, "open_encoder", BY_LETTERS)
    outputs = {}
    for line in lines_of(case):
        for heading, text in run(line).items():
            outputs[heading if heading not in outputs else f"{heading} ({len(outputs)})"] = text
    if case in STORING:
        for corpus in folder.glob("*.awase"):
            tables = tables_of(corpus)
            outputs |= {f"table {name} of {corpus.name}": text for name, text in tables.items()}
    golden(case, outputs)


def test_that_nothing_is_recorded_that_no_case_makes():
    names = {path.relative_to(RECORDED).with_suffix("").as_posix() for path in RECORDED.rglob("*")
             if path.parent not in (RECORDED, RECORDED / "window") and path.is_file()}  # fmt: skip
    assert names - {*CASES} == {"sessions/annotating"}  # tests/gui/test_recorded_words.py: window


def test_that_goldens_are_recorded_with_the_versions_the_project_is_tested_with():
    pinned = {
        line.partition("==")[0].lower().replace("_", "-"): line.partition("==")[2]
        for line in (HERE.parents[1] / "constraints.txt").read_text("utf-8").splitlines()
        if "==" in line
    }
    made_with = dict(line.split() for line in MADE_WITH.read_text("utf-8").splitlines()[1:])
    assert made_with == {package: pinned[package.lower()] for package in DECIDING}


def test_that_a_difference_is_told_with_its_place():
    short, long = "a\nb\n", "".join(f"{n}\n" for n in range(5000))
    recorded = transcript({"x": short, "y": long})
    assert "line 3 was\n  b\nand is\n  c\n" in first_difference(
        recorded, {"x": "a\nc\n", "y": long}
    )
    changed = long.replace("4321\n", "4320\n")
    assert len(kept(long)) < 700
    told = first_difference(recorded, {"x": short, "y": changed})
    assert "4320\n4320\n" in told
