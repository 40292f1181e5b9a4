"""`--time-limit` and `--settle`: how long is searched for what may take for ever."""

from collections.abc import Callable
from typing import TypeVar

import click

from awase.cli.arguments.choices import TIME_LIMIT_S
from awase.cli.arguments.vocabulary import Shared

F = TypeVar("F", bound=Callable[..., object])


def time_limit_options(what: str, settled: str) -> Callable[[F], F]:
    """Returns what gives a command both options, as `time_limit` and `settle`.

    Args:
        what: What the limit is for.
        settled: What `--settle` does.
    """

    def decorated(command: F) -> F:
        command = click.option("--settle", cls=Shared, is_flag=True, help=settled)(command)
        return click.option(
            "--time-limit", cls=Shared, metavar="SECONDS",
            type=click.FloatRange(min=0, min_open=True),
            help=f"{what}  [default: {TIME_LIMIT_S:g}]",
        )(command)  # fmt: skip

    return decorated


def seconds_allowed(time_limit: float | None, *, settle: bool) -> float | None:
    """Returns the limit in seconds; None = there is none.

    Raises:
        UsageError: Both options are given.
    """
    if settle and time_limit is not None:
        raise click.UsageError("Choose one of --settle and --time-limit.")
    return time_limit if settle or time_limit is not None else TIME_LIMIT_S
