"""Budgeted coverage by branch and bound: the fastest way for small problems.

Gains shrink as more is covered, so the gains that units still have, packed fractionally into the
room that is left, bound what can be added. Of a set's supersets only those are looked at in which
every unit still adds something.
"""

from collections.abc import Sequence

from awase.core.solvers.budget.presolve import ReducedProblem
from awase.core.solvers.budget.problem import Chosen
from awase.core.solvers.effort import Effort

_Entry = tuple[float, int, int, int]
"""Gain by length, gain, length and unit."""


class BudgetSearch:
    """One search; sets are of the reduced problem's units.

    Attributes:
        value: Highest value found.
        length: Of the best set.
        best: The best set; None before one is found.
        found: All optimal irredundant sets, when they are collected.
    """

    def __init__(self, problem: ReducedProblem, effort: Effort) -> None:
        self._effort = effort
        self._lengths = problem.lengths
        self._limit = problem.limit
        n_bits = 0
        masks = [0] * len(problem.units)
        shared: list[list[tuple[int, int, int]]] = [[] for _ in problem.units]
        caps: list[int] = []
        for group in problem.groups:
            if group.cap == 1:
                bits = ((1 << group.weight) - 1) << n_bits
                n_bits += group.weight
                for unit, _ in group.counts:
                    masks[unit] |= bits
            else:
                for unit, count in group.counts:
                    shared[unit].append((len(caps), count, group.weight))
                caps.append(group.cap)
        self._own = problem.own
        self._masks = masks
        self._shared = shared
        self._everything = (1 << n_bits) - 1
        self._caps = tuple(caps)
        self.value = 0
        self.length = 0
        self.best: Chosen | None = ()
        self.found: list[Chosen] = []
        self._collects = False
        self._max_found = 0

    def find_best(self, known: Sequence[int] = (), value: int = 0, length: int = 0) -> None:
        """Finds the best set.

        Args:
            known: A set to beat, where one is known.
            value: Its value.
            length: Its length.

        Raises:
            EffortSpent: `best` is then only the best one found.
        """
        self.best, self.value, self.length = tuple(sorted(known)), value, length
        self._grow(range(len(self._lengths)), self._everything, self._caps, self._limit, 0, ())

    def collect(self, value: int, max_found: int) -> bool:
        """Finds the irredundant sets of this value, the highest; returns whether they are all.

        Raises:
            EffortSpent: `found` then lacks some.
        """
        self._collects, self.value, self._max_found = True, value, max_found
        self.found = []
        if value == 0:
            self.found = [()]
            return True
        return self._grow(
            range(len(self._lengths)), self._everything, self._caps, self._limit, 0, ()
        )

    def _grow(
        self,
        candidates: Sequence[int],
        left: int,
        room_by_feature: tuple[int, ...],
        room: int,
        value: int,
        chosen: Chosen,
    ) -> bool:
        """Looks at all supersets of `chosen`; returns whether to go on."""
        self._effort.spend(1 + len(candidates) / 2)
        entries = self._entries(candidates, left, room_by_feature, room)
        for idx, (_, gain, length, unit) in enumerate(entries):
            if not self._is_promising(entries, idx, room, value):
                return True
            grown = (*chosen, unit)
            if not self._note(grown, value + gain, room - length):
                return False
            rest = [entry[3] for entry in entries[idx + 1 :]]
            if rest and not self._grow(
                rest,
                left & ~self._masks[unit],
                self._lessened(room_by_feature, unit),
                room - length,
                value + gain,
                grown,
            ):
                return False
        return True

    def _entries(
        self, candidates: Sequence[int], left: int, room_by_feature: tuple[int, ...], room: int
    ) -> list[_Entry]:
        lengths, masks, own, shared = self._lengths, self._masks, self._own, self._shared
        entries: list[_Entry] = []
        for unit in candidates:
            length = lengths[unit]
            if length > room:
                continue
            gain = (masks[unit] & left).bit_count() + own[unit]
            for feature, count, weight in shared[unit]:
                gain += weight * min(count, room_by_feature[feature])
            if gain:
                entries.append((-gain / length, gain, length, unit))
        entries.sort()
        return entries

    def _lessened(self, room_by_feature: tuple[int, ...], unit: int) -> tuple[int, ...]:
        if not self._shared[unit]:
            return room_by_feature
        lessened = list(room_by_feature)
        for feature, count, _ in self._shared[unit]:
            lessened[feature] = max(0, lessened[feature] - count)
        return tuple(lessened)

    def _is_promising(self, entries: list[_Entry], first: int, room: int, value: int) -> bool:
        """Returns whether the entries from `first` on can make a set that is wanted."""
        bound, room_left = value, room
        for idx in range(first, len(entries)):
            _, gain, length, _ = entries[idx]
            if length > room_left:
                bound += gain * room_left // length
                break
            bound += gain
            room_left -= length
        if bound != self.value or self._collects:
            return bound >= self.value
        needed, longest = self.value - value, self.length - (self._limit - room)
        for idx in range(first, len(entries)):
            _, gain, length, _ = entries[idx]
            if gain >= needed:
                return longest * gain >= needed * length
            needed -= gain
            longest -= length
            if longest < 0:
                return False
        return False

    def _note(self, grown: Chosen, value: int, room: int) -> bool:
        if value < self.value:
            return True
        ordered = tuple(sorted(grown))
        if self._collects:
            if value == self.value and self._is_irredundant(ordered):
                if len(self.found) == self._max_found:
                    return False
                self.found.append(ordered)
            return True
        length = self._limit - room
        if self.best is None or (-value, length, ordered) < (-self.value, self.length, self.best):
            self.best, self.value, self.length = ordered, value, length
        return True

    def _is_irredundant(self, chosen: Chosen) -> bool:
        return all(self._value([u for u in chosen if u != unit]) < self.value for unit in chosen)

    def _value(self, chosen: Sequence[int]) -> int:
        covered, left = 0, self._caps
        value = 0
        for unit in chosen:
            covered |= self._masks[unit]
            value += self._own[unit]
            for feature, count, weight in self._shared[unit]:
                value += weight * min(count, left[feature])
            left = self._lessened(left, unit)
        return value + covered.bit_count()
