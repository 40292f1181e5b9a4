"""What core, storage and jobs say names things, not the flags and menus of one face."""

import ast
import re
from pathlib import Path

import pytest
from tests.in_part import in_turn

from awase.cli.output.messages import HOW, full_text
from awase.core.errors import Missing, Problem

ROOT = Path(__file__).resolve().parents[2]
OF_A_FACE = re.compile(
    r"(?<![\w-])--[a-z]{2,}|\bawase (?:parse|score|scores|oracle|import|export|extract|correlate|"
    r"cover|demo|report)\b|in the window|[A-Z][a-z]+ > [A-Z]"
)
OF_OTHER_PROGRAMS = (
    "--force-reinstall",
    "--pdeathsig",
    "Options > Document Header RegEx",
    "--share:",
    ":root {",
    "awase extract: ",
)
_BETWEEN_TEXTS = re.compile(r"[\"']\s*\n\s*[rbf]*[\"']")
FOLDERS = ("core", "storage", "jobs")


def spoken(path: Path) -> list[str]:
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    silent = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in silent
        and not any(own in node.value for own in OF_OTHER_PROGRAMS)
    ]


@pytest.mark.skipif(not (ROOT / "core").is_dir(), reason="the wheel is tested without a checkout")
@pytest.mark.parametrize("folder", FOLDERS)
def test_that_no_message_names_a_flag_a_command_or_a_menu(folder):
    paths = [*(ROOT / folder).rglob("*.py")]
    assert len(paths) > 20
    assert [(path.name, text) for path in paths for text in named_in(path)] == []


def named_in(path: Path) -> list[str]:
    """Returns the texts that name something of a face; only modules with such words are parsed."""
    joined = _BETWEEN_TEXTS.sub("", path.read_text("utf-8"))
    return [t for t in spoken(path) if OF_A_FACE.search(t)] if OF_A_FACE.search(joined) else []


def test_that_a_name_is_found_though_its_text_is_written_in_two_lines(tmp_path):
    path = tmp_path / "m.py"
    path.write_text('x = (\n    "Give it in the "\n    f"window: {y}."\n)\n', "utf-8")
    assert named_in(path) == ["Give it in the window: "]


@in_turn("missing", list(Missing))
def test_that_the_command_line_says_how_to_give_each_thing(missing):
    problem = Problem(what="It is not there.", hint="Get it.", fields={"missing": missing})
    assert full_text(problem) == f"It is not there. Get it. {HOW[missing]}"
    assert full_text(Problem(what="It is not there.")) == "It is not there."
