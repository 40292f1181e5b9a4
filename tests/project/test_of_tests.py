"""What the tests themselves keep to: public doors, no clock."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.building import entry
from tests.in_part import in_turn

TESTS = Path(__file__).resolve().parents[1]
SLEEPS = ("time.sleep", "qtbot.wait")
PUBLIC = {"_replace", "_asdict", "_fields", "_make", "_exit", "_repr_html_"}
"""Of named tuples, of os, and what notebooks call."""
_PRIVATE_PATH = re.compile(r"awase(\.\w+)*\._\w")
_DOT = re.compile(r"\._[^\W_]")
_UNSURE = re.compile(r"\b(monotonic|perf_counter|time\.time)(_ns)?\(\) ?- |\babs\(hash\(")
_ANY_TEXT = re.compile(r"\bst\.text\((?:\)|m)")
_HIDDEN = re.compile(
    r"(?:setattr|getattr|delattr)\([^)]*[\"']_\w|\nfrom awase[^(\n]*(?: |\([^)]*\s)_\w"
)


def is_private(name: object) -> bool:
    text = str(name)
    return text.startswith("_") and not text.startswith("__") and text not in PUBLIC


def reaches(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("awase"):
            yield from ((node.lineno, one.name) for one in node.names if is_private(one.name))
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            name = node.args[1].value if isinstance(node.args[1], ast.Constant) else ""
            if called in ("setattr", "getattr", "delattr") and is_private(name):
                yield node.lineno, str(name)
        elif isinstance(node, ast.Constant) and _PRIVATE_PATH.match(str(node.value)):
            yield node.lineno, str(node.value)


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {
        str(path.relative_to(TESTS)): path.read_text("utf-8")
        for path in sorted(TESTS.rglob("*.py"))
    }


def reaches_of(source: str) -> list[tuple[int, str]]:
    """Returns what `reaches` finds; a module without a word that could be one is not parsed."""
    may_reach = _HIDDEN.search(source) or any(
        not source.endswith(("self", "cls"), 0, dot.start()) for dot in _DOT.finditer(source)
    )
    return [*reaches(ast.parse(source))] if may_reach else []


def test_that_no_test_reaches_into_what_is_private(sources):
    assert [
        f"{path}:{line}: {name}"
        for path, source in sources.items()
        for line, name in reaches_of(source)
    ] == []


def test_that_a_reach_is_found_however_it_is_written():
    source = """
from awase.core.text import _cut
page._status.text()
monkeypatch.setattr(engine, "_loaded", None)
monkeypatch.setattr("awase.core.solvers._EASY", 1)
self._own, cls._own, row._replace(n=1), __name__
"""
    assert sorted(line for line, _ in reaches(ast.parse(source))) == [2, 3, 4, 5]
    for line in source.strip().splitlines()[:4]:
        assert len(reaches_of(f"\n{line}")) == 1
    assert len(reaches_of("\nfrom awase.core.text import (\n    cut,\n    _cut,\n)\n")) == 1


def test_that_no_test_sleeps_but_between_looks(sources):
    assert len(sources) > 300
    assert [
        f"{path}:{line}"
        for path, source in sources.items()
        # Benchmarks pace themselves by the clock; that is what they are for.
        if not path.startswith("benchmarks") and any(f"{name}(" in source for name in SLEEPS)
        for line in sleeps(ast.parse(source))
    ] == []


def sleeps(tree: ast.AST) -> Iterator[int]:
    """Yields the line of each sleep that does not stand in a loop that looks for something."""
    looking = [one for one in ast.walk(tree) if isinstance(one, ast.While)]
    between_looks = {inner for loop in looking for inner in ast.walk(loop)}
    for node in ast.walk(tree):
        is_sleep = isinstance(node, ast.Call) and ast.unparse(node.func) in SLEEPS
        if is_sleep and node not in between_looks:
            yield node.lineno


def test_that_no_test_measures_how_long_something_takes_or_is_named_by_a_hash(sources):
    """On a busy machine all takes longer; names by hash differ from run to run, and may meet."""
    assert [
        f"{path}: {found[0]}"
        for path, source in sources.items()
        if not path.startswith(("benchmarks", "proofs"))
        for found in _UNSURE.finditer(source)
    ] == []


def test_that_texts_are_drawn_from_named_characters(sources):
    """Those of `tests.laws`, where all will do: Hypothesis takes seconds to find the same."""
    assert [path for path, source in sources.items() if _ANY_TEXT.search(source)] == []


def test_that_a_sleep_is_found():
    assert [*sleeps(ast.parse("time.sleep(1)\nwhile f():\n    time.sleep(0.1)\n"))] == [1]


def test_that_each_case_is_tried_and_the_one_that_fails_is_named():
    tried = []

    @in_turn("n, word", [(1, "a"), pytest.param(2, "b", id="two"), (3, "c")])
    def check(n, word, folder):
        tried.append((n, word, folder))
        assert n < 2

    assert [*inspect.signature(check).parameters] == ["folder"]
    with pytest.raises(AssertionError) as told:
        check(folder="f")
    assert told.value.__notes__ == ["in the case (2, 'b')"]
    assert tried == [(1, "a", "f"), (2, "b", "f")]


def test_that_trying_nothing_is_a_mistake():
    with pytest.raises(AssertionError, match="nothing is tried"):
        in_turn("n", [])


@in_turn(
    ("row", "state", "n_alternatives"),
    [("1|2", "confirmed", 2), ("", "todo", 0), ("-", "no_source", 0), ("? 1", "incomplete", 1),
     ("! 1|2", "flagged", 2), ("+", "confirmed", 0), ("A: 1", "confirmed", 1), ("A:", "todo", 0)],
)  # fmt: skip
def test_that_marks_tell_the_state(row, state, n_alternatives):
    made = entry(1, row)
    assert (made.state.value, len(made.alternatives)) == (state, n_alternatives)
