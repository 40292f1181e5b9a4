"""A PostgreSQL server that lives as long as a test."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_USER = "nobody"


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"PostgreSQL's {name} is not on this machine")
    return found


def _rights() -> dict[str, object]:
    """Returns arguments for subprocess: PostgreSQL refuses to run as root."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd  # not on Windows

    account = pwd.getpwnam(_USER)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _open_up(folder: Path) -> None:
    for parent in [folder, *folder.parents]:
        if parent.stat().st_uid == os.geteuid() and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)


@contextmanager
def running_server(folder: Path) -> Iterator[str]:
    """Runs a server in the folder, reached on a free port; yields its URL."""
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    folder.mkdir()
    rights = _rights()
    if rights:
        _open_up(folder)
        os.chown(folder, rights["user"], rights["group"])
    data = folder / "data"

    programs = _Programs(folder, rights)
    if not programs.run(
        initdb, "-D", data, "-U", "awase", "-A", "trust", "-E", "UTF8", "--no-sync"
    ):
        pytest.skip(f"initdb fails here: {programs.said()}")
    port = _free_port()
    settings = f"-h 127.0.0.1 -p {port} -c unix_socket_directories='' -c fsync=off"
    if not programs.run(pg_ctl, "-D", data, "-w", "-o", settings, "-l", folder / "log", "start"):
        pytest.skip(f"pg_ctl fails here: {programs.said()}")
    try:
        yield f"postgresql://awase@127.0.0.1:{port}/postgres"
    finally:
        was_stopped = programs.run(pg_ctl, "-D", data, "-m", "immediate", "-t", 300, "stop")
        assert was_stopped, programs.said()


class _Programs:
    """Runs PostgreSQL's programs with the rights that they want."""

    def __init__(self, folder: Path, rights: dict[str, object]) -> None:
        self._folder = folder
        self._rights = rights
        self._log = folder.parent / "programs.log"

    def run(self, *command: object) -> bool:
        with self._log.open("ab") as output:  # a pipe would be kept open by the server
            done = subprocess.run(
                [str(part) for part in command],
                cwd=self._folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                **self._rights,
            )
        return done.returncode == 0

    def said(self) -> str:
        return self._log.read_text("utf-8", "replace")


def _free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]
