"""Files that hang or never end are told; pipes that were named are read."""

import os
import socket
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from awase.core.errors import EnvironmentProblem
from awase.jobs.files.folders import DiskFolder
from awase.jobs.files.reading import (
    is_plain,
    is_stream,
    open_argument,
    read_argument,
    read_file,
)
from awase.jobs.files.text_lines import Layout, TextsOfFile

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    return path


def test_that_a_file_is_read_up_to_the_limit(tmp_path: Path):
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_file(path, largest=5) == b"12345"
    assert read_argument(path, largest=5) == b"12345"
    with pytest.raises(EnvironmentProblem, match=r"more than 4 bytes"):
        read_file(path, largest=4)


def test_that_a_file_that_is_not_there_is_the_systems_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        read_argument(tmp_path / "x")
    with pytest.raises(IsADirectoryError):
        read_argument(tmp_path)


def test_that_a_pipe_is_no_file(pipe: Path):
    assert is_stream(pipe)
    assert not is_plain(pipe)
    with pytest.raises(EnvironmentProblem, match="is no file but a pipe"):
        read_file(pipe)


def test_that_a_named_pipe_is_read_to_its_end_however_slowly_it_goes_on(pipe: Path):
    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            for _ in range(3):
                file.write(b"x" * 70_000)

    writer = threading.Thread(target=write)
    writer.start()
    assert read_argument(pipe, first_byte_s=60) == b"x" * 210_000
    writer.join()


def test_that_a_pipe_into_which_nobody_writes_is_told(pipe: Path):
    with pytest.raises(EnvironmentProblem, match=r"Nothing came from .* within 0\.1 seconds"):
        read_argument(pipe, first_byte_s=0.1)


def test_that_a_pipe_without_end_is_told(pipe: Path):
    def write() -> None:
        with suppress(BrokenPipeError), pipe.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65536)

    writer = threading.Thread(target=write)
    writer.start()
    with pytest.raises(EnvironmentProblem, match="more than 1000000 bytes"):
        read_argument(pipe, largest=1_000_000, first_byte_s=60)
    writer.join()


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_that_devices_are_not_read(device: str):
    if not Path(device).exists():
        pytest.skip("not on this machine")
    with pytest.raises(EnvironmentProblem, match="a device"):
        read_argument(Path(device))


def test_that_a_pipe_or_socket_in_a_folder_is_told(tmp_path: Path, pipe: Path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        for name in (pipe.name, "s"):
            with pytest.raises(EnvironmentProblem, match="is no file but a pipe"):
                DiskFolder(tmp_path).read(name)


def test_that_a_huge_file_in_a_folder_is_told(tmp_path: Path):
    with (tmp_path / "x").open("wb") as file:
        file.truncate(513 * 1024 * 1024)
    with pytest.raises(EnvironmentProblem, match="is the most that is read at once"):
        DiskFolder(tmp_path).read("x")


@pytest.mark.parametrize("name", ["pipe.txt", "/dev/zero"])
def test_that_texts_that_never_come_or_never_end_are_told(pipe: Path, monkeypatch, name):
    """`awase rouge` waited for the one and read the other, both for ever."""
    monkeypatch.setattr(open_argument, "__kwdefaults__", {"first_byte_s": 0.1})
    with ExitStack() as opened, pytest.raises(EnvironmentProblem):
        TextsOfFile(str(pipe.parent / name), opened, Layout())
