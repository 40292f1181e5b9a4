"""Modules import each other in one direction, and so do rooms (folders) that lie side by side.

Every import counts: those inside functions and those for type checkers, too.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from textwrap import dedent

import pytest
from tests.written import write_files

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("core", "storage", "jobs", "api", "cli", "gui", "conformance", "resources")
Graph = Mapping[str, set[str]]
_IMPORT = re.compile(
    r"^[ \t]*(?:from awase[\w.]* import (?:\([^)]*\)|[^(\n]+)|import [^\n]+)", re.MULTILINE
)
"""A statement as the formatter leaves it: on one line, or in brackets."""

needs_checkout = pytest.mark.skipif(
    not (ROOT / "core").is_dir(), reason="the wheel is tested without a checkout"
)


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(("awase", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def imports(source: str, modules: set[str]) -> Iterator[str]:
    """Yields the modules imported: of each statement by itself, as a whole parse takes seconds."""
    found = "\n".join(dedent(statement[0]) for statement in _IMPORT.finditer(source))
    for node in ast.parse(found).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                target = inner if inner in modules else node.module
                if target in modules:
                    yield target


def graph_of(root: Path) -> tuple[Graph, Mapping[str, str]]:
    """Returns the modules that each module imports, and the room of each module."""
    files = {
        module_name(path.relative_to(root)): path
        for floor in FLOORS
        for path in (root / floor).rglob("*.py")
    }
    rooms = {
        name: name if path.name == "__init__.py" else name.rpartition(".")[0]
        for name, path in files.items()
    }
    modules = {*files}
    graph = {
        name: {other for other in imports(path.read_text("utf-8"), modules) if other != name}
        for name, path in files.items()
    }
    return graph, rooms


def rooms_side_by_side(graph: Graph, rooms: Mapping[str, str]) -> Graph:
    """Returns the arrows between rooms of which neither lies inside the other."""
    arrows: dict[str, set[str]] = defaultdict(set)
    for module, imported in graph.items():
        for room, other in ((rooms[module], rooms[one]) for one in imported):
            if not f"{other}.".startswith(f"{room}.") and not f"{room}.".startswith(f"{other}."):
                arrows[room].add(other)
    return arrows


def circle_in(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.fixture(scope="module")
def of_the_project():
    return graph_of(ROOT)


@needs_checkout
def test_that_modules_have_no_import_circles(of_the_project):
    graph, _ = of_the_project
    assert len(graph) > 300
    assert circle_in(graph) == []


@needs_checkout
def test_that_rooms_side_by_side_have_no_import_circles(of_the_project):
    arrows = rooms_side_by_side(*of_the_project)
    assert len(arrows) > 50
    assert circle_in(arrows) == []


@pytest.mark.parametrize(
    "back",
    [
        "from awase.core.solvers import cover",
        "from awase.core.solvers.cover import h",
        "import awase.core.solvers.cover",
        "def late():\n    from awase.core.solvers.cover import h",
        "import typing\nif typing.TYPE_CHECKING:\n    from awase.core.solvers.cover import h",
    ],
)
def test_that_a_circle_of_modules_would_be_seen(tmp_path, back):
    there = "from awase.core.solvers.bounds import lower"
    files = {"__init__.py": "", "cover.py": there, "bounds.py": back}
    write_files(tmp_path / "core" / "solvers", files)
    circle = circle_in(graph_of(tmp_path)[0])
    assert {*circle} == {"awase.core.solvers.cover", "awase.core.solvers.bounds"}


def test_that_a_circle_of_rooms_would_be_seen_though_its_modules_have_none(tmp_path):
    empty = ("text/__init__.py", "text/cells.py", "records/__init__.py", "records/topic.py")
    there = {"text/words.py": "from awase.core.records import topic"}
    back = {"records/digests.py": "from awase.core.text.cells import cell"}
    write_files(tmp_path / "core", {**dict.fromkeys(empty, ""), **there, **back})
    graph, rooms = graph_of(tmp_path)
    assert circle_in(graph) == []
    circle = circle_in(rooms_side_by_side(graph, rooms))
    assert {*circle} == {"awase.core.text", "awase.core.records"}


@needs_checkout
def test_that_a_folder_has_no_more_names_than_a_reader_takes_in():
    sizes = {
        str(folder.relative_to(ROOT)): len([*folder.glob("[!_]*.py")])
        for floor in FLOORS
        for folder in (ROOT / floor, *(ROOT / floor).rglob("*/"))
    }
    assert {name: n for name, n in sizes.items() if n > 16} == {}
