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
        # Of each topic that was not given yet, the last line and how many letters it has in all.
        self._known: dict[str, tuple[int, int]] = {}
        for line in each():
            _, n_letters = self._known.get(line.topic, (0, 0))
            self._known[line.topic] = line.nth, n_letters + line.n_letters

    def portions(self) -> Iterator[list[Line[_Value]]]:
        """Yields the lines of some topics, as they stand in the file, then those of others."""
        while self._known:
            yield from self._turn()

    def _turn(self) -> Iterator[list[Line[_Value]]]:
        """Yields the lines of the next topics, as many as the memory takes in one turn."""
        held: dict[str, list[Line[_Value]]] = {}
        n_held, end, is_full = 0, 0, False
        for line in self._each():
            if line.topic in held:
                held[line.topic].append(line)
            elif line.topic in self._known and not is_full:
                last, n_letters = self._known[line.topic]
                if n_held + n_letters > PORTION_LETTERS and held:
                    some, n_given = self._whole(held, line.nth)
                    n_held -= n_given
                    if some:
                        yield some
                    is_full = n_held + n_letters > PORTION_LETTERS and bool(held)
                if not is_full:
                    held[line.topic] = [line]
                    n_held, end = n_held + n_letters, max(end, last)
            if is_full and line.nth >= end:
                break
        yield self._whole(held, end + 1)[0]

    def _whole(
        self, held: dict[str, list[Line[_Value]]], before: int
    ) -> tuple[list[Line[_Value]], int]:
        """Takes out the first topics, as long as all their lines stand before one; their letters.

        Args:
            held: Topics as they first appear, with their lines.
            before: Number of the line.
        """
        some: list[Line[_Value]] = []
        n_given = 0
        while held and self._known[topic := next(iter(held))][0] < before:
            some += held.pop(topic)
            n_given += self._known.pop(topic)[1]
        return sorted(some, key=lambda line: line.nth), n_given
