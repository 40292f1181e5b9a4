"""What is not installed is told by one function, and its extras exist; tables have no twins."""

import ast
import importlib.metadata
import re
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError
from operator import attrgetter
from pathlib import Path

import pytest
from tests.test_plugins import broken

from awase.core import packages
from awase.core.errors import EnvironmentProblem
from awase.core.metrics.registry import Metric
from awase.core.packages import (
    Extended,
    Plugins,
    check_installed,
    is_installed,
    missing_package,
    table_of,
)

ROOT = Path(__file__).resolve().parents[2]
IN_A_CHECKOUT = pytest.mark.skipif(
    not (ROOT / "core" / "packages.py").is_file(), reason="the wheel is tested without a checkout"
)


def test_that_the_first_package_that_is_not_there_is_named_with_its_extra():
    check_installed("json", extra="parse", needed_for="Stanza")
    with pytest.raises(EnvironmentProblem) as caught:
        check_installed("json", "no_such", "nor_such", extra="parse", needed_for="Stanza")
    said = str(caught.value)
    assert said.startswith("Stanza needs the package no-such, which is not installed. Install it: ")
    assert said.endswith('[parse]".')


def test_that_a_package_inside_an_absent_one_is_absent():
    assert is_installed("json.decoder", "json")
    assert not is_installed("json", "no_such.inside")


@pytest.mark.parametrize(
    ("installed", "extra", "project"),
    [
        ("awase", "bleu", "awase"),
        ("awase-core", "bleu", "awase-core"),
        ("awase", "ja", "awase-core"),
    ],
)
def test_that_the_extra_is_one_of_the_project_that_is_there(monkeypatch, installed, extra, project):
    def version_of(name: str) -> str:
        if name != installed:
            raise PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr(importlib.metadata, "version", version_of)
    packages.project_installed.cache_clear()
    try:
        error = missing_package("any", extra=extra, needed_for="x")
    finally:
        packages.project_installed.cache_clear()
    assert f'pip install "{project}[{extra}]"' in str(error)


@cache
def product_modules() -> tuple[tuple[str, str], ...]:
    return tuple(
        (str(path.relative_to(ROOT)), path.read_text("utf-8"))
        for folder in ("core", "jobs", "storage", "cli", "gui", "api")
        for path in (ROOT / folder).rglob("*.py")
    )


@IN_A_CHECKOUT
def test_that_every_extra_that_is_named_exists():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wheels = tomllib.loads((ROOT / "packaging" / "wheels.toml").read_text("utf-8"))
    named = {
        name for _, text in product_modules() for name in re.findall(r'extra="([\w-]+)"', text)
    }
    assert len(named) >= 8
    assert named <= {*project["optional-dependencies"], *wheels["awase-core"]["extras"]}


@IN_A_CHECKOUT
def test_that_no_other_module_says_how_to_install_an_extra():
    saying = {
        path
        for path, text in product_modules()
        if "pip install" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and re.search(r"install.*awase\S*\[", str(node.value))
    }
    assert saying <= {"core/language/ginza_parser.py"}  # where what is installed is damaged


def test_that_two_entries_of_one_name_are_a_defect():
    name = attrgetter("real")
    assert [*table_of(name, 2, 1).items()] == [(2, 2), (1, 1)]
    with pytest.raises(ValueError, match="two are called 1"):
        table_of(name, 1, 2, 1)


def test_that_packages_add_what_can_be_used_and_why_the_rest_cannot_is_told(tmp_path, monkeypatch):
    folder = broken(tmp_path)
    (folder / "twin-0.2.dist-info").mkdir()
    for name in ("METADATA", "entry_points.txt"):
        text = (folder / "nothing-0.1.dist-info" / name).read_text()
        twin = text.replace("Name: nothing", "Name: twin").replace("nothing =", "raises =")
        (folder / "twin-0.2.dist-info" / name).write_text(twin)
    monkeypatch.syspath_prepend(folder)
    added = Plugins("awase.metrics", Metric, lambda name, _: "taken" if name == "coverage" else "")
    assert added.names() == ("coverage", "fails", "nothing", "raises")
    assert [(one.label, one.added.name) for one in added.all()] == [("fails@0.1", "fails")]
    assert added.problem_of("fails") is added.problem_of("gone") is added.get("gone") is None
    assert [str(one).partition(" Update")[0] for one in added.problems()] == [
        "“coverage” of the package taken 0.1 cannot be used: taken",
        "“nothing” of the package nothing 0.1 cannot be used: it is no Metric",
        "“raises” of the package twin 0.1 cannot be used: several packages add it: raises, twin",
    ]
    both = Extended({"own": 1, "raises": 2}, added, lambda plugin: plugin.label)
    assert {**both} == {"own": 1, "raises": 2, "fails": "fails@0.1"}
    assert len(both) == 3
    with pytest.raises(KeyError):
        both["nothing"]
