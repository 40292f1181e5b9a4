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


def as_utf_8(argument: str) -> str:
    """Returns what was typed; a C locale would hand over Japanese as undecoded bytes."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument
