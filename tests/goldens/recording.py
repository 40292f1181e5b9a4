"""What a case left behind, as text that can be kept and compared.

Small outputs are kept word for word. Of large ones a digest is kept, and a short one of each of
`N_PARTS` parts of equal length, so that a difference is at least told with its place.
"""

import hashlib
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from awase.core.packages import VERSION

MOST_KEPT = 6000
"""Characters of an output that is kept word for word."""
N_PARTS = 96
MOST_FILES = 12
"""Files of one command that are recorded each for itself; more are recorded as one."""
_SHOWN, _SHOWN_BEFORE = 300, 40

_VARIABLE = (
    (re.compile(r"20(?<!\w20)\d{6}T\d{6}Z\b"), "(MOMENT)"),
    (re.compile(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00|Z| UTC)?"), "(MOMENT)"),
    (re.compile(rf"{re.escape(VERSION)}\+g[0-9a-f]+"), VERSION),
    (re.compile(r"/\S+/here/"), "(FOLDER)/"),
    (re.compile(rf"(version=|Awase ){re.escape(VERSION)}"), r"\1(VERSION)"),
)
"""All that differs from run to run: moments, copies' names, the folder, and the version.

Each begins with letters of its own, which are searched for twenty times as quickly as a class.
"""
_UUID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_WITHIN_UUID = re.compile(r"-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-")
_OF_MOMENTS = {"operation": "digest"}
"""Columns that follow from the moment, by table."""
_BESIDE_A_CORPUS = (".awase", ".awase-wal", ".awase-shm", ".awase-lock", ".lock")


def settled(text: str) -> str:
    """Returns the text without what differs from run to run."""
    for pattern, stand_in in _VARIABLE:
        text = pattern.sub(stand_in, text)
    return _UUID.sub("(UUID)", text) if _WITHIN_UUID.search(text) else text


def kept(text: str) -> str:
    text = settled(text)
    if len(text) <= MOST_KEPT:
        return text if text.endswith("\n") or not text else f"{text}\n(no line end)\n"
    parts = " ".join(_digest(part)[:4] for part in _parts(text))
    return f"({len(text)} characters, SHA-256 {_digest(text)}, by parts: {parts})\n"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _parts(text: str) -> list[str]:
    size = -(-len(text) // N_PARTS)
    return [text[start : start + size] for start in range(0, len(text), size)]


def files_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Returns when each file below the folder but corpora was changed, and its size, by path."""
    paths = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    states = {
        path.relative_to(folder).as_posix(): path.stat()
        for path in paths
        if not path.name.endswith(_BESIDE_A_CORPUS)
    }
    return {name: (states[name].st_mtime_ns, states[name].st_size) for name in sorted(states)}


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def joined(files: dict[str, str]) -> dict[str, str]:
    if len(files) <= MOST_FILES:
        return files
    whole = "".join(f"## {name}\n{text}" for name, text in files.items())
    return {f"{len(files)} files": whole}


def tables_of(corpus: Path) -> dict[str, str]:
    """Returns every table of a corpus file that has rows, a row a line, by its name.

    But not the one that tells on which machine, by which process, it was opened for writing.
    """
    with closing(sqlite3.connect(corpus)) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "select name from sqlite_master where type = 'table' order by name"
            )
            if name != "holder"
        ]
        lines = {name: _lines(connection, name) for name in names}
    return {name: text for name, text in lines.items() if text}


def _lines(connection: sqlite3.Connection, table: str) -> str:
    found = connection.execute(f'select * from "{table}" order by rowid')
    columns = [column[0] for column in found.description]
    return "".join(
        " ".join(
            f"{column}={value!r}"
            for column, value in zip(columns, row, strict=True)
            if value is not None and column != _OF_MOMENTS.get(table)
        )
        + "\n"
        for row in found
    )


def first_difference(recorded: str, output: dict[str, str]) -> str:
    """Returns where the recording of some outputs differs from what they are now.

    Args:
        recorded: What was recorded.
        output: Heading to the whole text, as they come now.
    """
    now = transcript(output).splitlines()
    for number, line in enumerate(recorded.splitlines()):
        other = now[number] if number < len(now) else "(nothing)"
        if line != other:
            pairs = enumerate(zip(line, other, strict=False))
            start = max(0, next((at for at, (a, b) in pairs if a != b), 0) - _SHOWN_BEFORE)
            was, now_is = (text[start : start + _SHOWN] for text in (line, other))
            where = f"from character {start + 1} " * bool(start)
            shown = f"{where}was\n  {was}\nand is\n  {now_is}"
            return f"line {number + 1} {shown}\n{_place(line, other, output)}"
    return f"line {len(recorded.splitlines()) + 1} is new:\n  {now[len(recorded.splitlines())]}"


def _place(line: str, other: str, output: dict[str, str]) -> str:
    """Returns what stands now at the first part that differs, when both are digests of parts."""
    was, now = ([*text.partition("by parts: ")[2].rstrip(")").split()] for text in (line, other))
    if not was or not now:
        return ""
    idx = next((i for i, pair in enumerate(zip(was, now, strict=False)) if len({*pair}) > 1), 0)
    text = next(one for one in map(settled, output.values()) if kept(one).rstrip() == other)
    part = _parts(text)[idx]
    start = sum(map(len, _parts(text)[:idx]))
    return (
        f"The first of {len(now)} parts that differs begins at character {start} "
        f"(line {text.count(chr(10), 0, start) + 1}) and is now:\n{part[:_SHOWN]}"
    )


def transcript(output: dict[str, str]) -> str:
    """Returns the recording of a case: each output under its heading."""
    return "".join(f"#### {heading}\n{kept(text)}" for heading, text in output.items())
