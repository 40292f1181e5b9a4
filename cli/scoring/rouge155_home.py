"""`awase rouge155 --home FOLDER`: what programs look for that call ROUGE-1.5.5.pl themselves.

They want a folder with the program and its `data`. Some run the file itself, others `perl` with it:
the launcher is a shell script and a Perl program at once, and neither does more than start awase.
"""

import os
import shlex
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.metrics.rouge.word_lists import own_lists, stop_list

PROGRAM: Final = "ROUGE-1.5.5.pl"
_EXCEPTIONS: Final = "WordNet-2.0-Exceptions"
_POSIX: Final = """#!/bin/sh
# Starts `awase rouge155`, which takes the place of ROUGE-1.5.5: as a shell script, or run by perl.
eval 'exec {shell} "$@"'
    if 0;
exec {{ {perl} }} {words}, @ARGV;
"""
_WINDOWS: Final = '@echo off\r\n"{python}" -m awase.cli rouge155 %*\r\n'


def write_home(folder: Path, python: str = "") -> Path:
    """Writes the folder and returns the launcher's path; files of ours there are replaced.

    Args:
        folder: Made when it is not there.
        python: Which Python runs awase; empty = this one.
    """
    program = folder / PROGRAM
    try:
        is_ours = os.path.isfile(program) and b"awase" in program.read_bytes()
        if not is_ours and (os.path.lexists(program) or os.path.exists(folder / "data")):
            raise InputError.of(
                "“{folder}” holds the Perl program itself, or its data.", "Name another folder.",
                folder=str(folder),
            )  # fmt: skip
        data = folder / "data" / _EXCEPTIONS
        data.mkdir(parents=True, exist_ok=True)
        _write_launchers(folder, python or sys.executable)
        (folder / "data" / "smart_common_words.txt").write_text(
            "".join(f"{word}\n" for word in stop_list()), "utf-8", newline="\n"
        )
        forms = "".join(f"{form} {base}\n" for form, base in own_lists().exceptions.items())
        # The four parts are read one after the other, and the last word on a form counts.
        for part, content in (("adj", ""), ("adv", ""), ("noun", ""), ("verb", forms)):
            (data / f"{part}.exc").write_text(content, "latin-1", newline="\n")
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be written ({error}).",
            "Choose another place, or make room on the disk.",
            path=str(folder),
            error=error.strerror or str(error),
        ) from error
    return program


def _write_launchers(folder: Path, python: str) -> None:
    words = [python, "-m", "awase.cli", "rouge155"]
    program = folder / PROGRAM
    program.write_text(
        _POSIX.format(
            # Within the quotes of eval, a quote is spelled '"'"'.
            shell=_quoted(words).replace("'", "'\"'\"'"),
            perl=_perl(python),
            words=", ".join(map(_perl, words)),
        ),
        "utf-8",
        newline="\n",
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    for ending in (".cmd", ".bat"):
        (folder / f"ROUGE-1.5.5{ending}").write_text(
            _WINDOWS.format(python=python), "utf-8", newline=""
        )


def _quoted(words: Sequence[str]) -> str:
    return " ".join(map(shlex.quote, words))


def _perl(text: str) -> str:
    """Returns a Perl string that stands for the text itself."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
