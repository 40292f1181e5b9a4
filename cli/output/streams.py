"""Words in and out that never fail on a character, whatever the locale."""

import io
import os
import sys

_ASCII = ("ascii", "us-ascii", "ansi_x3.4-1968")


def prepare_streams() -> None:
    """Makes output UTF-8 unless a terminal or PYTHONIOENCODING asks for something else.

    Files and pipes are read by other programs, which expect UTF-8; a C locale would otherwise
    refuse every Japanese name. What an encoding cannot hold is written as an escape.
    """
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
