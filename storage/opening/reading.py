"""Corpus files opened to be read: what is looked at first."""

import os
from pathlib import Path

from awase.core.errors import EnvironmentProblem, Problem
from awase.storage.databases.format_version import check_file, is_current
from awase.storage.databases.querying import Readable
from awase.storage.databases.side_files import is_pending_foreign
from awase.storage.databases.sqlite_errors import file_errors_translated
from awase.storage.databases.sqlite_files import connected_to_read, user_version
from awase.storage.databases.trusted_schema import check_statements
from awase.storage.log.state import newest_state


def readable_file(location: Path) -> Path:
    """Returns the one path that all names of a file lead to, when it can be read as a corpus.

    Raises:
        EnvironmentProblem: It is missing, damaged, of another version or not a corpus,
            or holds statements that are not Awase's own.
    """
    path = Path(os.path.realpath(location))
    check_file(path)
    with file_errors_translated(str(location)), connected_to_read(path) as connection:
        check_to_read(connection, path, str(location))
    return path


def check_to_read(connection: Readable, path: Path, location: str) -> int:
    """Returns the version of the format in which a file is.

    Args:
        connection: To the file.
        path: Where it is.
        location: What people call it.

    Raises:
        EnvironmentProblem: It is of another version, or holds statements that are not Awase's own.
    """
    check_statements(connection, location)
    newest_state(connection)  # or its log has no room for another row
    version = user_version(connection)
    if not is_current(version, path):
        raise EnvironmentProblem(
            "“{path}” was made by an older version and has to be converted first.",
            "Open it once for writing; a backup is kept.",
            path=location,
        )
    return version


def foreign_warnings(path: Path) -> tuple[Problem, ...]:
    """Returns what is to be known of a file beside which lies what was written to another one."""
    if not is_pending_foreign(path):
        return ()
    return (
        Problem(
            what="“{path}” was exchanged, or a backup was copied over it, while changes to the "
            "file before lay beside it. They do not fit it and are not read.",
            hint="To go back to a backup, use “awase restore”, which keeps both.",
            fields={"path": str(path)},
        ),
    )
