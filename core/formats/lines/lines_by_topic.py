"""The lines of a file that is too long to be held, those about one topic together.

Lines about one topic may stand far apart, as where one system follows another: what would be too
much to be held until its last line has come is left for another turn through the file.
"""

from collections.abc import Callable, Iterator
from typing import Final, Generic, NamedTuple, TypeVar

_Value = TypeVar("_Value")

PORTION_LETTERS: Final = 8_000_000
"""So many letters of lines are held."""


class Line(NamedTuple, Generic[_Value]):
    """A line that is not blank.

    Attributes:
        nth: Its number among those that count, from 1.
        number: Its number in the file, from 1.
        topic: Id of the topic that it is about.
        n_letters: Its length.
        value: What stands in it.
    """

    nth: int
    number: int
    topic: str
    n_letters: int
    value: _Value


class LinesByTopic(Generic[_Value]):
    """The lines of a file, those about one topic together, topics as they first appear."""

    def __init__(self, each: Callable[[], Iterator[Line[_Value]]]) -> None:
        """Goes through the file once, for the topics that it is about.

        Args:
            each: Reads the file.
        """
        self._each = each
        # Of each topic that was not given yet, the last line.
        self._last = {line.topic: line.nth for line in each()}

    def portions(self) -> Iterator[list[Line[_Value]]]:
        """Yields the lines of some topics, as they stand in the file, then those of others."""
        while self._last:
            yield from self._turn()

    def _turn(self) -> Iterator[list[Line[_Value]]]:
        """Yields the lines of the next topics, as many as the memory takes in one turn."""
        held: dict[str, list[Line[_Value]]] = {}
        n_held, nth, is_full = 0, 0, False
        for line in self._each():
            if line.topic not in self._last or (is_full and line.topic not in held):
                continue
            held.setdefault(line.topic, []).append(line)
            n_held, nth = n_held + line.n_letters, line.nth
            if n_held >= PORTION_LETTERS or is_full:
                some = self._whole(held, nth)
                n_held -= sum(one.n_letters for one in some)
                is_full = is_full or n_held >= PORTION_LETTERS
                if some:
                    yield some
                if is_full and not held:
                    return
        yield self._whole(held, nth)

    def _whole(self, held: dict[str, list[Line[_Value]]], nth: int) -> list[Line[_Value]]:
        """Takes out the first topics, as long as they have no line behind this one."""
        some: list[Line[_Value]] = []
        for topic in [*held]:
            if self._last[topic] > nth:
                break
            some += held.pop(topic)
            del self._last[topic]
        return sorted(some, key=lambda line: line.nth)
