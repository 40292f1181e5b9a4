"""A command's help imports nothing that computes, and a score no more than it needs.

Held by the modules that are imported, not by a clock, in a process of their own each.
"""

import json
import subprocess
import sys
from enum import Enum
from importlib.resources import files
from pathlib import Path

import pytest

from awase.cli.arguments import choices
from awase.cli.main import COMMANDS
from awase.core.annotation.times import TimesBy
from awase.core.formats.awase_json.corpus import read
from awase.core.formats.reading.requests import ReadRequest
from awase.core.metrics.kit.supplies import supplies
from awase.core.metrics.pseudo_pyramid.family import METRIC
from awase.core.metrics.tables.significance import PairedTest
from awase.core.metrics.tables.system_kinds import SystemKind
from awase.core.reports.agreement_report import By
from awase.core.solvers.budget.solving import ENGINES
from awase.core.statistics.correlation.coefficients import Coefficient
from awase.core.statistics.correlation.resampling import Unit
from awase.core.statistics.correlation.study import PairTest
from awase.storage.store import CorpusStore

DEMO = Path(str(files("awase.resources"))) / "demo" / "en.json"
HEAVY = {"numpy", "scipy", "pandas", "sqlalchemy", "alembic", "highspy", "pulp", "pysat", "rich",
         "PySide6", "torch", "pyarrow", "openpyxl", "rapidfuzz", "sudachipy"}  # fmt: skip
COMPUTING = ("awase.core.metrics", "awase.core.statistics", "awase.core.solvers",
             "awase.core.text", "awase.core.formats", "awase.storage.store", "awase.jobs.scoring",
             "awase.core.records", "awase.gui")  # fmt: skip
BANNED = {"numpy", "scipy", "pandas", "sqlalchemy", "alembic", "highspy", "pulp"}
_HELP = """
import json, sys
from click.testing import CliRunner
from awase.cli.main import cli
found = {}
for name in sys.argv[1:]:
    before = {*sys.modules}
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0, (name, result.output)
    found[name] = sorted({*sys.modules} - before)
json.dump(found, sys.stdout)
"""
_RUN = """
import json, sys
from click.testing import CliRunner
from awase.cli.main import cli
result = CliRunner().invoke(cli, sys.argv[1:])
assert result.exit_code == 0, result.output
json.dump(sorted(sys.modules), sys.stdout)
"""


def _modules(script: str, *words: object) -> dict[str, list[str]] | list[str]:
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, words)], check=True, capture_output=True, text=True
    )
    loaded: dict[str, list[str]] | list[str] = json.loads(done.stdout)
    return loaded


def _heavy(modules: list[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in modules} & HEAVY
    return tops | {name for name in modules for begin in COMPUTING
                   if name == begin or name.startswith(f"{begin}.")}  # fmt: skip


def test_that_the_help_of_no_command_imports_what_computes() -> None:
    """One process for all: what the first would import is named with it."""
    found = _modules(_HELP, *COMMANDS, "open")
    assert isinstance(found, dict)
    assert {name: heavy for name in found if (heavy := _heavy(found[name]))} == {}


@pytest.mark.parametrize(
    ("words", "banned"),
    [
        (("score", DEMO, "--json"), BANNED | {"rich"}),
        pytest.param(("score", DEMO), BANNED, marks=pytest.mark.slow),
        pytest.param(("cover", DEMO), BANNED, marks=pytest.mark.slow),
        pytest.param(("formats", "--json"), BANNED | {"rich"}, marks=pytest.mark.slow),
    ],
)
def test_that_a_score_imports_no_more_than_it_needs(
    words: tuple[object, ...], banned: set[str]
) -> None:
    found = _modules(_RUN, *words)
    assert not {name.partition(".")[0] for name in found} & banned


def test_that_a_stored_corpus_is_scored_by_sqlites_own_driver(tmp_path: Path) -> None:
    corpus = read(ReadRequest(text=DEMO.read_text("utf-8"), source="")).addition
    path = tmp_path / "c.awase"
    CorpusStore.create(path, name="c", who="ann", addition=corpus).close()
    found = _modules(_RUN, "score", path, "--json")
    assert not {name.partition(".")[0] for name in found} & (BANNED | {"rich"})


@pytest.mark.parametrize(
    ("spelled", "declared"),
    [
        (choices.COEFFICIENTS, Coefficient),
        (choices.UNITS, Unit),
        (choices.PAIR_TESTS, PairTest),
        (choices.SYSTEM_KINDS, SystemKind),
        (choices.PAIRED_TESTS, PairedTest),
        (choices.AGREEMENT_ROWS, By),
        (choices.TIMES_BY, TimesBy),
    ],
)
def test_that_choices_are_those_that_the_core_declares(
    spelled: tuple[str, ...], declared: type[Enum]
) -> None:
    assert spelled == tuple(one.value for one in declared)


def test_that_names_and_limits_are_those_that_the_core_declares() -> None:
    assert tuple(ENGINES) == choices.ENGINES
    assert METRIC == choices.PYRAMID
    assert supplies.TIME_LIMIT_S == choices.TIME_LIMIT_S
