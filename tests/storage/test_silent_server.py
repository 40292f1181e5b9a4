"""A database server that takes connections and then says nothing: told, never waited for."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from awase.core.errors import EnvironmentProblem
from awase.storage.store import CorpusStore
from tests.in_part import in_turn

pytest.importorskip("psycopg")


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
