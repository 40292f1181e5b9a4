"""`awase rouge155`: replacement of the Perl program ROUGE-1.5.5, with the same output.

Its data folders: word lists, and a home for programs that call ROUGE-1.5.5. Those need a folder
with the program and its `data`. Some run the file itself, others `perl` with it: the launcher is a
shell script and a Perl program in one, which starts awase.
"""

import os
import shlex
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from awase.cli.output.messages import counted, errors_reported, print_problems
from awase.core.errors import CorpusFormatError, FieldValue, InputError, Problem

if TYPE_CHECKING:
    from awase.core.metrics.rouge.tokens import WordLists
    from awase.core.rouge_files import Evaluation


_WITH_VALUE = frozenset("bceflnprtwz23")
_FLAGS = frozenset("adhHmMsuUvx")
_USAGE = """\
awase rouge155 [options] SETTINGS [SYSTEM]

SETTINGS is a ROUGE-1.5.5 settings file, or with -z a list of files. The options are those of
ROUGE-1.5.5.pl, and so is what is printed on standard output:

  -a            every system of the settings      -c PERCENT  confidence (95)
  -n N          ROUGE-1 to ROUGE-N                -r N        bootstrap resamples (1000)
  -x            no ROUGE-L                        -d          scores of each summary, too
  -w WEIGHT     ROUGE-W                           -f A|B      all references, or the best
  -2 GAP        ROUGE-S, -1 = any gap             -p ALPHA    of F, 1 favours precision (0.5)
  -u, -U        ROUGE-SU instead, or as well      -t 0|1|2    by summary, by token, raw counts
  -3 MODE       ROUGE-BE: H HM HMR HM1 HMR1 HMR2  -m          stem
  -l N, -b N    only the first words, or bytes    -s          drop stop words
  -z FORMAT     SETTINGS is a list of files: SEE, SPL, ISI or SIMPLE
  -e FOLDER     its stop list and irregular forms, instead of the ones built in
  -v            accepted and ignored

awase rouge155 --home FOLDER

writes a folder with ROUGE-1.5.5.pl and data, for programs that call the Perl program themselves.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Parsed command line."""

    options: dict[str, str] = field(default_factory=dict)  # letter to value; a flag has the value 1
    arguments: tuple[str, ...] = ()
    # Unknown letters; the Perl program warns about them and continues.
    unknown: tuple[str, ...] = ()


def typed(arguments: Sequence[str]) -> Typed:
    """Parses options as Perl's Getopt::Std.

    Flags can be combined, a value may follow its letter directly or after a blank, and it may begin
    with a minus. Options end at `--` or at the first argument.
    """
    rest = list(arguments)
    options: dict[str, str] = {}
    unknown: list[str] = []
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        word = rest.pop(0)
        if word == "--":
            break
        letter, tail = word[1], word[2:]
        if letter in _WITH_VALUE:
            if not tail and not rest:
                raise InputError.of("Option -{letter} has no value.", letter=letter)
            options[letter] = tail or rest.pop(0)
            continue
        if letter in _FLAGS:
            options[letter] = "1"
        else:
            unknown.append(letter)
        if tail:
            rest.insert(0, f"-{tail}")
    return Typed(options=options, arguments=tuple(rest), unknown=tuple(unknown))


def main(argv: Sequence[str]) -> int:
    """Prints what ROUGE-1.5.5 prints for `argv`; returns the exit status."""
    # Nothing here multiplies matrices; to start the threads for it costs a tenth of a run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with errors_reported():
            if argv[:1] == ["--home"] or argv[:1] == ("--home",):
                _write_home(argv[1:])
                return 0
            request = typed(argv)
            if not argv or {"h", "H"} & request.options.keys():
                click.echo(_USAGE, err=True)
                return 0 if argv else 2
            click.echo(b"".join(_blocks(request)), nl=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    return 0


def _write_home(arguments: Sequence[str]) -> None:
    if len(arguments) != 1:
        raise InputError.of("--home takes one folder.", "Write: awase rouge155 --home FOLDER.")
    program = write_home(Path(arguments[0]))
    click.echo(f"{program}: written. ROUGE_EVAL_HOME is {program.parent / 'data'}.", err=True)


@click.command(
    "rouge155",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Score like the Perl program ROUGE-1.5.5, with its options, settings and output."""
    ctx.exit(main(arguments))


def _blocks(request: Typed) -> Iterator[bytes]:
    from awase.core.metrics.rouge.program import (
        cut_within_character,
        missing_summaries,
        paths_of,
        printed_lines,
        program_options,
        systems_of,
    )

    for letter in request.unknown:
        _warn("There is no option -{letter}.", letter=letter)
    program_options(request.options)
    options = program_options(request.options, word_lists(request.options))
    evaluations, typed_system = _read_settings(request)
    system, encoded = _system_there(evaluations, typed_system)
    systems = [system] if system is not None else systems_of(evaluations)
    missing = [*missing_summaries(evaluations, systems)]
    print_problems("warning", missing)
    contents = _read_files(paths_of(evaluations, systems))
    _warn_of_lost_letters(contents)
    cut = cut_within_character(evaluations, systems, contents, options)
    if cut:
        _warn(
            "-b ends within a character of {files}; {path} is one.",
            "The rest of the character separates words, as in ROUGE-1.5.5.",
            files=counted(len(cut), "file"),
            path=cut[0],
        )
    for line in printed_lines(evaluations, systems, contents, options):
        yield encoded(line + "\n")


def _system_there(
    evaluations: "Sequence[Evaluation]", system: str | None
) -> tuple[str | None, Callable[[str], bytes]]:
    """Returns the system's id as in the settings, and the encoding of its lines.

    Perl decodes each byte typed as Latin-1, and prints lines in Latin-1 if possible, others in
    UTF-8. An id typed in UTF-8 is matched here, too, and printed so.
    """
    if system is None:
        return None, _encoded_by_perl
    as_bytes = os.fsencode(system).decode("latin-1")
    if any(as_bytes in dict(evaluation.peers) for evaluation in evaluations):
        return as_bytes, _encoded_by_perl
    return system, os.fsencode


def _encoded_by_perl(line: str) -> bytes:
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode()


def _warn(what: str, hint: str = "", **fields: FieldValue) -> None:
    print_problems("warning", [Problem(what=what, hint=hint, fields=fields)])


def _read_settings(request: Typed) -> "tuple[tuple[Evaluation, ...], str | None]":
    """Returns the evaluations and the one system to score; None = all."""
    from awase.core.rouge_files import evaluations_of_list, evaluations_of_xml

    options, arguments = request.options, request.arguments
    if not arguments:
        raise InputError.of("No settings file is named.", "See awase rouge155 -h.")
    path = arguments[0]
    system = arguments[1] if len(arguments) > 1 else None
    content = _read(path)
    try:
        if "z" in options:
            system = system or "X"
            lines = os.fsdecode(content).split("\n")
            return evaluations_of_list(lines, options["z"], system), system
        if "a" not in options and system is None:
            raise InputError.of("No system is named.", "Name one, or give -a for all.")
        return evaluations_of_xml(content), None if "a" in options else system
    except InputError as error:
        raise type(error)(problem.in_source(path) for problem in error.problems) from error


def _read(path: str) -> bytes:
    from awase.jobs.files.reading import read_argument

    return read_argument(Path(path))


def _read_files(paths: Sequence[str]) -> dict[str, bytes]:
    """Returns the contents by path; reports all unreadable files together."""
    contents: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in paths:
        try:
            contents[path] = _read(path)
        except OSError as error:
            reason = error.strerror or str(error)
            problems.append(Problem(what="{reason}.", fields={"reason": reason}, source=path))
    if problems:
        raise InputError(problems)
    return contents


def _warn_of_lost_letters(contents: dict[str, bytes]) -> None:
    from awase.core.text.tokenisers import lost_letters

    damaged = [
        path
        for path, content in contents.items()
        if not content.isascii() and lost_letters(content.decode("utf-8", "replace"))
    ]
    if damaged:
        _warn(
            "{files} letters outside ASCII, which ROUGE-1.5.5 deletes; {path} is one.",
            "Use another tokeniser (awase score) unless you want the program's own numbers.",
            files=counted(len(damaged), "file has", "files have"),
            path=damaged[0],
        )


PROGRAM: Final = "ROUGE-1.5.5.pl"
_POSIX: Final = """#!/bin/sh
# Starts `awase rouge155`, which takes the place of ROUGE-1.5.5: as a shell script, or run by perl.
eval 'exec {shell} "$@"'
    if 0;
exec {{ {perl} }} {words}, @ARGV;
"""
_WINDOWS: Final = '@echo off\r\n"{python}" -m awase.cli rouge155 %*\r\n'


def write_home(folder: Path) -> Path:
    """Writes the folder and returns the launcher's path, replacing our own files there."""
    from awase.core.metrics.rouge.tokens import own_lists, stop_list
    from awase.jobs.files.writing import not_writable

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
        _write_launchers(folder, sys.executable)
        (folder / "data" / _STOP_LIST).write_text(
            "".join(f"{word}\n" for word in stop_list()), "utf-8", newline="\n"
        )
        forms = "".join(f"{form} {base}\n" for form, base in own_lists().exceptions.items())
        # The four parts are read one after the other, and the last word on a form counts.
        for part in _PARTS:
            content = forms if part == _PARTS[-1] else ""
            (data / f"{part}.exc").write_text(content, "latin-1", newline="\n")
    except OSError as error:
        raise not_writable(folder, error) from error
    return program


def _write_launchers(folder: Path, python: str) -> None:
    words = [python, "-m", "awase.cli", "rouge155"]
    program = folder / PROGRAM
    program.write_text(
        _POSIX.format(
            # Within the quotes of eval, a quote is spelled '"'"'.
            shell=shlex.join(words).replace("'", "'\"'\"'"),
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


def _perl(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_STOP_LIST = "smart_common_words.txt"
_DATABASE = "WordNet-2.0.exc.db"
_SOURCES = "WordNet-2.0-Exceptions"
# In the order in which the distribution builds its database; later ones win.
_PARTS = ("adj", "adv", "noun", "verb")
_MISSING = "“{folder}” has no {name}; the built-in list is used."
_VARIABLES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")


def word_lists(options: Mapping[str, str]) -> "WordLists | None":
    """Returns the word lists of the folder in `-e` or `ROUGE_EVAL_HOME`; None = built-in ones.

    Only what `-s` and `-m` need is read; missing lists are reported, with built-in ones instead.
    """
    from awase.core.metrics.rouge.tokens import WordLists, own_lists

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
            "Correct it, or leave it out to use the built-in word lists.",
            folder=folder,
            by=by,
        )
    return Path(folder)


def _stop_words(folder: Path) -> frozenset[str] | None:
    from awase.core.metrics.rouge.tokens import stop_words_of

    path = folder / _STOP_LIST
    if not os.path.isfile(path):
        _warn(_MISSING, folder=str(folder), name=_STOP_LIST)
        return None
    return stop_words_of(path.read_bytes())


def _exceptions(folder: Path) -> Mapping[str, str] | None:
    from awase.core.metrics.rouge.tokens import exceptions_of
    from awase.core.rouge_files import entries_of

    sources = [folder / _SOURCES / f"{part}.exc" for part in _PARTS]
    has_sources = all(os.path.isfile(path) for path in sources)
    database = folder / _DATABASE
    if os.path.isfile(database):
        try:
            entries = entries_of(database.read_bytes())
        except CorpusFormatError as error:
            if not has_sources:
                _warn(
                    "“{path}” cannot be read, so the built-in irregular forms are used: {reason}",
                    "Put WordNet's .exc files beside it, in a folder WordNet-2.0-Exceptions.",
                    path=str(database),
                    reason="; ".join(map(str, error.problems)),
                )
                return None
        else:
            return {key.decode("latin-1"): entries[key].decode("latin-1") for key in entries}
    if has_sources:
        return exceptions_of(path.read_bytes() for path in sources)
    _warn(_MISSING, folder=str(folder), name=_DATABASE)
    return None
