"""A backup takes the place of its corpus; what was there is kept beside it."""

import os
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.exc import DBAPIError

from awase.core.errors import EnvironmentProblem
from awase.core.progress import Reporter
from awase.storage.databases import sqlite
from awase.storage.databases.access import rows_understood, translated
from awase.storage.databases.format_version import USER_VERSION, check_file, check_length
from awase.storage.databases.querying import change, only_row_of
from awase.storage.databases.side_files import (
    SIDE_SUFFIXES,
    dated,
    identity_of,
    is_pending_foreign,
    set_pending_aside,
)
from awase.storage.databases.sqlite_errors import file_errors_translated
from awase.storage.databases.sqlite_files import (
    connected_to_make,
    connected_to_read,
    copy_pages,
    reader,
    remove_database,
    user_version,
)
from awase.storage.databases.trusted_schema import check_statements
from awase.storage.opening.backups import backups_of
from awase.storage.opening.files import holder_of, real_path
from awase.storage.opening.integrity import find_damage
from awase.storage.opening.lock import CorpusLocked, NotWritable, take_lock
from awase.storage.opening.making import cannot_create, partial_of, write_through
from awase.storage.rows.versions import new_uid


class Restored(NamedTuple):
    """What was done.

    Attributes:
        backup: What the corpus is a copy of now.
        aside: Where what was there before is; None = there was nothing.
    """

    backup: Path
    aside: Path | None


def newest_sound_backup(path: Path, reporter: Reporter) -> Path | None:
    """Returns the newest backup of the corpus at `path` in which nothing is damaged.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    for backup in reversed(backups_of(path)):
        with suppress(EnvironmentProblem, DBAPIError):
            _check_sound(backup, reporter)
            return backup
    return None


def restore(location: Path, backup: Path | None, reporter: Reporter) -> Restored:
    """Puts a backup in the place of a corpus, which is kept beside it under a dated name.

    The corpus becomes a copy of its own, so that it can be joined with what others have of it.

    Args:
        location: The corpus file, which need not be there any more.
        backup: A sound corpus file; None = the newest sound one among the corpus's backups.
        reporter: Told of each topic that is looked at; may stop it.

    Raises:
        Cancelled: The reporter asked to stop; nothing was changed.
        CorpusLocked: Somebody has the corpus open for writing.
        NotWritable: The folder cannot be written.
        EnvironmentProblem: There is no sound backup, it is of another corpus, or the disk is full.
    """
    path = real_path(location)
    chosen = sound_backup(location, backup, reporter)
    try:
        lock = take_lock(path)
    except OSError as error:
        raise NotWritable(str(location), error.strerror or str(error)) from error
    if lock is None:
        raise CorpusLocked(str(location), holder_of(path))
    try:
        return Restored(chosen, _exchange(path, chosen, reporter))
    except OSError as error:
        raise cannot_create(location, error) from error
    finally:
        lock.release()


def sound_backup(location: Path, backup: Path | None, reporter: Reporter) -> Path:
    """Returns the backup that can take a corpus's place, looked at; raises as `restore` does."""
    path = real_path(location)
    check_length(partial_of(path))
    chosen = newest_sound_backup(path, reporter) if backup is None else real_path(backup)
    if chosen is None:
        raise EnvironmentProblem(
            "“{path}” has no backup that can be taken.",
            "Name another file that is to take its place, or save what can be read of it with "
            "“awase rescue”.",
            path=str(location),
        )
    if backup is not None:
        _check_sound(chosen, reporter)
    if identity_of(chosen) == identity_of(path):
        raise EnvironmentProblem(
            "“{path}” cannot take its own place.", "Name a backup.", path=str(location)
        )
    if _uid_of(path) not in (None, _uid_of(chosen)):
        raise EnvironmentProblem(
            "“{backup}” is a backup of another corpus.",
            "Open it by itself; nothing was changed.",
            backup=str(chosen),
        )
    return chosen


def _check_sound(backup: Path, reporter: Reporter) -> None:
    """Does nothing when a file is a corpus in which nothing is damaged.

    Raises:
        EnvironmentProblem: It is none; with the first damage.
    """
    check_file(backup)
    engine = sqlite.engine_to_read(backup)
    with translated(str(backup)), rows_understood(str(backup)), engine.connect() as connection:
        check_statements(connection, str(backup))
        sqlite.check_content(connection, backup)
        is_older = user_version(connection) < USER_VERSION
        damage = () if is_older else find_damage(connection, reporter)
    for problem in damage:
        raise EnvironmentProblem(
            "The backup “{backup}” is damaged itself: {damage}",
            "Take an older one, or save what can be read of it with “awase rescue”.",
            backup=str(backup),
            damage=problem,
        )


def _uid_of(path: Path) -> str | None:
    """Returns which corpus a file is a copy of; None where it does not tell any more."""
    with suppress(EnvironmentProblem), file_errors_translated(str(path)):
        check_file(path)
        with connected_to_read(path) as connection:
            return str(only_row_of(connection, "SELECT uid FROM corpus")[0])
    return None


def _exchange(path: Path, backup: Path, reporter: Reporter) -> Path | None:
    """Puts a copy of the backup in the file's place; returns where the file is now."""
    partial = partial_of(path)
    try:
        with translated(str(path)):
            _copy(backup, partial, reporter)
        aside = _set_aside(path)
        os.replace(partial, path)
        write_through(path.parent)
    finally:
        remove_database(partial)
    return aside


def _copy(backup: Path, target: Path, reporter: Reporter) -> None:
    with closing(reader(backup)()) as source:
        copy_pages(source, target, lambda: reporter.advance(0, 0))
    with connected_to_make(target) as copy:
        change(copy, "UPDATE corpus SET replica = :replica", replica=new_uid())


def _set_aside(path: Path) -> Path | None:
    """Renames what is there, with what lies beside it where that belongs to it."""
    if is_pending_foreign(path) or not path.exists():
        with suppress(FileNotFoundError):
            set_pending_aside(path)
    if not path.exists():
        return None
    aside = dated(path, "replaced")
    path.rename(aside)
    for suffix in SIDE_SUFFIXES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside
