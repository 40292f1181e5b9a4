"""One writer a corpus file: a lock that the operating system frees when its holder dies."""

import errno
import getpass
import os
import socket
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from awase.core.errors import EnvironmentProblem
from awase.storage.databases.side_files import lock_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who has a corpus open for writing.

    Attributes:
        who: Annotator or user.
        host: Name of the machine.
        pid: Process on that machine.
        since: ISO 8601, UTC.
    """

    who: str
    host: str
    pid: int
    since: str

    @classmethod
    def this_process(cls, who: str) -> "Holder":
        """Returns this process as a holder."""
        return cls(
            who=who or _user(),
            host=socket.gethostname(),
            pid=os.getpid(),
            since=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # an account without a name, as in some containers
        return "?"


class CorpusLocked(EnvironmentProblem):
    """Another process has the corpus open for writing; it can be opened read-only.

    Attributes:
        holder: Who; None when the file does not tell yet.
    """

    def __init__(self, location: str, holder: Holder | None) -> None:
        self.holder = holder
        hint = "Close it there, or open it read-only."
        if holder is None:
            super().__init__("“{path}” is open in another process.", hint, path=location)
        else:
            super().__init__(
                "“{path}” is open for {who} on {host} (process {pid}, since {since}).",
                hint,
                path=location,
                who=holder.who,
                host=holder.host,
                pid=holder.pid,
                since=holder.since,
            )


class NotWritable(EnvironmentProblem):
    """The corpus, or the folder it is in, cannot be written; it can be opened read-only."""

    def __init__(self, location: str, reason: str) -> None:
        super().__init__(
            "“{path}” or its folder cannot be written ({error}).",
            "Open it read-only, or copy it to a folder of your own.",
            path=location,
            error=reason,
        )


class HardLinked(EnvironmentProblem):
    """The file has several names; a lock beside one of them is none for the others."""

    def __init__(self, location: str) -> None:
        super().__init__(
            "“{path}” has other names as well (hard links, as some backups make them), so it is "
            "only read: who opens it by another name would overwrite what is written here.",
            "Copy it, and work on the copy.",
            path=location,
        )


def take_lock(path: Path) -> BaseFileLock | None:
    """Returns the lock on the corpus at `path`, held; None when another process has it.

    Whoever may write the corpus may lock it: the lock file gets the corpus's permissions.

    Raises:
        OSError: The lock file cannot be written.
    """
    if os.path.lexists(lock_file(path)) and not stat.S_ISREG(os.lstat(lock_file(path)).st_mode):
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(lock_file(path)))
    mode = stat.S_IMODE(path.stat().st_mode) & 0o666 if path.exists() else 0o644
    # A corpus is opened by a background job and closed by the window: not one lock a thread.
    lock = FileLock(lock_file(path), timeout=0, mode=mode, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    except NotImplementedError as error:  # older filelock: a file system without locks
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from error
    return lock
