"""A PostgreSQL server: URL, isolation, error codes, advisory locks by part of a corpus.

PostgreSQL's advisory locks need no privileges on rows, and end with the transaction, or with the
connection of a dead client. Edits of texts, or of several entries, exclude everybody; edits of one
entry exclude each other only.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from awase.core.errors import EnvironmentProblem, Listing, Problem
from awase.core.packages import missing_package
from awase.core.records.edits import AlignmentEdit, Edit, GoldEdit
from awase.storage.addresses import PasswordRefused, ServerUnreachable, without_password
from awase.storage.querying import is_server

if TYPE_CHECKING:
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout


_DRIVER = "postgresql+psycopg"
_CONNECT_TIMEOUT_S = 10
_LAST_PORT = 65535
_PAUSE_S = 1.0
_USED = "awase_used"
_OF_THE_SERVER = {
    "lock_timeout": "5s",
    # A dead machine keeps neither locks nor transaction.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "idle_in_transaction_session_timeout": "5min",
    # Or else a backslash in a literal is none.
    "standard_conforming_strings": "on",
}
_CONNECT_ARGUMENTS = {
    "connect_timeout": _CONNECT_TIMEOUT_S,
    "options": " ".join(f"-c {name}={value}" for name, value in _OF_THE_SERVER.items()),
    "tcp_user_timeout": _CONNECT_TIMEOUT_S * 1000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}


def server_address(location: str) -> URL:
    """Returns the address of a corpus on a server."""
    try:
        url = make_url(location)
    except (ArgumentError, ValueError):  # a port that is no number is a ValueError
        url = None
    if url is None or url.get_backend_name() not in ("postgresql", "postgres"):
        raise EnvironmentProblem(
            "“{path}” is not the address of a corpus.",
            "Give the path of an .awase file, or postgresql://user@host/database.",
            path=without_password(location),
        )
    _check_ports(url)
    return url.set(drivername=_DRIVER)


def shown_address(url: URL) -> str:
    """Returns an address as people write it, without its password."""
    return without_password(url.set(drivername="postgresql").render_as_string())


def _check_ports(url: URL) -> None:
    ports = [] if url.port is None else [str(url.port)]
    for values in url.normalized_query.get("port", ()):
        ports += values.split(",")
    bad = [port for port in ports if not (port.isdecimal() and 1 <= int(port) <= _LAST_PORT)]
    if bad:
        raise EnvironmentProblem(
            "“{port}” in “{path}” is not a port.",
            "A port is a number from 1 to {last}; the default is 5432.",
            port=bad[0],
            path=without_password(url.render_as_string()),
            last=_LAST_PORT,
        )


def engine_of(url: URL) -> Engine:
    """Returns an engine on the database."""
    try:
        engine = create_engine(url, connect_args=_CONNECT_ARGUMENTS)
    except ModuleNotFoundError as error:
        raise missing_package("psycopg", extra="postgresql", needed_for="PostgreSQL") from error
    event.listen(engine, "do_connect", _connect)
    event.listen(engine, "checkin", _note_use)
    event.listen(engine, "checkout", _ping_after_pause)
    return engine


def _note_use(_driver: object, record: ConnectionPoolEntry) -> None:
    record.info[_USED] = monotonic()


def _ping_after_pause(
    driver: "ConnectionWithTimeout", record: ConnectionPoolEntry, _lent: object
) -> None:
    """Pings an idle server before a connection is used."""
    # A ping each time would cost a round trip for each edit.
    used = record.info.get(_USED)
    if used is None or monotonic() - used < _PAUSE_S:
        return
    was_autocommit = driver.autocommit
    try:
        driver.autocommit = True
        driver.execute("SELECT 1")
        driver.autocommit = was_autocommit
    except driver.Error as error:
        raise DisconnectionError from error


def _connect(
    _dialect: object, _record: object, arguments: Sequence[str], options: Mapping[str, Any]
) -> object:
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout

    return ConnectionWithTimeout.connect(*arguments, **options)


def connect_alone(engine: Engine) -> "ConnectionWithTimeout":
    """Returns an autocommit connection outside the engine's pool; `psycopg.Error` on failure."""
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout

    arguments, options = engine.dialect.create_connect_args(engine.url)
    return ConnectionWithTimeout.connect(
        *arguments, **{**options, **_CONNECT_ARGUMENTS}, autocommit=True
    )


