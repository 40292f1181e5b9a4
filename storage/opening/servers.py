"""Corpora on a database server, which many people write at once."""

from collections.abc import Callable

from sqlalchemy import Connection, inspect

from awase.core.errors import EnvironmentProblem
from awase.storage.databases import postgresql
from awase.storage.databases.access import Access, translated
from awase.storage.databases.addresses import without_password
from awase.storage.databases.header import USER_VERSION, version_text
from awase.storage.databases.migrating import lacks_steps, upgrade
from awase.storage.opening.seeding import seed
from awase.storage.rows.schema import CorpusRow


def open_on_server(location: str, *, read_only: bool) -> Access:
    """Returns the corpus in the database at the URL `location`.

    Raises:
        EnvironmentProblem: It cannot be reached, is not a corpus, or of a newer version.
    """
    access = _access(location, read_only=read_only)
    try:
        with translated(access.location):
            with access.reading.connect() as connection:
                is_older = lacks_steps(connection, access.location)
            if is_older and access.writing is not None:
                with access.writing.begin() as connection:
                    upgrade(connection)
                    seed(connection)
    except BaseException:
        access.close()
        raise
    return access


def create_on_server(location: str, fill: Callable[[Connection], None]) -> Access:
    """Returns a new corpus in the database at the URL `location`, which must have none.

    Raises:
        EnvironmentProblem: There is one already, or the database cannot be written.
    """
    access = _access(location, read_only=False)
    engine = access.writing or access.reading
    try:
        with translated(access.location), engine.begin() as connection:
            if inspect(connection).has_table(CorpusRow.__tablename__):
                raise EnvironmentProblem(
                    "“{path}” exists already.", "Choose another name.", path=access.location
                )
            fill(connection)
    except BaseException:
        access.close()
        raise
    return access


def _access(location: str, *, read_only: bool) -> Access:
    url = postgresql.server_address(location)
    engine = postgresql.engine_of(url)
    return Access(
        location=without_password(url.render_as_string()),
        format_version=version_text(USER_VERSION),
        reading=postgresql.for_reading(engine),
        writing=None if read_only else engine,
    )
