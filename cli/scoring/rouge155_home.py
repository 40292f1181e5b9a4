"""Data folders of `awase rouge155`: word lists, and a home for programs that call ROUGE-1.5.5.

Those need a folder with the program and its `data`. Some run the file itself, others `perl` with
it: the launcher is a shell script and a Perl program in one, which starts awase.
"""

import os
import shlex
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from awase.cli.output.messages import print_problems
from awase.core.errors import CorpusFormatError, EnvironmentProblem, InputError, Problem
from awase.core.metrics.rouge.word_lists import (
    WordLists,
    exceptions_of,
    own_lists,
    stop_list,
    stop_words_of,
)

PROGRAM: Final = "ROUGE-1.5.5.pl"
_POSIX: Final = """#!/bin/sh
# Starts `awase rouge155`, which takes the place of ROUGE-1.5.5: as a shell script, or run by perl.
eval 'exec {shell} "$@"'
    if 0;
exec {{ {perl} }} {words}, @ARGV;
"""
_WINDOWS: Final = '@echo off\r\n"{python}" -m awase.cli rouge155 %*\r\n'


def write_home(folder: Path, python: str = "") -> Path:
    """Writes the folder and returns the launcher's path, replacing our own files there.

    `python` is the interpreter that runs awase; empty = this one.
    """
    program = folder / PROGRAM
    try:
        is_ours = os.path.isfile(program) and b"awase" in program.read_bytes()
        if not is_ours and (os.path.lexists(program) or os.path.exists(folder / "data")):
            raise InputError.of(
                "“{folder}” holds the Perl program itself, or its data.", "Name another folder.",
                folder=str(folder),
            )  # fmt: skip
        data = folder / "data" / _SOURCES
        data.mkdir(parents=True, exist_ok=True)
        _write_launchers(folder, python or sys.executable)
        (folder / "data" / _STOP_LIST).write_text(
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
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_STOP_LIST = "smart_common_words.txt"
_DATABASE = "WordNet-2.0.exc.db"
_SOURCES = "WordNet-2.0-Exceptions"
# In the order in which the distribution builds its database; later ones win.
_PARTS = ("adj", "adv", "noun", "verb")
_VARIABLES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")


def word_lists(options: Mapping[str, str]) -> WordLists | None:
    """Returns the word lists of the folder in `-e` or `ROUGE_EVAL_HOME`; None = built-in ones.

    Only what `-s` and `-m` need is read; missing lists are reported, with built-in ones instead.
    """
    folder = _folder(options)
    if folder is None:
        return None
    own = own_lists()
    stop_words = _stop_words(folder) if "s" in options else None
    exceptions = _exceptions(folder) if "m" in options else None
    return WordLists(
        stop_words=own.stop_words if stop_words is None else stop_words,
        exceptions=own.exceptions if exceptions is None else exceptions,
    )


def _folder(options: Mapping[str, str]) -> Path | None:
    named = [("-e", options["e"])] if "e" in options else []
    named += [(name, os.environ[name]) for name in _VARIABLES if name in os.environ]
    if not named:
        return None
    by, folder = named[0]
    if not os.path.isdir(Path(folder)):
        raise InputError.of(
            "There is no folder “{folder}”, which {by} names.",
            "Correct it, or leave it out: the word lists are built in.",
            folder=folder,
            by=by,
        )
    return Path(folder)


def _stop_words(folder: Path) -> frozenset[str] | None:
    path = folder / _STOP_LIST
    if not os.path.isfile(path):
        _tell_missing(folder, _STOP_LIST)
        return None
    return stop_words_of(path.read_bytes())


def _exceptions(folder: Path) -> Mapping[str, str] | None:
    from awase.core.rouge_files import entries_of

    sources = [folder / _SOURCES / f"{part}.exc" for part in _PARTS]
    has_sources = all(os.path.isfile(path) for path in sources)
    database = folder / _DATABASE
    if os.path.isfile(database):
        try:
            entries = entries_of(database.read_bytes())
        except CorpusFormatError as error:
            if not has_sources:
                _tell_unreadable(database, "; ".join(map(str, error.problems)))
                return None
        else:
            return {key.decode("latin-1"): entries[key].decode("latin-1") for key in entries}
    if has_sources:
        return exceptions_of(path.read_bytes() for path in sources)
    _tell_missing(folder, _DATABASE)
    return None


def _tell_missing(folder: Path, name: str) -> None:
    problem = Problem(
        what="“{folder}” has no {name}; the list built in is used.",
        fields={"folder": str(folder), "name": name},
    )
    print_problems("warning", [problem])


def _tell_unreadable(path: Path, reason: str) -> None:
    problem = Problem(
        what="“{path}” cannot be read, so that the irregular forms built in are used: {reason}",
        hint="Put WordNet's .exc files beside it, in a folder WordNet-2.0-Exceptions.",
        fields={"path": str(path), "reason": reason},
    )
    print_problems("warning", [problem])
