"""Keys that an abstract sentence takes, replayed without a window at each level of help.

Somebody who knows what was decided works from nothing: `Y` where the surest suggestion in sight is
right (`Shift+Y` while more is to come), otherwise a digit with `Shift` where an alternative differs
from the last one in its last sentence, otherwise the digits of the alternative that takes fewest,
the first of them with `Ctrl+Shift` (but `N` where ranking anew, `R`, is cheaper), `.` where a
candidate is beyond the nine, and `Enter` unless `Y` has confirmed. A sentence without a source
takes one key. Ranks are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from awase.core.annotation.actions import with_accepted
from awase.core.annotation.candidates import TopicIndex
from awase.core.annotation.suggesters import build_suggesters
from awase.core.annotation.suggestion import CLOSURE, AssistLevel, Suggestion, is_shown
from awase.core.records.abstract import AbstractSentence
from awase.core.records.alignment import Alignment, Alternative, SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic
from tests.benchmarks.candidates import FAR, ROOT, corpus_of
from tests.converters.far import far_to_awase_json

N_DIGITS = 9
LEVELS = (AssistLevel.RANKED, AssistLevel.MARKS, AssistLevel.SUGGESTIONS, AssistLevel.FAMILIES)
Set = frozenset[SentenceRef]


@dataclass(slots=True)
class Count:
    """What a replay took."""

    keys: list[int] = field(default_factory=list)
    n_seen: int = 0
    n_wrong: int = 0

    def text(self, level: AssistLevel) -> str:
        mean = sum(self.keys) / len(self.keys)
        seen = f" ({self.n_seen}, {self.n_wrong})" if level > AssistLevel.RANKED else ""
        return f"{mean:.2f}{seen}"


def main() -> None:
    """Prints a Markdown table."""
    sets = {
        f"demo {one}": corpus_of(
            (ROOT / "resources" / "demo" / f"{one}.json").read_text("utf-8")
        ).topics
        for one in ("en", "ja")
    }
    if FAR.exists():
        sets["FAR"] = corpus_of(far_to_awase_json(FAR)).topics
    print("| data | level 1 | level 2 | level 3 | level 4 |\n|---|---|---|---|---|")
    for data, topics in sets.items():
        cells = [replayed(topics, level).text(level) for level in LEVELS]
        print(f"| {data} | {' | '.join(cells)} |")


def replayed(topics: Sequence[Topic], level: AssistLevel) -> Count:
    """Returns the keys of everybody's settled sentences, each person working alone."""
    count = Count()
    for topic in topics:
        people = dict.fromkeys(one.annotator for a in topic.abstracts for one in a.alignments)
        for who in people:
            _Replay(topic, who, level, count).run()
    return count


@dataclass(frozen=True, slots=True)
class Digits:
    """Which candidates the nine digits stand for: those from a place in their order on."""

    order: Sequence[SentenceRef]
    first: int

    def move(
        self, pressed: Sequence[SentenceRef], members: tuple[SentenceRef, ...], before: int
    ) -> "Move":
        """Returns what it costs to press the digits of some candidates, after other keys."""
        cost, first = before, self.first
        left = [self.order.index(ref) for ref in pressed]
        while True:
            near = [at for at in left if first <= at < first + N_DIGITS]
            cost += len(near)
            left = [at for at in left if at not in near]
            if not left:
                return Move(cost, members, Digits(self.order, first))
            first = first + N_DIGITS if first + N_DIGITS < len(self.order) else 0
            cost += 1  # the point


@dataclass(frozen=True, slots=True)
class Move:
    """Keys that make one alternative."""

    cost: int
    members: tuple[SentenceRef, ...]
    digits: Digits


class _Replay:
    def __init__(self, topic: Topic, who: str, level: AssistLevel, count: Count) -> None:
        self._who, self._level, self._count = who, level, count
        self._index = TopicIndex(topic)
        self._suggesters = build_suggesters()
        self._abstracts = topic.abstracts
        bare = tuple(replace(one, alignments=(), gold=()) for one in topic.abstracts)
        self._topic = replace(topic, abstracts=bare)

    def run(self) -> None:
        for at, abstract in enumerate(self._abstracts):
            decided = abstract.alignment_by(self._who)
            texts = {one.n: one for one in abstract.sentences}
            for entry in decided.sentences if decided else ():
                if entry.state.is_settled:
                    self._count.keys.append(self._keys(texts[entry.n], entry))
                    self._remember(at, entry)

    def _remember(self, at: int, entry: SentenceAlignment) -> None:
        """Lets what was decided be known to what is suggested for later sentences."""
        abstracts = self._topic.abstracts
        before = abstracts[at].alignment_by(self._who)
        sentences = (*(before.sentences if before else ()), entry)
        own = replace(
            abstracts[at], alignments=(Alignment(annotator=self._who, sentences=sentences),)
        )
        self._topic = replace(self._topic, abstracts=(*abstracts[:at], own, *abstracts[at + 1 :]))

    def _keys(self, sentence: AbstractSentence, decided: SentenceAlignment) -> int:
        missing = {one.as_set for one in decided.alternatives}
        if not missing:
            return 1
        entry, n_keys, seen = SentenceAlignment(n=sentence.n), 0, None
        digits = Digits(self._index.ranked_for(sentence.text, entry, 0), 0)
        while missing:
            offered = self._offered(sentence, entry)
            family = {one.as_set for one in offered.family} if offered else set()
            is_right = bool(family) and family <= missing
            if offered is not None and offered != seen:
                seen = offered
                self._count.n_seen += 1
                self._count.n_wrong += not is_right
            if offered is not None and is_right:
                entry, missing = with_accepted(entry, offered.family), missing - family
                n_keys += 1
                if not missing:
                    return n_keys
                continue
            move = min(self._moves(sentence.text, entry, missing, digits), key=lambda one: one.cost)
            made = Alternative(move.members)
            entry = replace(entry, alternatives=(*entry.alternatives, made))
            missing, digits, n_keys = missing - {made.as_set}, move.digits, n_keys + move.cost
        return n_keys + 1  # Enter

    def _moves(
        self, text: str, entry: SentenceAlignment, missing: set[Set], digits: Digits
    ) -> Iterator[Move]:
        """Yields every way to make one of the missing alternatives, all its keys counted."""
        anew = Digits(self._index.ranked_for(text, entry, len(entry.alternatives)), 0)
        begins = bool(entry.alternatives)
        for members in _linked_in_order(missing):
            yield digits.move(members, members, 0)
            yield anew.move(members, members, begins + 1)  # N, R
            kept = entry.alternatives[-1].members[:-1] if begins else ()
            new = [ref for ref in members if ref not in kept]
            if begins and len(new) == 1 and len(members) == len(kept) + 1:
                yield digits.move(new, (*kept, *new), 0)  # with Shift

    def _offered(self, sentence: AbstractSentence, entry: SentenceAlignment) -> Suggestion | None:
        if self._level < AssistLevel.MARKS:
            return None
        names = self._suggesters if self._level > AssistLevel.MARKS else (CLOSURE,)
        found = [
            one
            for name in names
            for one in self._suggesters[name].suggest(self._topic, sentence, entry)
            if is_shown(one, self._level)
        ]
        return max(found, key=lambda one: one.confidence, default=None)


def _linked_in_order(sets: set[Set]) -> Iterator[tuple[SentenceRef, ...]]:
    """Yields each set, first what most sets have, so that the last is what they differ in."""
    for one in sorted(tuple(sorted(members)) for members in sets):
        yield tuple(sorted(one, key=lambda ref: (-sum(ref in other for other in sets), ref)))


if __name__ == "__main__":
    main()
