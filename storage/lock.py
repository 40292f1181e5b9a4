"""One writer a corpus file: a lock that the operating system frees when its holder dies."""

import getpass
import os
import socket
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from awase.core.errors import EnvironmentProblem


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
            who=who or getpass.getuser(),
            host=socket.gethostname(),
            pid=os.getpid(),
            since=datetime.now(UTC).isoformat(timespec="seconds"),
        )


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


def take_lock(path: Path) -> FileLock | None:
    """Returns the lock on the corpus at `path`, held; None when another process has it.

    Raises:
        EnvironmentProblem: The folder does not let a lock file be written.
    """
    lock = FileLock(str(path) + "-lock", timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return None
    except OSError as error:
        raise EnvironmentProblem(
            "The folder of “{path}” cannot be written ({error}).",
            "Open the corpus read-only, or copy it to a folder of your own.",
            path=str(path),
            error=error.strerror or str(error),
        ) from error
    return lock
