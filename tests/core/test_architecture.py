"""The import contracts hold, and each can fail; what is registered has its page."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.in_part import in_turn

from awase.core.formats.registry import FORMATS
from awase.core.metrics.registry import METRICS

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "storage", "jobs", "cli", "gui", "api")
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONTRACTS = [c["name"] for c in CONFIGURATION["tool"]["importlinter"]["contracts"]]

(LAYERS, PURE_CORE, NO_QT, NO_SQL, INSIDE_CORE, INSIDE_METRICS, INSIDE_GUI, PAGES, DIALOGS) = (
    CONTRACTS
)
BAD_IMPORTS = [
    (LAYERS, "storage", "from awase.gui import app"),
    (LAYERS, "storage", "from awase.cli import main"),
    (LAYERS, "storage", "from awase.jobs import supplies"),
    (LAYERS, "jobs", "from awase.cli import main"),
    (LAYERS, "jobs", "from awase.api import covers"),
    (LAYERS, "api", "from awase.gui import app"),
    (LAYERS, "core.metrics", "from awase.storage import addresses"),
    (LAYERS, "core", "import awase.gui.app"),
    (LAYERS, "gui", "from awase.cli import main"),
    (LAYERS, "cli.planted", "from awase.gui import app"),
    (PURE_CORE, "core", "import sqlalchemy"),
    (PURE_CORE, "core.text", "from sqlite3 import connect"),
    (PURE_CORE, "core.formats", "from PySide6 import QtCore"),
    (PURE_CORE, "core.records", "import alembic"),
    (NO_QT, "storage", "from PySide6.QtCore import QObject"),
    (NO_QT, "jobs", "from PySide6.QtCore import QObject"),
    (NO_QT, "api", "from PySide6.QtCore import QObject"),
    (NO_QT, "cli", "from PySide6 import QtWidgets"),
    (NO_SQL, "cli", "from sqlalchemy import select"),
    (NO_SQL, "gui", "import sqlite3"),
    (NO_SQL, "jobs", "import sqlite3"),
    (NO_SQL, "gui", "from alembic import command"),
    (INSIDE_METRICS, "core.metrics.kit", "from awase.core.metrics import registry"),
    (INSIDE_METRICS, "core.metrics.rouge.units", "from awase.core.metrics.registry import METRICS"),
    (INSIDE_METRICS, "core.metrics.pruned", "from awase.core.metrics import registry"),
    (INSIDE_METRICS, "core.metrics.kit", "from awase.core.metrics.rouge import measures"),
    (INSIDE_CORE, "core.solvers", "from awase.core.metrics import gold"),
    (INSIDE_CORE, "core.metrics", "from awase.core.formats import registry"),
    (INSIDE_CORE, "core.annotation", "from awase.core.metrics import gold"),
    (INSIDE_CORE, "core.text", "from awase.core.solvers import effort"),
    (INSIDE_CORE, "core.records", "from awase.core.solvers import effort"),
    (INSIDE_GUI, "gui.kit", "from awase.gui.session import session"),
    (INSIDE_GUI, "gui.session", "from awase.gui.pages.grade import page"),
    (INSIDE_GUI, "gui.pages.grade", "from awase.gui.frame import opening"),
    (INSIDE_GUI, "gui.dialogs.whole_corpus", "from awase.gui.pages.grade import page"),
    (INSIDE_GUI, "gui.frame", "from awase.gui import app"),
    (PAGES, "gui.pages.grade", "from awase.gui.pages.scores import page"),
    (DIALOGS, "gui.dialogs.whole_corpus", "from awase.gui.dialogs.deriving import dialog"),
    (INSIDE_CORE, "core.errors", "from awase.core.records import topic"),
    (
        INSIDE_CORE,
        "core.records",
        "import typing\nif typing.TYPE_CHECKING:\n    from awase.core.text import brackets",
    ),
]

needs_checkout = pytest.mark.skipif(
    not (ROOT / "core").is_dir(), reason="the wheel is tested without a checkout"
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("checkout")
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, root / "awase" / package, ignore=ignored)
    shutil.copy(ROOT / "api" / "front_door.py", root / "awase" / "__init__.py")
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


def verdicts(checkout: Path) -> dict[str, str]:
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    run = subprocess.run(
        [sys.executable, "-c", program, "--cache-dir", checkout / "cache"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout), "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    found = dict(re.findall(r"^(.+) (KEPT|BROKEN)(?: \(.*\))?$", run.stdout, re.MULTILINE))
    assert found, run.stdout + run.stderr
    assert (run.returncode == 0) == ("BROKEN" not in found.values())
    return found


@contextmanager
def planted(checkout: Path, module: str, line: str) -> Iterator[None]:
    path = checkout.joinpath("awase", *module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    before = path.read_text("utf-8") if path.exists() else None
    path.write_text(f"{before or ''}\n{line}\n", "utf-8")
    yield
    if before is None:
        path.unlink()
    else:
        path.write_text(before, "utf-8")


@needs_checkout
@pytest.mark.slow
def test_that_the_import_contracts_hold(checkout):
    assert verdicts(checkout) == dict.fromkeys(CONTRACTS, "KEPT")


@needs_checkout
@pytest.mark.slow
@pytest.mark.parametrize(("contract", "module", "line"), BAD_IMPORTS)
def test_that_a_bad_import_breaks_its_contract_and_no_other(checkout, contract, module, line):
    with planted(checkout, module, line):
        found = verdicts(checkout)
    assert [name for name, verdict in found.items() if verdict == "BROKEN"] == [contract]


def test_that_a_bad_import_is_known_for_every_contract():
    assert {contract for contract, _, _ in BAD_IMPORTS} == set(CONTRACTS)


@in_turn("name", METRICS)
def test_that_every_metric_has_its_page(name):
    page = METRICS[name].page or name
    assert name in (ROOT / "docs" / "metrics" / f"{page}.md").read_text("utf-8")


@in_turn("format_id", FORMATS)
def test_that_every_format_has_its_page(format_id):
    assert format_id in (ROOT / "docs" / "formats" / f"{format_id}.md").read_text("utf-8")
