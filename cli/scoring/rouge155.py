"""`awase rouge155`: replacement of the Perl program ROUGE-1.5.5, with the same output."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.output.messages import counted, errors_reported, print_problems
from awase.core.errors import InputError, Problem

if TYPE_CHECKING:
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
  -v            accepted; nothing more is told

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
    from awase.cli.scoring.rouge155_home import write_home

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
    from awase.cli.scoring.rouge155_home import word_lists
    from awase.core.metrics.rouge.program import (
        cut_within_character,
        missing_summaries,
        paths_of,
        printed_lines,
        program_options,
        systems_of,
    )

    _tell_unknown(request)
    program_options(request.options)
    options = program_options(request.options, word_lists(request.options))
    evaluations, typed_system = _read_settings(request)
    system, encoded = _system_there(evaluations, typed_system)
    systems = [system] if system is not None else systems_of(evaluations)
    missing = [*missing_summaries(evaluations, systems)]
    print_problems("warning", missing)
    contents = _read_files(paths_of(evaluations, systems))
    _warn_of_lost_letters(contents)
    _warn_of_cut_characters(cut_within_character(evaluations, systems, contents, options))
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


def _tell_unknown(request: Typed) -> None:
    print_problems(
        "warning",
        [Problem(what="There is no option -{letter}.", fields={"letter": letter})
         for letter in request.unknown],
    )  # fmt: skip


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
        what = "{files} letters outside ASCII, which ROUGE-1.5.5 deletes; {path} is one."
        problem = Problem(
            what=what,
            hint="Use another tokeniser (awase score) unless you want the program's own numbers.",
            fields={"files": counted(len(damaged), "file has", "files have"), "path": damaged[0]},
        )
        print_problems("warning", [problem])


def _warn_of_cut_characters(paths: Sequence[str]) -> None:
    if paths:
        problem = Problem(
            what="-b ends within a character of {files}; {path} is one.",
            hint="What is left of the character parts words, as in ROUGE-1.5.5.",
            fields={"files": counted(len(paths), "file"), "path": paths[0]},
        )
        print_problems("warning", [problem])
