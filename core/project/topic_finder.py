"""Finding topics at once, however many: what is settled is counted of those that are seen."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from awase.core.progress import Reporter
from awase.core.project.topic_list import (
    TopicFilter,
    TopicLine,
    TopicOrder,
    TopicState,
    TopicTally,
    Work,
    line_of,
    state_of,
)

Tallies = Callable[[Sequence[str]], Iterable[TopicTally]]
"""Topics, by their ids, to how far they are, in the order asked for."""

_KEPT: Final = 1_000
_TOLD_EACH: Final = 1_000
_COUNTED: Final = frozenset({TopicFilter.OPEN, TopicFilter.DONE, TopicFilter.FLAGGED})
_SORTED_BY_COUNTS: Final = frozenset({TopicOrder.PROGRESS, TopicOrder.FLAGS})


class TopicFinder:
    """All topics, of which ids and titles are held, and a few lines; a place is one among them.

    Threads may not share it.
    """

    def __init__(
        self, topics: Iterable[tuple[str, str]], who: str, work: Work | None, tallies: Tallies
    ) -> None:
        """Counts nothing yet.

        Args:
            topics: Ids and titles, in the order of the corpus.
            who: As whom the topics are seen.
            work: What is assigned to them, as `work_of` tells.
            tallies: Tells how far some topics are.
        """
        listed = [*topics]
        self._ids = [topic_id for topic_id, _ in listed]
        self._texts = [f"{topic_id} {title}".casefold() for topic_id, title in listed]
        self._titles = [title for _, title in listed]
        self._places = {topic_id: place for place, topic_id in enumerate(self._ids)}
        self._who, self._work, self._tallies = who, work, tallies
        self._lines: dict[int, TopicLine] = {}
        self._counts, self._is_counted = _Counts(len(listed)), False
        self._sorted: dict[tuple[TopicOrder, bool], Sequence[int]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def place_of(self, topic_id: str) -> int | None:
        """Returns where the topic stands; None = there is no such topic."""
        return self._places.get(topic_id)

    def line(self, place: int, near: Sequence[int] = ()) -> TopicLine:
        """Returns the line of a topic.

        Args:
            place: Of the topic.
            near: Places of those that are likely to be asked for next; they are counted with it.
        """
        if place not in self._lines:
            if len(self._lines) + len(near) > _KEPT:
                self._lines.clear()
            places = [one for one in {place: None, **dict.fromkeys(near)} if one not in self._lines]
            tallies = self._tallies([self._ids[one] for one in places])
            for tally in tallies:
                self._lines[self._places[tally.id]] = line_of(tally, self._who, self._work)
        return self._lines.get(place) or self._uncounted(place)

    def renew(self, topics: Iterable[str]) -> None:
        """Takes notice that topics with these ids were edited."""
        changed = [one for one in dict.fromkeys(topics) if one in self._places]
        for topic_id in changed:
            self._lines.pop(self._places[topic_id], None)
        if self._is_counted:
            for tally in self._tallies(changed):
                self._counts.put(self._places[tally.id], line_of(tally, self._who, self._work))
        self._sorted = {
            key: kept for key, kept in self._sorted.items() if key[0] not in _SORTED_BY_COUNTS
        }

    def lacks_counts(self, shown: TopicFilter, order: TopicOrder) -> bool:
        """Returns whether all topics have to be counted before they are found so."""
        return not self._is_counted and (shown in _COUNTED or order in _SORTED_BY_COUNTS)

    def count(self, reporter: Reporter) -> None:
        """Counts how far all topics are.

        Raises:
            Cancelled: The reporter asked to stop.
        """
        counts = _Counts(len(self))
        for n, tally in enumerate(self._tallies(self._ids)):
            if n % _TOLD_EACH == 0:
                reporter.advance(n, len(self))
            counts.put(self._places[tally.id], line_of(tally, self._who, self._work))
        self._counts, self._is_counted = counts, True

    def found(
        self,
        words: str = "",
        shown: TopicFilter = TopicFilter.ALL,
        order: TopicOrder = TopicOrder.WORK,
        *,
        is_descending: bool = False,
    ) -> Sequence[int]:
        """Returns the places of the topics that pass the filter, sorted.

        All are counted before where that is needed: see `lacks_counts`.

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
            ids, titles = self._ids, self._titles
            return lambda place: (ids[place].casefold(), titles[place].casefold())
        if order is TopicOrder.PROGRESS:
            return self._counts.share
        if order is TopicOrder.FLAGS:
            return self._counts.n_flagged.__getitem__
        known = {
            place: self._uncounted(place)
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
        if shown is TopicFilter.FLAGGED:
            return self._counts.n_flagged[place] > 0
        state = self._counts.state(place)
        if shown is TopicFilter.DONE:
            return state is TopicState.DONE
        return state in (TopicState.TODO, TopicState.BEGUN)

    def _is_mine(self, place: int) -> bool:
        return self._work is None or bool(self._work.get(self._ids[place]))

    def _uncounted(self, place: int) -> TopicLine:
        """Returns what is known of a topic without counting: all, if it was just removed."""
        bare = TopicTally(id=self._ids[place], title=self._titles[place], abstracts=())
        return line_of(bare, self._who, self._work)


class _Counts:
    """What is counted of each topic, by its place."""

    def __init__(self, n_topics: int) -> None:
        self.n_settled, self.n_sentences, self.n_flagged = (
            array("l", bytes(array("l").itemsize * n_topics)) for _ in range(3)
        )

    def put(self, place: int, line: TopicLine) -> None:
        self.n_settled[place] = line.n_settled
        self.n_sentences[place] = line.n_sentences
        self.n_flagged[place] = line.n_flagged

    def share(self, place: int) -> float:
        total = self.n_sentences[place]
        return self.n_settled[place] / total if total else 2.0

    def state(self, place: int) -> TopicState:
        return state_of(self.n_settled[place], self.n_sentences[place], self.n_flagged[place])
