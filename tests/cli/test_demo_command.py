import os
import sys
from pathlib import Path

import pytest

from awase.cli import window
from awase.core import packages


def test_that_a_demonstration_that_is_there_is_kept(run, tmp_path):
    assert run("demo", "en", tmp_path / "new").status == 0
    (path,) = (tmp_path / "new").glob("*.awase")
    assert path.name == "demo-en.awase"
    before = path.read_bytes()
    again = run("demo", "en", tmp_path / "new")
    assert again.status == 0
    assert "kept as it was" in again.out
    assert path.read_bytes() == before


MAIN_SCREENS = "awase.gui.main_screens"


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _name: object())  # the window is installed
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_display")
def test_that_without_a_display_there_are_scores_and_pictures(run, tmp_path, monkeypatch):
    def draw(command: list[str], *, env: dict[str, str], **_options: object) -> _Done:
        assert command[1:3] == ["-m", MAIN_SCREENS]
        assert env["QT_QPA_PLATFORM"] == "offscreen"
        (Path(command[3]) / "annotate.png").write_bytes(b"png")
        return _Done(0, "")

    monkeypatch.setattr(window.subprocess, "run", draw)
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "annotate.png").touch()  # of a run before
    os.utime(folder / "annotate.png", (1, 1))
    result = run("--pictures", folder)
    assert result.status == 0
    assert "No window can be shown here" in result.out
    assert "weighted-coverage" in result.out
    assert str(folder / "annotate.png") in result.out.splitlines()


@pytest.mark.usefixtures("no_display")
def test_that_without_a_display_no_other_corpus_is_shown_for_the_one_named(run, awase_file):
    result = run(awase_file)
    assert (result.status, result.out) == (1, "")
    assert f"so “{awase_file}” is not opened" in result.err


@pytest.mark.usefixtures("no_display")
def test_that_all_screens_are_drawn_by_the_tool_of_a_checkout(run, tmp_path, monkeypatch):
    asked: list[list[str]] = []

    def draw(command: list[str], **_options: object) -> _Done:
        asked.append(command)
        return _Done(0, "")

    tool = tmp_path / "screens.py"
    monkeypatch.setattr(window.subprocess, "run", draw)
    monkeypatch.setattr(window, "ALL_SCREENS", tool)
    refused = run("--screens", "all", "--pictures", tmp_path / "pictures")
    assert (refused.status, asked) == (1, [])
    assert "Only a checkout of Awase draws all screens" in refused.err
    run("--pictures", tmp_path / "main")
    assert [words[1:] for words in asked] == [["-m", MAIN_SCREENS, str(tmp_path / "main")]]
    tool.touch()
    run("--screens", "all", "--pictures", tmp_path / "pictures")
    assert asked[1:] == [[sys.executable, str(tool), str(tmp_path / "pictures")]]


@pytest.mark.usefixtures("no_display")
def test_that_missing_libraries_are_told_with_the_line_that_installs_them(
    run, tmp_path, monkeypatch
):
    message = "ImportError: libEGL.so.1: cannot open shared object file: No such file or directory"
    monkeypatch.setattr(window.subprocess, "run", lambda *_, **__: _Done(1, message))
    result = run("--pictures", tmp_path / "pictures")
    assert result.status == 1
    assert "libEGL.so.1" in result.err
    assert "sudo apt install libegl1" in result.err
    assert "weighted-coverage" in result.out


class _Done:
    def __init__(self, returncode: int, stderr: str) -> None:
        self.returncode = returncode
        self.stderr = stderr
