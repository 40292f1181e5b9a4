"""Corpora on a database server, with concurrent writers."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy import URL, Connection, func, inspect, select

from awase.core.errors import EnvironmentProblem, Problem, Reporter
from awase.core.packages import is_installed
from awase.storage.addresses import PasswordRefused
from awase.storage.files.corpus_file import USER_VERSION, version_text
from awase.storage.files.locks_and_backups import NotWritable
from awase.storage.files.sqlite_files import lacks_steps, upgrade
from awase.storage.postgresql import connections
from awase.storage.postgresql.connections import WHOLE, lock
from awase.storage.querying import is_server
from awase.storage.rows.schema import CorpusRow, OperationRow, SentenceAlignmentRow, TopicRow
from awase.storage.transactions import Access, translated

_SERVICE: Final = "awase"
_PORT: Final = 5432


def has_keyring() -> bool:
    """Returns whether a keyring is available."""
    return is_installed("keyring")


def stored_password(url: URL) -> str | None:
    """Returns the URL's password in the keyring, or None."""
    if not has_keyring():
        return None
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(_SERVICE, _name_of(url))
    except (KeyringError, OSError, RuntimeError):  # locked, or there is none on this machine
        return None


def keep_server_password(location: str, password: str) -> bool:
    """Stores a URL's password in the keyring; returns whether it succeeded."""
    if not has_keyring():
        return False
    import keyring
    from keyring.errors import KeyringError

    try:
        name = _name_of(connections.server_address(location))
        keyring.set_password(_SERVICE, name, password)
    except (KeyringError, OSError, RuntimeError):
        return False
    return True


def _name_of(url: URL) -> str:
    return f"{url.username or ''}@{url.host or ''}:{url.port or _PORT}/{url.database or ''}"


_ONLY_READS = Problem(
    what="“{role}” may only read the corpus of “{path}”.",
    hint="Open it read-only, or ask its lead for write access: awase server-setup.",
)


class RoleMayOnlyRead(NotWritable):
    """The database role may not write; the corpus can be opened read-only."""

    def __init__(self, location: str, role: str) -> None:
        what, hint = _ONLY_READS.what, _ONLY_READS.hint
        EnvironmentProblem.__init__(self, what, hint, path=location, role=role)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerCorpus:
    """Contents of a database."""

    location: str  # its address, without a password
    name: str
    n_topics: int
    role: str
    may_write: bool  # whether that name may write anything
    is_older: bool


def open_on_server(
    location: str, *, read_only: bool, password: str = "", reporter: Reporter
) -> Access:
    """Opens the corpus at a database URL; `RoleMayOnlyRead` where writing was requested.

    A missing password is looked up in the keyring when the server requires one; `PasswordRefused`
    without any, or another.
    """
    return _with_password(
        location,
        password,
        lambda word: _opened(location, read_only=read_only, password=word, reporter=reporter),
    )


def look_at_server(location: str, password: str = "") -> ServerCorpus:
    """Returns what is in the database at the URL `location`; raises as `open_on_server`."""

    def look(word: str) -> ServerCorpus:
        with (
            closing(access_to(location, read_only=True, password=word)) as access,
            translated(access.location),
            access.reading.connect() as connection,
        ):
            is_older = lacks_steps(connection, access.location)
            return ServerCorpus(
                location=access.location,
                name=connection.execute(select(CorpusRow.name)).scalar_one(),
                n_topics=connection.execute(select(func.count(TopicRow.id))).scalar_one(),
                role=connection.execute(select(func.current_user())).scalar_one(),
                may_write=_may_write(connection),
                is_older=is_older,
            )

    return _with_password(location, password, look)


_Found = TypeVar("_Found")


def _with_password(location: str, password: str, does: Callable[[str], _Found]) -> _Found:
    try:
        return does(password)
    except PasswordRefused:
        url = connections.server_address(location)
        kept = None if password or url.password else stored_password(url)
        if kept is None:
            raise
        return does(kept)


def _opened(location: str, *, read_only: bool, password: str, reporter: Reporter) -> Access:
    access = access_to(location, read_only=read_only, password=password)
    try:
        with translated(access.location):
            with access.reading.connect() as connection:
                is_older = lacks_steps(connection, access.location)
                if not read_only and not _may_write(connection):
                    role = connection.execute(select(func.current_user())).scalar_one()
                    raise RoleMayOnlyRead(access.location, role)
            if is_older and access.writing is not None:
                with access.writing.begin() as connection:
                    lock(connection, WHOLE)
                    upgrade(connection)
    except BaseException:
        access.close()
        raise
    return access


def _may_write(connection: Connection) -> bool:
    """Returns whether the role may insert into the log, which every write requires."""
    may = func.has_any_column_privilege(OperationRow.__tablename__, "INSERT")
    return bool(connection.execute(select(may)).scalar_one())


def person_of(connection: Connection) -> str | None:
    """Returns the person that the role may write as; None = anybody."""
    if not is_server(connection):
        return None
    table = SentenceAlignmentRow.__tablename__
    query = select(func.current_user()).where(func.row_security_active(table))
    found = connection.execute(query).scalar_one_or_none()
    return None if found is None else str(found)


def create_on_server(location: str, fill: Callable[[Connection], None]) -> Access:
    """Returns a new corpus in the database at the URL `location`, which must have none."""
    access = access_to(location, read_only=False)
    engine = access.writing or access.reading
    try:
        with translated(access.location), engine.begin() as connection:
            if inspect(connection).has_table(CorpusRow.__tablename__):
                raise EnvironmentProblem(
                    "“{path}” already exists.", "Choose another name.", path=access.location
                )
            fill(connection)
    except BaseException:
        access.close()
        raise
    return access


def access_to(location: str, *, read_only: bool, password: str = "") -> Access:
    """Returns the access to the URL `location`, without connecting."""
    url = connections.server_address(location)
    engine = connections.engine_of(url.set(password=password) if password else url)
    return Access(
        location=connections.shown_address(url),
        format_version=version_text(USER_VERSION),
        reading=connections.for_reading(engine),
        writing=None if read_only else engine,
    )
