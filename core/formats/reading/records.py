"""Files of records, a line each: which lines there are, and what stands in them."""

import json
from collections.abc import Iterator
from typing import Final

NOT_JSON: Final = object()
"""Stands for a text that is no JSON, which may be any value."""


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields (line number, line) of each line that is not blank, without its end."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if line.strip():
            yield number, line.removesuffix("\r")


def data_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields (line number, columns) of each line that is neither blank nor a # comment."""
    for number, line in filled_lines(text):
        if not line.startswith("#"):
            yield number, line.split("\t")


def json_lines(text: str) -> Iterator[tuple[int, object]]:
    """Yields (line number, value) of each line that is not blank; `NOT_JSON` where it is none."""
    for number, line in filled_lines(text):
        yield number, json_value(line)


def json_value(text: str) -> object:
    """Returns what JSON text stands for; `NOT_JSON` when it is none, or is nested without end."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return NOT_JSON
    return value
