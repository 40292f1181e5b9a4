"""A database server that takes connections and then says nothing: told, never waited for."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace

import pytest

from awase.core.errors import EnvironmentProblem
from awase.storage.store import CorpusStore
from tests.in_part import in_turn

pytest.importorskip("psycopg")

from psycopg import OperationalError
from psycopg.errors import (
    AdminShutdown,
    DeadlockDetected,
    InsufficientPrivilege,
    LockNotAvailable,
    SyntaxError,
    UndefinedTable,
)

from awase.storage.addresses import PasswordRefused, ServerUnreachable
from awase.storage.postgresql.connections import server_problem


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + (len(body) + 4).to_bytes(4, "big") + body


WELCOME = (
    _message(b"R", b"\0\0\0\0")  # no password is wanted
    + _message(b"S", b"server_version\x0016.0\0")
    + _message(b"S", b"client_encoding\0UTF8\0")
    + _message(b"Z", b"I")  # ready for a query
)


@pytest.fixture
def port() -> Iterator[int]:
    held: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return  # the test is over
            held.append(connection)
            with suppress(OSError):  # it has given up already
                connection.recv(4096)
                connection.sendall(WELCOME)

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()


@pytest.mark.parametrize("read_only", [True, False])
def test_that_a_silent_server_is_told(port, read_only, monkeypatch):
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout

    monkeypatch.setattr(ConnectionWithTimeout, "silence_s", 0.3)
    url = f"postgresql://ann@127.0.0.1:{port}/x?sslmode=disable&gssencmode=disable"
    with pytest.raises(EnvironmentProblem, match=r"cannot be reached \(no answer within 0\.3 s"):
        CorpusStore.open(url, who="ann", read_only=read_only)


@in_turn(
    ("address", "named"),
    [("h:abc/x", "is not the address"), ("h:0/x", "“0” in"), ("h:70000/x", "“70000” in"),
     ("h/x?port=5432,abc", "“abc” in"), ("[::1/x", "is not the address")],
)  # fmt: skip
def test_that_a_bad_port_is_told(address, named):
    with pytest.raises(EnvironmentProblem, match=named) as told:
        CorpusStore.open(f"postgresql://ann:s3cret@{address}", who="ann", read_only=True)
    assert "s3cret" not in str(told.value)


def puzzle(**known: bool) -> OperationalError:
    """Returns what a driver raises that puts the server's words into another language."""
    kind = type("Puzzle", (OperationalError,), {"pgconn": SimpleNamespace(**known)})
    return kind("weiß nicht")


@in_turn(
    ("said", "kind", "told"),
    [
        ('FATAL: database "db" does not exist', ServerUnreachable, "has no database “db”"),
        ('FATAL: role "ann" does not exist', ServerUnreachable, "has no user “ann”"),
        ("could not translate host name", ServerUnreachable, "There is no computer “h”"),
        ("failed to resolve host 'h'", ServerUnreachable, "There is no computer “h”"),
        ("Connection refused", ServerUnreachable, "(Connection refused)"),
        ("no pg_hba.conf entry for host", ServerUnreachable, "does not let “ann” connect"),
        ("no password supplied", PasswordRefused, "requires a password for “ann”"),
        ("password authentication failed", PasswordRefused, "the password of “ann”"),
        (puzzle(needs_password=True), PasswordRefused, "requires a password for “ann”"),
        (puzzle(used_password=True), PasswordRefused, "the password of “ann”"),
        (puzzle(), ServerUnreachable, "cannot be reached (weiß nicht)"),
        ("nobody knows\nat all", ServerUnreachable, "cannot be reached (nobody knows)"),
        (LockNotAvailable("x"), EnvironmentProblem, "is being written by somebody else"),
        (DeadlockDetected("x"), EnvironmentProblem, "is being written by somebody else"),
        (InsufficientPrivilege("x"), EnvironmentProblem, "refuses that (x)"),
        (UndefinedTable("x"), EnvironmentProblem, "is not an Awase corpus"),
        (AdminShutdown("x"), ServerUnreachable, "cannot be reached (x)"),
    ],
)
def test_that_what_a_driver_says_is_told_with_the_names_of_the_address(said, kind, told):
    error = OperationalError(said) if isinstance(said, str) else said
    problem = server_problem(error, "postgresql://ann@h:5/db")
    assert type(problem) is kind
    assert told in str(problem)
    assert problem.problem.hint
    if isinstance(problem, ServerUnreachable | PasswordRefused):
        fields = problem.problem.fields
        assert [fields[name] for name in ("host", "user", "database")] == ["h", "ann", "db"]
    for address, names in (("ann@/", ["", "ann", "ann"]), ("h/", ["h", "", ""])):
        fields = server_problem(OperationalError("x"), f"postgresql://{address}").problem.fields
        assert [fields[name] for name in ("host", "user", "database")] == names
    assert server_problem(SyntaxError("x"), "postgresql://ann@h:5/db") is None
    assert server_problem(ValueError("x"), "postgresql://ann@h:5/db") is None