def run_literally(connection: Connection, statement: str) -> None:
    """Runs a statement without parameters."""
    _driver(connection).execute(statement, prepare=False)


def as_the_server_keeps_it(connection: Connection, role: str, password: str) -> str:
    """Returns the server's password verifier of a role."""
    pgconn = _driver(connection).pgconn
    kept = pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
    return bytes(kept).decode("ascii")


def _driver(connection: Connection) -> "ConnectionWithTimeout":
    driver = connection.connection.driver_connection
    if driver is None:
        raise RuntimeError("a connection without its driver")
    return cast("ConnectionWithTimeout", driver)


def for_reading(engine: Engine) -> Engine:
    """Returns the engine with transactions that see one state from beginning to end."""
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


UNREACHABLE = Problem(
    what="The server of “{path}” cannot be reached ({error}).",
    hint="Check the network, the address, the name and the password.",
)
_NOT_A_CORPUS = Problem(
    what="“{path}” is not an Awase corpus.",
    hint="Choose another database, or have a corpus set up in it.",
)
BUSY = Problem(
    what="“{path}” is being written by somebody else; nothing was changed.",
    hint="Wait a moment and try again.",
)
_REFUSED = Problem(
    what="The server of “{path}” refuses that ({error}); nothing was changed.",
    hint="Ask the administrator of the database.",
)
_LOCKED = Problem(
    what="“{path}” is locked by {who}; nothing was changed.",
    hint="Wait a moment and try again; if it stays locked, ask for that program to be closed.",
)
_LOCK_TIMEOUT = "55P03"
_PROBLEM_BY_STATE = {
    "08": UNREACHABLE,
    "25006": _REFUSED,  # a read-only server
    "28": UNREACHABLE,  # name or password
    "3D": UNREACHABLE,  # no such database
    "40": BUSY,  # deadlock
    "42501": _REFUSED,  # not permitted
    "42P01": _NOT_A_CORPUS,  # no such table
    "53": _REFUSED,  # disk full, too many connections
    _LOCK_TIMEOUT: BUSY,
    "57": UNREACHABLE,  # shut down
    "58": _REFUSED,  # its disk fails
    "XX": _REFUSED,  # its files are damaged
}


_UNKNOWN_HOST = Problem(
    what="There is no computer “{host}”.",
    hint="Check the name of the server, and the network.",
)
_NO_ANSWER = Problem(
    what="The server of “{path}” cannot be reached ({error}).",
    hint="Check that it is running, the port, and that the network allows this computer.",
)
_NO_PASSWORD = Problem(
    what="The server of “{path}” requires a password for “{user}”.",
    hint="Give it on opening the corpus, or write it into ~/.pgpass.",
)
_WRONG_PASSWORD = Problem(
    what="The server of “{path}” rejects the password of “{user}”.",
    hint="Type it again; capital letters count. The lead of the corpus can set a new one.",
)
_NO_DATABASE = Problem(
    what="The server of “{path}” has no database “{database}”.",
    hint="Check the name; capital letters count.",
)
_NO_ROLE = Problem(
    what="The server of “{path}” has no user “{user}”.",
    hint="Check the name; capital letters count. awase server-setup adds new people.",
)
_NOT_LET_IN = Problem(
    what="The server of “{path}” does not let “{user}” connect from this computer.",
    hint="Ask its administrator to add this computer to pg_hba.conf.",
)
# The server has no error codes before login, so its messages are matched. In another language the
# general problem quotes them.
_PROBLEM_BY_WORDS = (
    ("no password supplied", _NO_PASSWORD),
    ("password authentication failed", _WRONG_PASSWORD),
    ("no pg_hba.conf entry", _NOT_LET_IN),
    ("pg_hba.conf rejects", _NOT_LET_IN),
    ("could not translate host name", _UNKNOWN_HOST),
    ("failed to resolve host", _UNKNOWN_HOST),
    ("Connection refused", _NO_ANSWER),
    ("timeout expired", _NO_ANSWER),
)
_MISSING = re.compile(r'(database|role) "[^"]*" does not exist')


