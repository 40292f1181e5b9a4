"""What is written for contributors is true: files, targets, versions and links exist."""

import re
import tomllib
from itertools import groupby
from pathlib import Path

import pytest
import yaml
from tests.in_part import in_turn

from awase.core.formats.registry import FORMATS
from awase.core.packages import VERSION

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NAMING_FILES = (
    "CONTRIBUTING.md",
    "docs/ARCHITECTURE.md",
    "docs/release.md",
    "resources/i18n/README.md",
)
CALLING_TARGETS = (
    "CONTRIBUTING.md",
    "README.md",
    "docs/release.md",
    ".github/workflows/check.yml",
    ".github/pull_request_template.md",
    ".ci/run",
)
FLOORS = ("core", "storage", "jobs", "gui", "cli", "api")
MOST_LINES_OF_A_DECISION = 40

pytestmark = pytest.mark.skipif(
    not (ROOT / "core").is_dir(), reason="the wheel is tested without a checkout"
)


def pages() -> list[str]:
    folders = (ROOT, ROOT / "docs", ROOT / ".github", ROOT / "resources" / "i18n")
    found = (path for folder in folders for path in folder.glob("*.md"))
    deeper = (
        path
        for name in ("adr", "formats", "metrics")
        for path in (ROOT / "docs" / name).glob("*.md")
    )
    return sorted(path.relative_to(ROOT).as_posix() for path in (*found, *deeper))


def paths_in_code(text: str) -> set[str]:
    """Returns what can only be a file or folder of the project: in backticks, on a map or walk."""
    on_walks = [f"{module}.py" for module in re.findall(r"→ `(\w+)`", text)]
    spans = [*re.findall(r"`([^`\n]+)`", text), *re.findall(r"[\w/-]+\.py\b", text), *on_walks]
    return {
        span.removeprefix("awase/")
        for span in spans
        if re.fullmatch(r"[\w.-]+(/[\w.-]*)+|[\w-]+\.(py|md|toml|txt|json)", span)
        and not span.startswith(".links")
        and not re.search(
            r"\b[A-Z]+\.md", span.replace("README.md", "").replace("CHANGELOG.md", "")
        )
    }


@pytest.fixture(scope="module")
def places() -> set[str]:
    """Returns every end of every path of the project: `core/text`, `text`; of tests whole ones."""
    folders = [
        ROOT / floor for floor in (*FLOORS, "tests", "docs", "tools", "resources", ".github")
    ]
    paths = [path for folder in folders for path in (folder, *folder.rglob("*"))]
    parts = [path.relative_to(ROOT).parts for path in (*paths, *ROOT.glob("*.*"))]
    ends = ((one, range(1 if one[0] == "tests" else len(one))) for one in parts)
    return {"/".join(one[start:]) for one, starts in ends for start in starts}


@pytest.mark.parametrize("name", NAMING_FILES)
def test_that_the_files_it_names_exist(name, places):
    named = paths_in_code((ROOT / name).read_text("utf-8"))
    assert len(named) > 3
    assert {path for path in named if path.rstrip("/") not in places} == set()


def test_that_links_lead_somewhere():
    for name in pages():
        page = ROOT / name
        targets = re.findall(r"\]\(([^)#\s]+)", re.sub(r"`[^`]*`", "", page.read_text("utf-8")))
        dead = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
        assert not dead, name


@in_turn("name", CALLING_TARGETS)
def test_that_the_targets_it_calls_are_in_the_makefile(name):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    text = (ROOT / name).read_text("utf-8")
    calls = re.findall(r"(?:^ *|`|run: )make ((?:[a-z-]+ ?)+)", text, re.MULTILINE)
    assert calls
    assert {target for call in calls for target in call.split()} <= targets


def test_that_the_version_to_cite_is_the_one_that_is_built():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == VERSION
    assert cited["license"] == PYPROJECT["project"]["license"]


def jobs() -> dict:
    return yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text("utf-8"))["jobs"]


def test_that_the_workflow_covers_systems_and_versions():
    matrix = jobs()["tests"]["strategy"]["matrix"]
    runs = {(os, python, versions) for os in matrix["os"] for python in matrix["python"]
            for versions in matrix["versions"]}  # fmt: skip
    runs |= {(run["os"], run["python"], run["versions"]) for run in matrix["include"]}
    assert {os for os, _, _ in runs} == {"ubuntu-latest", "windows-latest", "macos-latest"}
    found = {python for os, python, _ in runs if os == "ubuntu-latest"}
    assert found == {"3.11", "3.12", "3.13", "3.14"}
    assert {versions for _, _, versions in runs} == {"pinned", "lowest", "newest"}
    least = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert {python for os, python, versions in runs if versions == "lowest"} == {least}


def test_that_the_workflow_runs_scripts_that_exist():
    commands = "\n".join(
        str(step.get("run", "")) for job in jobs().values() for step in job["steps"]
    )
    scripts = re.findall(r"tools/\w+\.py", commands)
    assert scripts
    assert all((ROOT / script).is_file() for script in scripts)


def test_that_hooks_run_tools_of_the_dev_group():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0][
        "hooks"
    ]
    tools = {hook["entry"].replace("python -m ", "").split()[0] for hook in hooks}
    dev = " ".join(PYPROJECT["project"]["optional-dependencies"]["dev"])
    assert tools == {"ruff", "mypy", "lint-imports"}
    assert all(package in dev for package in ("ruff", "mypy", "import-linter"))


@in_turn("path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")))
def test_that_an_issue_form_asks_for_the_version(path):
    form = yaml.safe_load(path.read_text("utf-8"))
    if path.stem in ("bug", "wrong-number"):
        asked = {field["id"]: field for field in form["body"]}
        assert asked["version"]["validations"] == {"required": True}
    elif path.stem != "config":
        assert form["body"]


def test_that_decisions_are_short_numbered_once_and_dated():
    decisions = sorted((ROOT / "docs" / "adr").glob("*.md"))
    numbers = [path.name[:4] for path in decisions]
    assert [n for n, same in groupby(numbers) if len([*same]) > 1] == []
    for path in decisions:
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= MOST_LINES_OF_A_DECISION, path.name
        assert lines[0].startswith(f"# {int(path.name[:4])}. "), path.name
        assert lines[2].startswith("Status: "), path.name
        assert {"## Context", "## Choice", "## Rejected", "## Consequence"} <= {*lines}, path.name


def test_that_the_readme_counts_the_formats() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert f"[{len(FORMATS)} formats](docs/formats/)" in text
