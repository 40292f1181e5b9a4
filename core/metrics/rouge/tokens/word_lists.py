"""The stop list of ROUGE-1.5.5."""

from functools import cache
from importlib.resources import files


@cache
def stop_list() -> tuple[str, ...]:
    """Returns the 598 entries in the program's order (provenance: resources/rouge/README.md)."""
    text = files("awase.resources").joinpath("rouge", "stop_words.txt").read_text("utf-8")
    return tuple(text.splitlines())
