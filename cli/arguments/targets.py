"""Files that are named to be written: what is there already is not replaced unasked."""

import os
from pathlib import Path

from awase.core.errors import InputError


def check_free(target: Path, *, force: bool) -> None:
    """Does nothing where a file may be written, also to a device or pipe, which stays.

    Args:
        target: The file.
        force: Whether it may be replaced.

    Raises:
        InputError: A folder is there, or a file that may not be replaced.
    """
    if os.path.isdir(target):
        raise InputError.of("“{file}” is a folder.", "Name a file in it.", file=str(target))
    if os.path.isfile(target) and not force:
        raise InputError.of(
            "“{file}” exists already.", "Choose another name, or add --force to replace it.",
            file=str(target),
        )  # fmt: skip
