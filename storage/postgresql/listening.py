"""Listens for PostgreSQL NOTIFY on a thread and connection of its own.

The connection is also the health check: it pings when idle, and reconnects when lost.
"""

import select
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic
from typing import Final

from psycopg import Error
from sqlalchemy import Engine

from awase.core.errors import EnvironmentProblem
from awase.storage.postgresql.connections import UNREACHABLE, connect_alone, server_problem
from awase.storage.postgresql.notices import CHANNEL, Word, text_of, word_of
from awase.storage.postgresql.timeouts import ConnectionWithTimeout

PROBE_S: Final = 3.0  # idle time before a ping
SILENCE_S: Final = 4.0  # timeout of the ping
# Between attempts to connect again; the last one for ever.
_PAUSES_S: Final = (0.3, 0.6, 1.0, 2.0, 4.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """The listener is connected, and receives notifications from now on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The connection is lost; `problem` says why."""

    problem: EnvironmentProblem


Heard = Word | Connected | Lost


class Listener:
    """Calls `hear` on its own thread; stops asynchronously."""

    def __init__(self, engine: Engine, location: str, hear: Callable[[Heard], None]) -> None:
        self._engine, self._location, self._hear = engine, location, hear
        self._to_say: deque[Word] = deque(maxlen=20)
        self._is_stopped = False
        self._probe_now = Event()
        self._ear, self._bell = socket.socketpair()
        for end in (self._ear, self._bell):
            end.setblocking(False)
        self._thread = Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        """Starts to listen; `Connected` or `Lost` follows."""
        self._thread.start()

    def send(self, word: Word) -> None:
        """Notifies the others; dropped while disconnected."""
        self._to_say.append(word)
        self._ring()

    def probe(self) -> None:
        """Pings or reconnects immediately; `Connected` follows on success."""
        self._probe_now.set()
        self._ring()

    def stop(self, last: Word | None = None) -> None:
        """Stops, after sending `last` if still connected."""
        self._is_stopped = True
        if last is not None:
            self._to_say.append(last)
        self._ring()

    # On the listener's thread

    def _run(self) -> None:
        n_failures, is_lost = 0, False
        while not self._is_stopped:
            try:
                with connect_alone(self._engine) as connection:
                    connection.silence_s = SILENCE_S
                    connection.add_notify_handler(lambda heard: self._take_text(heard.payload))
                    connection.execute(f"LISTEN {CHANNEL}")
                    n_failures, is_lost = 0, False
                    self._hear(Connected())
                    self._listen(connection)
            except (Error, OSError) as error:
                if not is_lost and not self._is_stopped:
                    is_lost = True
                    self._hear(Lost(problem=self._problem(error)))
                self._rest(_PAUSES_S[min(n_failures, len(_PAUSES_S) - 1)])
                n_failures += 1
        for end in (self._ear, self._bell):
            end.close()

    def _listen(self, connection: ConnectionWithTimeout) -> None:
        heard_at = monotonic()
        while True:
            wait_s = max(0.0, heard_at + PROBE_S - monotonic())
            server, bell = connection.fileno(), self._ear.fileno()
            ready, _, _ = select.select([server, bell], [], [], wait_s)
            if server in ready:
                self._take(connection)
                heard_at = monotonic()
            self._drain()
            while self._to_say:
                word = text_of(self._to_say.popleft())
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, word))
            if self._is_stopped:
                return
            is_asked = self._probe_now.is_set()
            if is_asked or monotonic() >= heard_at + PROBE_S:
                self._probe_now.clear()
                connection.execute("SELECT 1")
                heard_at = monotonic()
            if is_asked:
                self._hear(Connected())

    def _take(self, connection: ConnectionWithTimeout) -> None:
        connection.pgconn.consume_input()
        while (notify := connection.pgconn.notifies()) is not None:
            self._take_text(notify.extra.decode("utf-8", "replace"))

    def _take_text(self, text: str) -> None:
        word = word_of(text)
        if word is not None and not self._is_stopped:
            self._hear(word)

    def _problem(self, error: Exception) -> EnvironmentProblem:
        problem = server_problem(error, self._location)
        told = str(error).partition("\n")[0]
        return problem or EnvironmentProblem.about(UNREACHABLE, path=self._location, error=told)

    def _rest(self, seconds: float) -> None:
        until = monotonic() + seconds
        while not self._is_stopped and not self._probe_now.is_set():
            left = until - monotonic()
            if left <= 0:
                break
            select.select([self._ear], [], [], left)
            self._drain()
        self._probe_now.clear()

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            while self._ear.recv(64):
                pass

    def _ring(self) -> None:
        with suppress(OSError):  # full: the thread wakes up anyway; closed: there is none
            self._bell.send(b"!")
