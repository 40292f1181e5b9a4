"""Finding topics by words, filters and orders; each topic is counted once, when it is needed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from awase.core.project.topic_list import (
    TopicFilter,
    TopicLine,
    TopicOrder,
    TopicState,
    Work,
    line_of,
    state_of,
    tally_of,
)
from awase.core.records.topic import Topic


class TopicFinder:
    """All topics and their lines; a place is one among them. Threads may not share it."""

    def __init__(self, topics: Sequence[Topic], who: str, work: Work | None) -> None:
        """Counts nothing yet.

        Args:
            topics: In the order of the corpus.
            who: As whom the topics are seen.
            work: What is assigned to them, as `work_of` tells.
        """
        self._topics = [*topics]
        self._texts = [f"{topic.id} {topic.title or ''}".casefold() for topic in topics]
        self._places = {topic.id: place for place, topic in enumerate(topics)}
        self._who, self._work = who, work
        self._lines: dict[int, TopicLine] = {}
        self._sorted: dict[tuple[TopicOrder, bool], Sequence[int]] = {}

    def __len__(self) -> int:
        return len(self._topics)

    def place_of(self, topic_id: str) -> int | None:
        """Returns where the topic stands; None = there is no such topic."""
        return self._places.get(topic_id)

    def line(self, place: int) -> TopicLine:
        """Returns the line of a topic."""
        if place not in self._lines:
            tally = tally_of(self._topics[place])
            self._lines[place] = line_of(tally, self._who, self._work)
        return self._lines[place]

    def renew(self, topics: Iterable[Topic]) -> None:
        """Takes topics as they were edited."""
        for topic in topics:
            place = self._places[topic.id]
            self._topics[place] = topic
            self._lines.pop(place, None)
            self._sorted.clear()

    def found(
        self,
        words: str = "",
        shown: TopicFilter = TopicFilter.ALL,
        order: TopicOrder = TopicOrder.WORK,
        *,
        is_descending: bool = False,
    ) -> Sequence[int]:
        """Returns the places of the topics that pass the filter, sorted.

        Args:
            words: Every one of them has to stand in id or title, in whatever case; a topic whose
                id begins with the first of them comes first.
            shown: Which topics are listed.
            order: How they are sorted; ties stay as the topics stand in the corpus.
            is_descending: Whether the order is turned round.
        """
        places = self._in_order(order, is_descending=is_descending)
        if shown is not TopicFilter.ALL:
            places = [place for place in places if self._is_shown(place, shown)]
        texts = self._texts
        sought = words.casefold().split()
        for word in sought:
            places = [place for place in places if word in texts[place]]
        if sought:
            first = [place for place in places if texts[place].startswith(sought[0])]
            rest = [place for place in places if not texts[place].startswith(sought[0])]
            places = first + rest
        return places

    def _in_order(self, order: TopicOrder, *, is_descending: bool) -> Sequence[int]:
        if order is TopicOrder.WORK and not self._work and not is_descending:
            return range(len(self))
        known = self._sorted.get((order, is_descending))
        if known is None:
            known = sorted(range(len(self)), key=self._key(order), reverse=is_descending)
            self._sorted[order, is_descending] = known
        return known

    # Any: the keys of one order can be compared, and those of two never meet.
    def _key(self, order: TopicOrder) -> Callable[[int], Any]:
        if order is TopicOrder.NAME:
            topics = self._topics
            return lambda at: (topics[at].id.casefold(), (topics[at].title or "").casefold())
        if order is TopicOrder.PROGRESS:
            return lambda place: _share(self.line(place))
        if order is TopicOrder.FLAGS:
            return lambda place: self.line(place).n_flagged
        known = {
            place: self.line(place)
            for topic_id in self._work or ()
            if (place := self._places.get(topic_id)) is not None
        }
        if order is TopicOrder.DUE:
            dues = {place: (line.due is None, line.due or "") for place, line in known.items()}
            return lambda place: dues.get(place, (True, ""))
        works = {
            place: (False, line.order is None, line.order or 0) for place, line in known.items()
        }
        other = (self._work is not None, True, 0)
        return lambda place: works.get(place, other)

    def _is_shown(self, place: int, shown: TopicFilter) -> bool:
        if not self._is_mine(place):
            return False
        if shown is TopicFilter.MINE:
            return True
        line = self.line(place)
        if shown is TopicFilter.FLAGGED:
            return line.n_flagged > 0
        state = state_of(line.n_settled, line.n_sentences, line.n_flagged)
        if shown is TopicFilter.DONE:
            return state is TopicState.DONE
        return state in (TopicState.TODO, TopicState.BEGUN)

    def _is_mine(self, place: int) -> bool:
        return self._work is None or bool(self._work.get(self._topics[place].id))


def _share(line: TopicLine) -> float:
    return line.n_settled / line.n_sentences if line.n_sentences else 2.0
