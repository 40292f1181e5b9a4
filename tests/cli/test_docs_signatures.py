"""Commands and signatures in the documentation are those of the program."""

import re
import shlex
from pathlib import Path

import pytest

from awase.cli.main import COMMANDS
from awase.core.metrics.kit.signature import named

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is in a checkout only")
TOPICS = {
    "the English demonstration": ("E10", "E20", "E30"),
    "one of its topics": ("E10",),
    "the example of the paper": ("T",),
    "two texts without a corpus": ("1", "2"),
    "none": (),
}
_ASKS = re.compile(r"^    \$ (awase score demo-en\.awase .*)$")
_SIGNATURE = re.compile(r"^ {4}(?:\w+: )?([a-z0-9-]+:\S+,version=)\S+$")
_NOT_HERE = ("--model", "--vectors", "--keep")


def quoted() -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    is_below = False
    for line in (DOCS / "cli.md").read_text("utf-8").splitlines():
        if line.startswith("    $ "):
            match = _ASKS.match(line)
            is_below = match is not None and not any(word in line for word in _NOT_HERE)
            if match is not None and is_below:
                found.append((match[1], []))
        elif not line.startswith("    ") and line.strip():
            is_below = False
        elif is_below and (signature := _SIGNATURE.match(line)):
            found[-1][1].append(signature[1])
    return [(command, signatures) for command, signatures in found if signatures]


def test_that_quoted_commands_print_the_signatures_that_are_quoted(run, tmp_path):
    assert run("demo", "en", tmp_path).status == 0
    commands = quoted()
    assert commands
    for command, signatures in commands:
        _, *words = shlex.split(command)
        done = run(*(str(tmp_path / w) if w.endswith(".awase") else w for w in words))
        printed = {m[1] for line in done.out.splitlines() if (m := _SIGNATURE.match("    " + line))}
        assert {*signatures} <= printed, command


def test_that_the_page_of_the_command_line_knows_every_command():
    named_there = {*re.findall(r"awase ([a-z0-9-]+)", (DOCS / "cli.md").read_text("utf-8"))}
    assert {*COMMANDS} <= named_there


def test_that_no_digest_of_topics_is_made_up():
    known = {named(ids) for ids in TOPICS.values()}
    told = {
        digest
        for page in [ROOT / "README.md", *DOCS.rglob("*.md")]
        for digest in re.findall(r"topics=(\d+@[0-9a-f]+)", page.read_text("utf-8"))
    }
    assert told <= known, told - known
    assert len(told) > 2
