"""Corpus files: made complete or not at all, locked by one writer, backed up before changes."""

import errno
import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from filelock import BaseFileLock
from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import DBAPIError

from awase.core.errors import EnvironmentProblem, Missing, Problem
from awase.core.progress import Reporter
from awase.storage.databases import sqlite, sqlite_files
from awase.storage.databases.access import Access, rows_understood, translated
from awase.storage.databases.format_version import check_file, is_current, version_text
from awase.storage.databases.side_files import is_pending_foreign, lock_file, set_pending_aside
from awase.storage.databases.statements import check_statements, upgrade
from awase.storage.log.acts import newest_state
from awase.storage.opening.backups import Preparation, is_large, prepare_now
from awase.storage.opening.checkpoints import Checkpointer
from awase.storage.opening.plain_files import (
    CorpusLocked,
    Fill,
    HardLinked,
    Holder,
    NotWritable,
    check_to_read,
    foreign_warnings,
    made_file,
    partial_of,
    size_warnings,
    take_lock,
)
from awase.storage.rows.schema import HolderRow


def open_to_read(location: Path) -> Access:
    """Returns the file open for reading; nothing on the disk changes."""
    path = real_path(location)
    check_file(path)
    engine = sqlite.engine_to_read(path)
    with (
        translated(str(location)),
        rows_understood(str(location)),
        engine.connect() as connection,
    ):
        version = check_to_read(connection, path, str(location))
    return Access(
        location=os.path.abspath(location),
        format_version=version_text(version),
        reading=engine,
        warnings=(*foreign_warnings(path), *size_warnings(path)),
    )


def open_to_write(location: Path, who: str, reporter: Reporter) -> Access:
    """Returns the file open for writing, migrated when it was older, with a backup beside it.

    Raises:
        CorpusLocked: Another process has it open for writing.
        NotWritable: The file or its folder cannot be written.
    """
    path = real_path(location)
    check_file(path)
    if not sqlite_files.is_writable(path):
        raise NotWritable(str(location), os.strerror(errno.EACCES))
    if path.stat().st_nlink > 1:
        raise HardLinked(str(location))
    try:
        lock = take_lock(path)
    except OSError as error:
        raise NotWritable(str(location), error.strerror or str(error)) from error
    if lock is None:
        raise CorpusLocked(str(location), holder_of(path))
    try:
        with translated(str(location)):
            foreign = _set_foreign_aside(path, str(location))
            prepared = _prepare(path, reporter)
            access = _opened(
                path, location, who, lock, (*foreign, *size_warnings(path), *prepared.warnings)
            )
            if prepared.content is None:
                return access
            return replace(access, preparation=Preparation(path, prepared.content))
    except BaseException:
        lock.release()
        raise


def create_file(location: Path, who: str, fill: Fill) -> Access:
    """Returns a new corpus file, open for writing.

    It appears under its name when `fill` has written all of it; a failure leaves nothing behind.

    Raises:
        CorpusLocked: Somebody else is creating it.
    """
    with made_file(location, fill) as made, translated(str(location)):
        return _opened(made.path, location, who, made.lock, ())


def real_path(location: Path) -> Path:
    """Returns the one path that all names of a file lead to, wherever the process goes later."""
    return Path(os.path.realpath(location))


def _set_foreign_aside(path: Path, location: str) -> tuple[Problem, ...]:
    """Sees to it that nothing is taken for the file's that was written to another one."""
    if not is_pending_foreign(path):
        return ()
    try:
        aside = set_pending_aside(path)
    except OSError as error:
        raise NotWritable(location, error.strerror or str(error)) from error
    return (
        Problem(
            what="“{path}” was exchanged, or a backup was copied over it, while changes to the "
            "file before lay beside it. They do not fit it and were set aside as “{aside}”.",
            hint="Another time, let the program go back to a backup: it keeps both.",
            fields={"path": location, "aside": str(aside), "missing": Missing.BACKUP.value},
        ),
    )


class _Prepared(NamedTuple):
    """What was found of a file, and what is left to do before it is written to.

    Attributes:
        content: Of which a backup is to be made in the background; None = all is done.
    """

    warnings: tuple[Problem, ...] = ()
    content: str | None = None


def _prepare(path: Path, reporter: Reporter) -> _Prepared:
    """Looks at the file, backs it up, and only then changes it.

    Of a large one that needs no change, both are left to the background.
    """
    sqlite_files.remove_database(partial_of(path))
    engine = sqlite.engine_to_read(path)
    with rows_understood(str(path)), engine.connect() as connection:
        check_statements(connection, str(path))
        is_older = not is_current(sqlite_files.user_version(connection), path)
        state = newest_state(connection)
    if is_large(path) and not is_older:
        return _Prepared(content=state)
    missing = prepare_now(path, state, reporter)
    if missing is not None and is_older:  # a conversion cannot be taken back
        raise EnvironmentProblem(missing.what, missing.hint, **missing.fields)
    if missing is not None:
        return _Prepared((missing,))
    with rows_understood(str(path)):
        if is_older:
            _migrate(path)
    return _Prepared()


def _migrate(path: Path) -> None:
    engine = sqlite.engine_to_migrate(path)
    try:
        with sqlite.for_writing(engine).begin() as connection:
            upgrade(connection)
            sqlite.check_references(connection, path)
            sqlite_files.set_marks(connection)
    finally:
        engine.dispose()


def _opened(
    path: Path, location: Path, who: str, lock: BaseFileLock, warnings: tuple[Problem, ...]
) -> Access:
    engine = sqlite.engine_to_write(path)
    writing = sqlite.for_writing(engine)
    try:
        version = _write_holder(writing, Holder.this_process(who))
        try:
            keeper = Checkpointer(path)
        except OSError as error:
            raise NotWritable(str(location), error.strerror or str(error)) from error
    except BaseException:
        engine.dispose()
        raise
    return Access(
        location=os.path.abspath(location),
        format_version=version_text(version),
        reading=engine,
        writing=writing,
        lock=lock,
        warnings=warnings,
        keeper=keeper,
    )


def _write_holder(engine: Engine, holder: Holder) -> int:
    with engine.begin() as connection:
        connection.execute(delete(HolderRow))
        connection.execute(
            insert(HolderRow).values(
                who=holder.who, host=holder.host, pid=holder.pid, since=holder.since
            )
        )
        # The header tells this session's file from those before: each copy of it looks otherwise.
        return sqlite_files.write_header(connection)


def locked_by_another(location: Path) -> CorpusLocked | None:
    """Returns what a writer of the file would be told now; None = it is free."""
    path = real_path(location)
    if not lock_file(path).exists():
        return None
    try:
        lock = take_lock(path)
    except OSError:  # without the right to lock it nobody can tell
        return None
    if lock is None:
        return CorpusLocked(str(location), holder_of(path))
    lock.release()
    return None


def holder_of(path: Path) -> Holder | None:
    """Returns who opened the file for writing last; None when it does not tell."""
    columns = select(HolderRow.who, HolderRow.host, HolderRow.pid, HolderRow.since)
    try:
        with sqlite.engine_to_read(path).connect() as connection:
            row = connection.execute(columns).first()
    except DBAPIError:
        return None
    return Holder(who=row[0], host=row[1], pid=row[2], since=row[3]) if row else None
