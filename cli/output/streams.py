"""Words in and out that never fail on a character, whatever the locale, nor command a terminal."""

import io
import os
import re
import sys
from contextlib import suppress
from typing import Final

import click

from awase.core.errors import EnvironmentProblem

# What would move the cursor, change colours or turn the order of letters round: control characters
# but tabs and line feeds, overrides of direction, and half of a surrogate pair.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_PRINTED: Final = "awase.printed"

_ASCII = ("ascii", "us-ascii", "ansi_x3.4-1968")


def visible(text: str) -> str:
    r"""Returns a text of a corpus or a file as a terminal may be given it.

    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return _COMMANDS.sub(lambda match: ascii(match[0])[1:-1], text)


def say(text: str = "", *, err: bool = False) -> None:
    """Prints a line for people, to standard error if `err`."""
    click.echo(visible(text), err=err)
    if not err:
        note_printed()


def note_printed() -> None:
    """Remembers that something stands on standard output."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_PRINTED] = True


def has_printed() -> bool:
    """Returns whether something stands on standard output."""
    context = click.get_current_context(silent=True)
    return context is not None and _PRINTED in context.meta


class _Closed(io.TextIOBase):
    """Takes the place of a standard output that was closed."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        """Tells that nothing can be printed."""
        if not text:
            return 0
        raise EnvironmentProblem(
            "Standard output is closed, so nothing can be printed.", "Write to a file: -o FILE."
        )


def prepare_streams() -> None:
    """Makes output UTF-8 unless a terminal or PYTHONIOENCODING asks for something else.

    Files and pipes are read by other programs, which expect UTF-8; a C locale would otherwise
    refuse every Japanese name. What an encoding cannot hold is written as an escape.
    """
    for descriptor in (0, 1, 2):
        with suppress(OSError):
            try:
                os.fstat(descriptor)
            except OSError:  # closed: the next file to be opened, a corpus, would be printed into
                os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (for ever)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if _keeps_encoding(stream) else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _keeps_encoding(stream: io.TextIOWrapper) -> bool:
    if stream.encoding.lower() in _ASCII:
        return False
    return stream.isatty() or bool(os.environ.get("PYTHONIOENCODING"))


def use_utf_8() -> None:
    """Starts the program anew where the locale knows ASCII only, and files could not be named.

    Python takes UTF-8 there by itself unless PYTHONUTF8 forbids it. In any other locale names and
    paths are read as the system writes them, so that no other file than the one named is opened.
    """
    if os.name == "posix" and sys.getfilesystemencoding().lower() in _ASCII:
        sys.stdout.flush()
        program = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, program, {**os.environ, "PYTHONUTF8": "1"})
