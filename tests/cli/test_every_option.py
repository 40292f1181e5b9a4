"""Every option does something: with each of them a command tells something else."""

import re
import shutil
from pathlib import Path

import click
import pytest
from tests.cli.conftest import Run
from tests.goldens.cases import GROUPS

from awase.cli.main import cli
from awase.jobs.importing import make_demonstration

CHANGES = {
    "agreement demo.awase --resamples 20": ("--seed 5", "--confidence 0.5", "--length long"),
    "assign demo.awase --to A1,A2": ("--length long", "--due 2031-01-02", "--topic E10"),
    "assist demo.awase": ("--decoys 3", "--control 3", "--seed 9", "--assist-level 1"),
    "clusters demo.awase -m prouge-1:ratio=0.8 --vectors vectors.txt --topic E10": (
        "--system mmr",
    ),
    "correlate demo.awase --human coverage --length short --resamples 20": (
        "--confidence 0.5",
        "--seed 8",
        "--exclude-from lead.txt",
        "--exclude lead",
        "--system lead --system mmr --system tfidf",
        "--topic E10",
        "--suggest-outliers",
    ),
    "cover demo.awase --topic E10": ("--abstract E10-short", "--annotator A2"),
    "export demo.awase - --format extract-lines": ("--topic E10",),
    "extract demo.awase --with random,tfidf --table --topic E20": (
        "--seed 4",
        "--annotator A2",
        "--size 1",
        "--tokens chars-2 --background df.tsv",
        "--tokens chars-2",
    ),
    "oracle demo.awase --topic E20 --unit sentence --limit 30w": (
        "--stem",
        "--stop",
        "--tokens chars-2",
        "--optima 1",
        "--oracle rouge-1",
    ),
    "score demo.awase --interval --resamples 50": ("--seed 5", "--confidence 0.5", "--topic E20"),
    "time demo.awase": ("--annotator A2", "--by topic"),
}
EVERYWHERE = {"help", "output_file", "force", "bom", "processes", "cluster", "who"}
"""Declared once for all commands, and tested once (test_targets, test_printed_tables)."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("options")
    shutil.move(make_demonstration("en", folder, who=""), folder / "made.awase")
    (folder / "lead.txt").write_text("lead\n")
    (folder / "df.tsv").write_text("tokens\tchars-2\ndocuments\t9\nthe\t1\n")
    (folder / "vectors.txt").write_text("dog 1 0\nferry 0 1\n")
    return folder


@pytest.mark.parametrize("line", CHANGES)
def test_that_each_option_changes_what_is_told(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, line: str
):
    def told(line: str) -> tuple[str, str]:
        shutil.copy("made.awase", "demo.awase")
        finished = run(*line.split())
        assert finished.status == 0, finished.err
        if line.startswith("assign"):
            return finished.out, run("progress", "demo.awase", "--json").out
        return finished.out, finished.err

    monkeypatch.chdir(folder)
    without = told(line)
    assert not [option for option in CHANGES[line] if told(f"{line} {option}") == without]


def test_that_every_option_is_given_in_some_test():
    lines = [*CHANGES, *(f"{line} {one}" for line, some in CHANGES.items() for one in some)]
    cases = [case for cases in GROUPS.values() for case in cases.values()]
    lines += [line for case in cases for line in ([case] if isinstance(case, str) else case)]
    given = {
        (line.split()[0], flag) for line in lines for flag in re.findall(r" (--?\w[\w-]*)", line)
    }
    others = "".join(
        path.read_text("utf-8") for path in Path(__file__).parents[1].rglob("test_*.py")
    )
    never = [
        f"{name} {max(option.opts, key=len)}"
        for name, command in _commands(cli)
        for option in command.params
        if isinstance(option, click.Option) and option.name not in EVERYWHERE
        if not any((name.split()[0], flag) in given for flag in option.opts)
        if not any(re.search(rf"{flag}\b", others) for flag in option.opts)
    ]
    assert not never


def _commands(group: click.Group) -> list[tuple[str, click.Command]]:
    context = click.Context(group)
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        if isinstance(command, click.Group):
            found += [(f"{name} {inner}", one) for inner, one in _commands(command)]
        else:
            found.append((name, command))
    return found
