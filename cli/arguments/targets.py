"""Where a command writes: never over what it reads, and over a file only with `--force`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from awase.jobs.files.writing import Target

TARGETS: Final = ("output_file", "target", "page", "be_folder")
"""Parameters that name what is written; whatever else names a file is read."""


def output_target(path: Path, *, force: bool = False) -> "Target":
    """Returns where the command that runs writes.

    Args:
        path: What was typed.
        force: Whether a file may be replaced.
    """
    from awase.jobs.files.writing import Target

    context = click.get_current_context()
    read = (
        one
        for name, value in context.params.items()
        if name not in TARGETS
        for one in _places(value)
    )
    return Target(path=path, replaces=force, inputs=tuple(dict.fromkeys(read)))


def _places(value: object) -> Iterator[Path]:
    """Yields what a parameter may name: a file, or a file behind `NAME=`."""
    if isinstance(value, tuple):
        for one in value:
            yield from _places(one)
    elif str(value) == "-":
        yield Path("/dev/stdin")
    elif isinstance(value, str | Path) and str(value):
        yield Path(value)
        _, equals, behind = str(value).partition("=")
        if equals and behind:
            yield Path(behind)
