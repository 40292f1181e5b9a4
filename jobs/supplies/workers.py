"""Workers of long jobs: this process, a local pool, or a Dask cluster (extra `cluster`).

Dask's scheduler reassigns tasks when a worker dies. Results are those of one process, to the last
digit, because each task is the same pure function of the same values.
"""

import logging
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from awase.core.errors import AwaseError, EnvironmentProblem
from awase.core.extras import missing_package
from awase.core.metrics.kit.signature import program_version
from awase.core.metrics.kit.workers import Elsewhere, Piece, Processes, Workers
from awase.core.progress import Reporter

if TYPE_CHECKING:
    from distributed import Client

Task = TypeVar("Task")
Result = TypeVar("Result")

SECONDS_TO_ANSWER: Final = 10  # timeout of a scheduler

_PIECES_PER_THREAD: Final = 8
_START_WORKERS: Final = "dask worker"


def local_workers(n_processes: int | None = None) -> Workers:
    """Returns a local pool, used for large jobs; None = as many processes as cores."""
    # Of the processor, not of the day: on a busy machine more processes help least.
    return Processes(n_processes or os.cpu_count() or 1, time.process_time)


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """Connects to a Dask scheduler, such as tcp://scheduler:8786."""
    client = _connected(address)
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)  # lost workers are survived, a lost scheduler told: once, by us
    try:
        n_threads = _check_workers(client, address)
        yield _OfCluster(client, address, n_threads)
    finally:
        client.close(timeout=SECONDS_TO_ANSWER)  # type: ignore[no-untyped-call]
        log.setLevel(level)


@dataclass(frozen=True, slots=True)
class _About:
    """Versions that must agree for equal results."""

    awase: str
    python: str


def _about() -> _About:
    return _About(
        awase=program_version(),
        python="{}.{}".format(*sys.version_info),
    )


def _connected(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError as error:
        raise missing_package("distributed", extra="cluster", needed_for="Dask") from error
    try:
        return Client(  # type: ignore[no-untyped-call]
            address, timeout=SECONDS_TO_ANSWER, set_as_default=False
        )
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(
            "No scheduler answers at {address} ({error}).",
            "Check the address, and that the scheduler runs: dask scheduler.",
            address=address,
            error=str(error).splitlines()[0],
        ) from error


def _check_workers(client: "Client", address: str) -> int:
    """Returns the number of parallel tasks."""
    threads: dict[str, int] = client.nthreads()  # type: ignore[no-untyped-call]
    if not threads:
        raise EnvironmentProblem(
            "The cluster at {address} has no worker.",
            "Start some: {workers} {address}.",
            address=address,
            workers=_START_WORKERS,
        )
    own = _about()
    found: dict[str, Any] = client.run(_about, on_error="return")
    for worker, about in found.items():
        if not isinstance(about, _About):
            raise EnvironmentProblem(
                "The worker {worker} cannot load Awase ({error}).",
                "Install the same version of Awase where the workers run.",
                worker=worker,
                error=f"{type(about).__name__}: {about}",
            )
        if (about.awase, about.python) != (own.awase, own.python):
            raise EnvironmentProblem(
                "The worker {worker} has Awase {theirs} on Python {their_python}; here it is "
                "{ours} on Python {our_python}.",
                "Install the same on both sides, so that the numbers are the same.",
                worker=worker,
                theirs=about.awase,
                their_python=about.python,
                ours=own.awase,
                our_python=own.python,
            )
    return sum(threads.values())


class _OfCluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: "Client", address: str, n_threads: int) -> None:
        self._client = client
        self._address = address
        self._elsewhere = Elsewhere(
            client.get_executor(pure=False),  # type: ignore[no-untyped-call]
            check=self._check,
            at_once=_PIECES_PER_THREAD * n_threads,
        )

    def map(
        self, function: Piece[Task, Result], tasks: Sequence[Task], reporter: Reporter
    ) -> Iterator[Result]:
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        try:
            yield from self._elsewhere.map(function, tasks, reporter)
        except CancelledError as error:
            raise self._lost() from error
        except KilledWorker as error:
            raise EnvironmentProblem(
                "A piece of the work ended every worker of {address} that it was given to.",
                "Often their memory is too small: give each worker more, or start fewer.",
                address=self._address,
            ) from error
        except AwaseError:
            raise
        except Exception as error:
            # Dask treats a result during connecting as an error of the work.
            if self._client.status == "running":
                raise
            raise self._lost() from error

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self) -> EnvironmentProblem:
        return EnvironmentProblem(
            "The connection to the cluster at {address} was lost.",
            "Nothing was changed; start again when it is back.",
            address=self._address,
        )
