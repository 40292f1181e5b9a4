"""What the program prints, writes and stores is, to the byte, what it was when it was recorded."""

import json
import re
from functools import partial

import pytest
from tests.core.formats.reading import imported, read, read_into
from tests.goldens.cases import CASES, SLOW, lines_of
from tests.goldens.conftest import DECIDING, HERE, MADE_WITH, RECORDED
from tests.goldens.recording import first_difference, kept, tables_of, transcript
from tests.in_part import in_part
from tests.models_made_up import WordByWord
from tests.written import write_files

from awase.core.errors import InputError, Silent
from awase.core.language import models
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.plots.axis import ScaleMark, scale
from awase.core.plots.charts import Bar, HeatScale, Point, bars, dots, heat, scatter
from awase.core.plots.picture import DrawnTree, TreeLink, svg, tree_pair

STORING = (
    "score/keep",
    "find/extract-into",
    "import/awase-json",
    "import/alignment-table",
    "forms/project",
)
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


WRONG = HERE / "inputs" / "wrong"


def test_that_what_is_wrong_in_files_of_each_format_is_told_as_recorded(golden_everywhere):
    """A line of `files.jsonl` is a format, a text or the files of a folder, and settings.

    «x×9» is nine times x.
    """
    told = {}
    for number, line in enumerate((WRONG / "files.jsonl").read_text("utf-8").splitlines(), start=1):
        format_id, text, settings = json.loads(line)
        heading = " ".join((f"{number} {format_id}", *map(str, settings.values())))
        if "corpus" in settings:
            name = f"{settings['corpus']}.json"
            settings["corpus"] = read_into("awase-json", (WRONG / name).read_text("utf-8"))
        try:
            if isinstance(text, str):
                problems = read(format_id, _whole(text), **settings).warnings
            else:
                problems = imported(format_id, text, **settings).warnings
            kind = "accepted"
        except InputError as error:
            problems, kind = error.problems, "refused"
        told[f"{heading} {kind}: {text!r}"] = "".join(f"{one}\n" for one in problems)
    golden_everywhere("wrong-files", told)


def _whole(text: str) -> str:
    return re.sub(r"«([^«»]+)×(\d+)»", lambda found: found[1] * int(found[2]), text)


def test_that_what_is_wrong_in_a_request_of_a_metric_is_told_as_recorded(golden_everywhere):
    """A line of `requests.txt` is a request."""
    corpus = read_into("awase-json", (HERE / "inputs" / "small.json").read_text("utf-8"))
    told = {}
    for number, line in enumerate((WRONG / "requests.txt").read_text("utf-8").splitlines(), 1):
        with pytest.raises(InputError) as refused:
            score_corpus(corpus, requests_of([_whole(line)]), Silent())
        told[f"{number} {line!r}"] = f"{refused.value}\n"
    golden_everywhere("wrong-requests", told)


def test_that_what_commands_make_of_odd_files_is_told_as_recorded(run, folder, golden_everywhere):
    """A line of `commands.jsonl` is a command line, and the files that it is about."""
    told = {}
    for line in (WRONG / "commands.jsonl").read_text("utf-8").splitlines():
        command, files = json.loads(_whole(line))
        write_files(folder, files)
        told |= {f"{command}: {heading}": text for heading, text in run(command).items()}
    golden_everywhere("odd-files", told)


LONG = "a system with a long name, part 1"
SPREAD = Bar(label=LONG, value=-0.25, low=-0.5, high=0.125)
ROWS = [SPREAD, Bar(label="b<&", value=0.5, mark="*"), Bar(label="c", value=None, mark="*")]
AXES = {"title": "A & B, by topic", "axis_title": "mean, over topics"}
WORDS = ("He", "ran", "interminable-interminably", "off")
TREES = (
    DrawnTree(title="Left", words=WORDS, heads=(2, 0, 2, 3), marked={1, 2}),
    DrawnTree(title="Right, longer", words=WORDS[:3][::-1], heads=(0, 1, 1)),
)
PICTURES = {
    "bars": bars(ROWS, **AXES, undefined="?"),
    "higher bars": bars(ROWS[1:], **AXES, undefined="?", width=300, height=250),
    "dots": dots([(LONG, [("t", 1.5), ("u", 20), ("v", 20)]), ("b", ())], **AXES, height=150),
    "scatter": scatter(
        [
            Point(label=f"{name} {n}", x=n % 4 / 50 + n // 7, y=n // 4 / 30 + n // 7)
            for n, name in enumerate("abcdefgh")
        ],
        title="t", x_title="across", y_title="up", width=250, height=200,
    ),
    "heat": heat([("a", (0.25, None)), (LONG, (3, -1))], ("t", "u"), title="h", undefined="?",
                 scale=HeatScale(low=0, high=2), width=500, height=120),
    "narrow heat": heat([("a", (0.5,) * 12)], [f"column {n}" for n in range(12)], title="h",
                        undefined="?", width=200),
    "scale": scale(0.5, interval=(-0.125, 0.75), title="s", marks=[
        ScaleMark(label=name, value=value, tip=f"{name}!")
        for name, value in (("one", 0.9), ("two", -0.25), ("one", 0.875), ("three", 0.8))
    ]),
    "bare scale": scale(None, interval=None, marks=(), title="s", width=200),
    "trees": tree_pair(*TREES, [TreeLink(left=1, right=2, weight=0.75)], "pair", 500),
    "turned trees": tree_pair(*TREES[::-1], [], "pair", 100),
}  # fmt: skip


def test_that_pictures_are_those_recorded(golden):
    drawings = {name: svg(picture, scale=1.5) for name, picture in PICTURES.items()}
    golden("pictures", drawings)


def test_that_nothing_is_recorded_that_no_case_and_no_test_makes():
    found = (path for path in RECORDED.rglob("*.txt") if path != MADE_WITH)
    names = {path.relative_to(RECORDED).with_suffix("").as_posix() for path in found}
    tests = "".join(path.read_text("utf-8") for path in HERE.parent.rglob("test_*.py"))
    assert [name for name in names - {*CASES} if f'"{name}"' not in tests] == []


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