def _refusal(error: BaseException) -> Problem:
    words = str(error)
    missing = _MISSING.search(words)
    if missing is not None:
        return _NO_DATABASE if missing[1] == "database" else _NO_ROLE
    for known, problem in _PROBLEM_BY_WORDS:
        if known.lower() in words.lower():
            return problem
    connection = getattr(error, "pgconn", None)
    if getattr(connection, "needs_password", False):
        return _NO_PASSWORD
    return _WRONG_PASSWORD if getattr(connection, "used_password", False) else UNREACHABLE


def server_problem(error: BaseException | None, location: str) -> EnvironmentProblem | None:
    """Translates a driver's error; None when it is a defect."""
    if not any(kind.__module__.startswith("psycopg") for kind in type(error).__mro__):
        return None
    state = getattr(error, "sqlstate", None) or "08"  # errors of connecting have no SQLSTATE
    problem = _PROBLEM_BY_STATE.get(state) or _PROBLEM_BY_STATE.get(state[:2])
    if problem is None:
        return None
    first_line = str(error).partition("\n")[0]
    if problem is not UNREACHABLE:
        return EnvironmentProblem.about(problem, path=location, error=first_line)
    problem = _refusal(error) if error is not None else problem
    kind = PasswordRefused if problem in (_NO_PASSWORD, _WRONG_PASSWORD) else ServerUnreachable
    url = make_url(location)
    return kind.about(
        problem, path=location, error=first_line, host=url.host or "", user=url.username or "",
        database=url.database or url.username or "",
    )  # fmt: skip


_CORPUS = "corpus"


# Names of what is locked, in the order in which everybody locks them; none = the whole corpus.
Parts = tuple[str, ...]
WHOLE: Parts = ()


def parts_of(edit: Edit | None, who: str) -> Parts:
    """Returns the locks of `edit`; None = only the person's own history."""
    person = _person(who)
    if edit is None:
        return (person,)
    if isinstance(edit, AlignmentEdit):
        owner = f"annotator {edit.annotator}"
    elif isinstance(edit, GoldEdit):
        owner = "gold"
    else:
        return WHOLE
    return (person, "\0".join((edit.topic, edit.abstract, owner)))


def parts_of_work(who: str) -> Parts:
    """Returns the locks of claiming work."""
    return (_person(who), "work")


def _person(who: str) -> str:
    return f"person {who}"


def lock(connection: Connection, parts: Sequence[str]) -> None:
    """Locks these parts until the end of the transaction; no-op with a single writer."""
    if not is_server(connection):
        return
    keys = keys_of(parts)
    # One query for all; the server locks in this order.
    corpus, *more = keys
    of_corpus = func.pg_advisory_xact_lock_shared if parts else func.pg_advisory_xact_lock
    with naming_holders(connection, keys):
        connection.execute(select(of_corpus(corpus), *map(func.pg_advisory_xact_lock, more)))


def keys_of(parts: Sequence[str]) -> tuple[int, ...]:
    """Returns the server's numbers of the corpus, which is shared, and of the parts."""
    return (_key(_CORPUS), *map(_key, parts))


def lock_more(connection: Connection, part: str) -> None:
    """Waits on a server for a further part, one that nobody locks before another one."""
    key = _key(part)
    with naming_holders(connection, (key,)):
        connection.execute(select(func.pg_advisory_xact_lock(key)))


_HOLDERS = text("""
    SELECT DISTINCT a.usename FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((l.classid::bigint << 32) | l.objid::bigint) = ANY (:keys)
    AND (l.mode = 'ExclusiveLock' OR :is_whole) AND a.usename IS NOT NULL ORDER BY 1
""")


@contextmanager
def naming_holders(connection: Connection, keys: Sequence[int]) -> Iterator[None]:
    """Names who holds these locks when the server has waited too long for them."""
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _LOCK_TIMEOUT:
            raise
        is_whole = keys == keys_of(WHOLE)  # for which those who share it have to end, too
        with connection.engine.connect() as other:  # the transaction here has failed
            found = other.execute(_HOLDERS, {"keys": [*keys], "is_whole": is_whole})
            who = [*found.scalars()]
        if not who:
            raise
        path = shown_address(connection.engine.url)
        raise EnvironmentProblem.about(_LOCKED, path=path, who=Listing(who)) from error


def _key(name: str) -> int:
    digest = hashlib.sha256(f"awase {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
