"""The parts that an edit of many topics replaces: taken one by one, written and read in pieces."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

from awase.core.records.corpus import Corpus
from awase.core.records.encoding.json_values import (
    Json,
    corpus_parts_of,
    corpus_parts_value,
    dumps,
    topic_of,
    topic_parts_of,
    topic_parts_value,
    topic_value,
)
from awase.core.records.parts.corpus_parts import CorpusParts, head_of, with_frames
from awase.core.records.parts.packed_items import PackedItems, Packer
from awase.core.records.parts.topic_parts import TopicParts
from awase.core.records.topic import Topic

_LISTS: Final = ("topics", "changed")


def _topics_of(text: str) -> Sequence[tuple[int, Topic]]:
    return [(place, topic_of(value)) for place, value in json.loads(text)]


def _changes_of(text: str) -> Sequence[tuple[str, TopicParts]]:
    return [(topic_id, topic_parts_of(value)) for topic_id, value in json.loads(text)]


@dataclass(slots=True)
class _Side:
    topics: Packer[tuple[int, Topic]] = field(default_factory=lambda: Packer(_topics_of))
    changed: Packer[tuple[str, TopicParts]] = field(default_factory=lambda: Packer(_changes_of))

    def parts(self) -> CorpusParts:
        return CorpusParts(topics=self.topics.packed(), changed=self.changed.packed())


Portion = tuple[CorpusParts, CorpusParts]
"""What a part of a difference was, and what it is."""


class Difference:
    """What is different between two states of a corpus, taken note of topic by topic.

    A long one is handed on in portions, which make the one state of the other when they are
    exchanged one after the other. Topics that go are taken first, those that come last.
    """

    def __init__(
        self, old: Corpus, new: Corpus, most: int, hand_on: Callable[[Portion], None]
    ) -> None:
        """Takes note of nothing yet.

        Args:
            old: What was; where it is to be cut, it has no rank that `new` lacks.
            new: What is; where it is to be cut, topics come or they go, not both.
            most: So many characters of JSON make a portion.
            hand_on: Takes the portions but the last.
        """
        self._corpora = old, new
        self._most, self._hand_on = most, hand_on
        self._n_gone_before = self._n_gone = 0
        self._is_first = True
        self._begin()

    def take_gone(self, place: int, topic: Topic) -> None:
        """Takes note of a topic that only the old state has, in the order of places."""
        self._n_gone += 1
        place -= self._n_gone_before  # those are not there any more when this portion goes
        self._take(self._old.topics, topic.id, dumps([place, topic_value(topic)]))
        self._end_of_topic()

    def take_new(self, place: int, topic: Topic) -> None:
        """Takes note of a topic that only the new state has, in the order of places."""
        self._take(self._new.topics, topic.id, dumps([place, topic_value(topic)]))
        self._end_of_topic()

    def take_changed(self, topic_id: str, old: TopicParts, new: TopicParts) -> None:
        """Takes note of parts of a topic that both have."""
        for side, parts in ((self._old, old), (self._new, new)):
            self._take(side.changed, topic_id, dumps([topic_id, topic_parts_value(parts)]))
        self._end_of_topic()

    def last(self) -> Portion:
        """Returns what was not handed on: of a short one, what `corpus_difference` does."""
        before, after = self._portion()
        if self._is_first or not self._n_gone:
            before, after = with_frames(*self._corpora, before, after)
        return (before if self._is_first else replace(before, head=after.head)), after

    def _take(self, packer: Packer[Any], topic_id: str, text: str) -> None:  # Any: of both kinds
        packer.take(topic_id, text)
        self._n_taken += len(text)

    def _end_of_topic(self) -> None:
        if self._n_taken >= self._most:
            before, after = self._portion()
            if self._is_first:
                # Topics may need the new ranks; scores and work need their topics.
                old, new = self._corpora
                before, after = (
                    with_frames(old, new, before, after)
                    if self._n_gone
                    else (replace(before, head=head_of(old)), replace(after, head=head_of(new)))
                )
            self._is_first = False
            self._hand_on((before, after))
            self._begin()

    def _portion(self) -> Portion:
        return self._old.parts(), self._new.parts()

    def _begin(self) -> None:
        self._old, self._new, self._n_taken = _Side(), _Side(), 0
        self._n_gone_before = self._n_gone


def pieces_of(parts: CorpusParts) -> Iterator[str]:
    """Yields the JSON of `corpus_parts_value`, in pieces."""
    before = "{"
    for key, value in corpus_parts_value(replace(parts, topics=(), changed=())).items():
        yield f'{before}"{key}":'
        before = ","
        yield from _list_of(parts, key) if key in _LISTS else [dumps(value)]
    yield "}"


def _list_of(parts: CorpusParts, key: str) -> Iterator[str]:
    items = getattr(parts, key)
    if not isinstance(items, PackedItems):
        yield dumps(corpus_parts_value(parts)[key])
        return
    between = "["
    for text in items.texts():
        yield between
        yield text
        between = ","
    yield "]" if items else "[]"


def parts_from(pieces: Iterable[str]) -> CorpusParts:
    """Returns the parts whose JSON comes in pieces; those of topics are packed as they come.

    Raises:
        ValueError: It is no such JSON, or what yields the pieces raises it behind the last of them.
    """
    reader, side = _Reader(pieces), _Side()
    packers: dict[str, Packer[Any]] = {"topics": side.topics, "changed": side.changed}  # Any: both
    rest: Json = {key: [] for key in _LISTS}
    for key in reader.fields():
        if key not in packers:
            rest[key] = reader.value()[0]
            continue
        for (first, value), text in reader.items():
            packers[key].take(first if key == "changed" else value["id"], text)
    found = side.parts()
    return replace(corpus_parts_of(rest), topics=found.topics, changed=found.changed)


class _Reader:
    """Reads JSON that this program has written, as it comes."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self._pieces = chain(pieces)
        self._text, self._at = "", 0
        self._decode = json.JSONDecoder().raw_decode

    def fields(self) -> Iterator[str]:
        """Yields the keys of an object; its values are to be read in between."""
        while self._mark() != "}":
            key = self.value()[0]
            self._mark()
            yield key
        if self._at < len(self._text) or any(self._pieces):
            raise ValueError("something stands behind the JSON")

    def items(self) -> Iterator[tuple[Any, str]]:  # Any: JSON that this program has written
        """Yields the values of a list, each with its text."""
        self._mark()
        while self._peek() != "]":
            yield self.value()
            if self._peek() == ",":
                self._mark()
        self._mark()

    def value(self) -> tuple[Any, str]:  # Any: JSON that this program has written
        """Returns the next value, a text, a list or an object, and its text."""
        while True:
            try:
                value, end = self._decode(self._text, self._at)
            except ValueError:
                self._fill()  # until it is whole
            else:
                text, self._at = self._text[self._at : end], end
                return value, text

    def _mark(self) -> str:
        """Returns the next letter, which is behind it then."""
        mark = self._peek()
        self._at += 1
        return mark

    def _peek(self) -> str:
        while self._at >= len(self._text):
            self._fill()
        return self._text[self._at]

    def _fill(self) -> None:
        """Takes as much more as there is now, so that a long value is not tried too often."""
        wanted, more = len(self._text) - self._at, [self._text[self._at :]]
        n_more = 0
        for piece in self._pieces:
            more.append(piece)
            n_more += len(piece)
            if n_more > wanted:
                break
        if not n_more:
            raise ValueError("the JSON ends before its end")
        self._text, self._at = "".join(more), 0
