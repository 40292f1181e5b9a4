"""A PostgreSQL server that lives as long as a test, and can be stopped, started and frozen."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from awase.storage.rows.schema import Base

_USER = "nobody"
_DEBIAN = Path("/usr/lib/postgresql")
SECRET = "secret"
"""The one database of the server for which everybody needs a password."""


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None and _DEBIAN.is_dir():  # which keeps them off the path
        found = next(iter(sorted(map(str, _DEBIAN.glob(f"*/bin/{name}")), reverse=True)), None)
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


class Server:
    def __init__(self, folder: Path, *, is_durable: bool = False) -> None:
        """Makes it; where it `is_durable` it waits for the disk, as servers that people use do."""
        self._fsync = "on" if is_durable else "off"
        initdb, self._pg_ctl = _program("initdb"), _program("pg_ctl")
        rights = _rights()
        if rights:
            # Where another user may go in; pytest closes its own folders time and again.
            folder = Path(tempfile.mkdtemp(prefix="awase-server-"))
            os.chown(folder, rights["user"], rights["group"])
        else:
            folder.mkdir()
        self._folder, self._data = folder, folder / "data"
        self._programs = _Programs(folder, rights)
        if not self._programs.run(
            initdb, "-D", self._data, "-U", "awase", "-A", "trust", "-E", "UTF8", "--no-sync"
        ):
            pytest.skip(f"initdb fails here: {self._programs.said()}")
        who_may = f"host {SECRET} all 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"
        (self._data / "pg_hba.conf").write_text(who_may, "utf-8")
        self.port = 0
        self._n_made = 0

    @property
    def url(self) -> str:
        """Of the first database, as the administrator."""
        return self.url_of("postgres")

    def url_of(self, database: str, user: str = "awase") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def psql(self, url: str, sql: str) -> "subprocess.CompletedProcess[str]":
        """Runs SQL as somebody does who has PostgreSQL's own program and nothing of Awase."""
        command = [_program("psql"), "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-d", url]
        return subprocess.run(command, input=sql, capture_output=True, text=True, check=False)

    def make_database(self, name: str = "") -> str:
        self._n_made += 1
        name = name or f"made_{self._n_made}"
        dropped = f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'
        run_sql(self.url, dropped, f'CREATE DATABASE "{name}"')
        return name

    def clear(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> bool:
        """Returns whether it answers; on its port again where it had one, else on a free one."""
        known = self.port
        for _ in range(1 if known else 3):  # another program may take a port that was free
            self.port = known or _free_port()
            if self._started():
                return True
        return False

    def _started(self) -> bool:
        settings = f"-h 127.0.0.1 -p {self.port} -c unix_socket_directories='' "
        settings += f"-c fsync={self._fsync}"
        log = self._folder / "log"
        return self._programs.run(
            self._pg_ctl, "-D", self._data, "-w", "-t", 300, "-o", settings, "-l", log, "start"
        )

    def stop(self, how: str = "fast") -> None:
        stopped = self._programs.run(
            self._pg_ctl, "-D", self._data, "-m", how, "-t", 300, "stop"
        )  # fmt: skip
        assert stopped, self._programs.said()

    def log(self) -> str:
        return (self._folder / "log").read_text("utf-8", "replace")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stops every process of the server where it is, as a machine that hangs does."""
        processes = self._processes()
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def _processes(self) -> list[int]:
        first = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        found = [first]
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError, IndexError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(fields[1]) == first:
                    found.append(int(entry.name))
        return found


@contextmanager
def controlled_server(folder: Path, *, is_durable: bool = False) -> Iterator[Server]:
    server = Server(folder, is_durable=is_durable)
    if not server.start():
        pytest.skip("pg_ctl fails here")
    try:
        yield server
    finally:
        with suppress(AssertionError):
            server.stop("immediate")
        server.clear()


def run_sql(url: str, *statements: str) -> "list[tuple[Any, ...]]":
    """Runs statements on a database, each for itself; returns the rows of the last one."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            done = connection.execute(statement)
        return done.fetchall() if done.description else []


@contextmanager
def role_that_may_only_read(server: Server, url: str) -> Iterator[str]:
    """Makes a role “reader” for as long as it takes; yields the address of a corpus for it."""
    database = url.rpartition("/")[2]
    run_sql(
        url,
        "CREATE ROLE reader LOGIN",
        f'GRANT CONNECT ON DATABASE "{unquote(database)}" TO reader',
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
    )
    try:
        yield server.url_of(database, "reader")
    finally:
        run_sql(url, "DROP OWNED BY reader", "DROP ROLE reader")


def differences_to_schema(url: str) -> list[Any]:
    """Returns in what a database differs from the tables that are declared."""
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext
    from sqlalchemy import create_engine, make_url

    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, Base.metadata)
    engine.dispose()
    return found


class _Programs:
    """Runs PostgreSQL's programs with the rights that they want."""

    def __init__(self, folder: Path, rights: dict[str, object]) -> None:
        self._folder = folder
        self._rights = rights
        self._log = folder / "programs.log"

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
