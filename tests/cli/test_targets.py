"""One rule for every command with `--force`: what is replaced, and what is written to."""

import os
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.in_part import in_part

COMMANDS = (
    "export {corpus} {target}",
    "extract {corpus} --with lead --size 1 --to {target}",
    "oracle {corpus} --unit sentence --limit 1s -o {target}",
    "report {corpus} {target} --interval none",
    "parse {corpus} --to {target}",
)


@pytest.mark.parametrize("command", in_part(COMMANDS, first=4))
def test_that_a_file_that_is_there_is_not_replaced_unasked(
    run: Run, awase_file: Path, tmp_path: Path, command: str
) -> None:
    file = tmp_path / "mine.json"
    file.write_text("mine", encoding="utf-8")
    result = run(*command.format(corpus=awase_file, target=file).split())
    assert (result.status, result.out) == (1, "")
    assert result.problems == [
        f"error: “{file}” exists already. Choose another name, or add --force to replace it."
    ]
    assert file.read_text("utf-8") == "mine"


@pytest.mark.parametrize("command", in_part(COMMANDS, first=4))
def test_that_no_folder_is_taken_for_a_file(
    run: Run, awase_file: Path, tmp_path: Path, command: str
) -> None:
    folder = tmp_path / "folder.json"
    folder.mkdir()
    result = run(*command.format(corpus=awase_file, target=folder).split(), "--force")
    assert result.status in (1, 2)
    assert re.search("is a (folder|directory)", result.err)
    assert [*folder.iterdir()] == []


WITHOUT_PARSES = [one for one in COMMANDS if not one.startswith("parse")]


@pytest.mark.parametrize("command", in_part(WITHOUT_PARSES))
def test_that_a_file_is_replaced_when_that_is_asked_for(
    run: Run, awase_file: Path, tmp_path: Path, command: str
) -> None:
    file = tmp_path / "mine.json"
    file.write_text("mine", encoding="utf-8")
    assert run(*command.format(corpus=awase_file, target=file).split(), "--force").status == 0
    assert file.read_text("utf-8") != "mine"


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
@pytest.mark.parametrize("command", in_part(WITHOUT_PARSES))
def test_that_a_device_is_written_to_and_stays(
    run: Run, awase_file: Path, tmp_path: Path, command: str
) -> None:
    device = tmp_path / "link.json"
    device.symlink_to(os.devnull)
    assert run(*command.format(corpus=awase_file, target=device).split()).status == 0
    assert device.is_char_device()
