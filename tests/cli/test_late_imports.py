"""A command's help imports nothing that computes, and a score no more than it needs.

Held by the modules that are imported, not by a clock, in a process of their own.
"""

import json
import subprocess
import sys
from collections.abc import Sequence

from tests.cli.conftest import DEMOS
from tests.in_part import in_turn

from awase.cli import options as choices
from awase.cli.main import COMMANDS
from awase.core.formats.awase_json.corpus import read
from awase.core.formats.reading.requests import ReadRequest
from awase.core.metrics.correlating import SystemKind
from awase.core.metrics.kit import supplies
from awase.core.metrics.pseudo_pyramid import METRIC
from awase.core.metrics.significance import PairedTest
from awase.core.reports.study_report import By
from awase.core.solvers.budget_solving import ENGINES
from awase.core.statistics.coefficients import Coefficient
from awase.core.statistics.correlation_inference import ResamplingUnit
from awase.core.statistics.study import PairTest
from awase.core.team.progress import TimesBy
from awase.storage.store import CorpusStore

DEMO = DEMOS / "en.json"
HEAVY = {"numpy", "scipy", "pandas", "sqlalchemy", "alembic", "pulp", "pysat", "rich",
         "PySide6", "torch", "pyarrow", "openpyxl", "rapidfuzz", "sudachipy"}  # fmt: skip
COMPUTING = ("awase.core.metrics", "awase.core.statistics", "awase.core.solvers",
             "awase.core.text", "awase.core.formats", "awase.storage.store", "awase.jobs.scoring",
             "awase.core.records", "awase.gui")  # fmt: skip
BANNED = {"numpy", "scipy", "pandas", "sqlalchemy", "alembic", "pulp"}
OF_NO_SCORE = HEAVY | {"email", "multiprocessing", "concurrent"}
"""`email` comes with the data of installed packages, which lists of formats ask for."""
UNNEEDED = {"awase.core.text.sentences", "awase.core.metrics.kit.splitters",
            "awase.core.language.conllu"}  # fmt: skip
_RUN = """
import json, sys
from click.testing import CliRunner
from awase.cli.main import cli
found = []
for words in json.loads(sys.argv[1]):
    before = {*sys.modules}
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, (words, result.output)
    found.append(sorted({*sys.modules} - before))
json.dump(found, sys.stdout)
"""


def _brought(*lines: Sequence[object]) -> list[list[str]]:
    """Returns what each command line imports that those before it did not, in one process."""
    words = json.dumps([[*map(str, line)] for line in lines])
    done = subprocess.run(
        [sys.executable, "-c", _RUN, words], check=True, capture_output=True, text=True
    )
    brought: list[list[str]] = json.loads(done.stdout)
    return brought


def _heavy(modules: list[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in modules} & HEAVY
    return tops | {name for name in modules for begin in COMPUTING
                   if name == begin or name.startswith(f"{begin}.")}  # fmt: skip


def _tops(modules: list[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def test_that_help_imports_nothing_that_computes_and_scores_no_more_than_they_need(tmp_path):
    """One process for all: what the first would import is named with it.

    A stored corpus is scored by SQLite's own driver.
    """
    corpus = read(ReadRequest(text=DEMO.read_text("utf-8"), source="")).addition
    path = tmp_path / "c.awase"
    CorpusStore.create(path, name="c", who="ann", addition=corpus).close()
    names = [*COMMANDS, "open"]
    *helps, of_json, of_a_file, of_formats, of_a_table, of_covers = _brought(
        *((name, "--help") for name in names), ("score", DEMO, "--json"), ("score", path, "--json"),
        ("formats", "--json"), ("score", DEMO), ("cover", DEMO),
    )  # fmt: skip
    heavy = {name: _heavy(brought) for name, brought in zip(names, helps, strict=True)}
    assert {name: found for name, found in heavy.items() if found} == {}
    assert "awase.core.metrics.registry" in of_json
    assert _tops(of_json) & OF_NO_SCORE == set()
    assert _tops(of_a_file) & OF_NO_SCORE == set()
    assert {*of_json, *of_a_file} & UNNEEDED == set()
    assert _tops(of_formats + of_a_table) & (BANNED | {"rich"}) == set()
    assert _tops(of_covers) & BANNED == set()


@in_turn(
    ("spelled", "declared"),
    [
        (choices.COEFFICIENTS, Coefficient),
        (choices.UNITS, ResamplingUnit),
        (choices.PAIR_TESTS, PairTest),
        (choices.SYSTEM_KINDS, SystemKind),
        (choices.PAIRED_TESTS, PairedTest),
        (choices.AGREEMENT_ROWS, By),
        (choices.TIMES_BY, TimesBy),
    ],
)
def test_that_choices_are_those_that_the_core_declares(spelled, declared):
    assert spelled == tuple(one.value for one in declared)


def test_that_names_and_limits_are_those_that_the_core_declares():
    assert tuple(ENGINES) == choices.ENGINES
    assert METRIC == choices.PYRAMID
    assert supplies.TIME_LIMIT_S == choices.TIME_LIMIT_S
