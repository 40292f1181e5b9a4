"""`--processes` and `--cluster`: who does the work of a long job."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from awase.core.metrics.kit.workers import Workers

F = TypeVar("F", bound=Callable[..., object])


def workers_options() -> Callable[[F], F]:
    """Returns what gives a command both options, as `processes` and `cluster`."""

    def decorated(command: F) -> F:
        command = click.option(
            "--cluster", metavar="ADDRESS",
            help="Work on the Dask cluster whose scheduler is there, tcp://host:8786.",
        )(command)  # fmt: skip
        return click.option(
            "--processes", type=click.IntRange(min=1), default=None,
            help="How many processes at most.  [default: as there are cores]",
        )(command)  # fmt: skip

    return decorated


@contextmanager
def workers_for(processes: int | None, cluster: str | None) -> Iterator["Workers"]:
    """Lends those who work.

    Args:
        processes: What `--processes` says.
        cluster: What `--cluster` says.

    Raises:
        UsageError: Both are given.
        EnvironmentProblem: The cluster cannot be had.
    """
    from awase.jobs.supplies.workers import cluster_workers, local_workers

    if cluster is None:
        yield local_workers(processes)
        return
    if processes is not None:
        raise click.UsageError("Choose one of --processes and --cluster.")
    with cluster_workers(cluster) as workers:
        yield workers
