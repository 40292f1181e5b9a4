"""PostgreSQL connections with a client-side timeout.

A stopped server, or a network that drops packets, leaves the driver waiting for ever;
`statement_timeout` is enforced by the server, so it does not help.
"""

from collections.abc import Generator
from time import monotonic
from typing import Any, Final, Self, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.rows import TupleRow
from psycopg.waiting import Ready, Wait

SILENCE_S: Final = 20.0  # longer than the server waits for a lock, shorter than people do

_Value = TypeVar("_Value")


class ServerSilent(OperationalError):
    """No data from the server for `SILENCE_S`; the connection is closed."""


class ConnectionWithTimeout(Connection[TupleRow]):
    """A connection with a timeout for each wait."""

    silence_s = SILENCE_S

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Self:  # noqa: ANN401  (psycopg's own)
        """Connects as psycopg; an invalid host name is an unknown host."""
        try:
            return super().connect(conninfo, **options)
        except UnicodeError as error:  # a label of more than 63 letters, or an empty one
            raise OperationalError("failed to resolve host: it is no name of a computer") from error

    def wait(
        self, gen: PQGen[_Value], interval: float = 0.1, timeout: float | None = None
    ) -> _Value:
        """Drives a psycopg generator; `ServerSilent` after `silence_s` without data."""
        try:
            return super().wait(_limited(gen, self.silence_s), interval)
        except ServerSilent:
            self.pgconn.finish()  # a rollback would wait as long again
            raise


def _limited(gen: PQGen[_Value], silence_s: float) -> Generator[Wait, Ready | int, _Value]:
    """Yields what `gen` waits for, and raises after `silence_s` without data."""
    # The driving loop sends `NONE` at every interval without data.
    try:
        state = next(gen)
        until = monotonic() + silence_s
        while True:
            ready = yield state
            if ready != Ready.NONE:
                until = monotonic() + silence_s
            elif monotonic() > until:
                raise ServerSilent(f"no answer within {silence_s:g} seconds")
            state = gen.send(ready)
    except StopIteration as ended:
        value: _Value = ended.value
        return value
