"""Alignment of old and new sentences of a text that was resplit or edited.

A new sentence inherits the number of the old one that it is, so that references stay valid; a
number is never reused for another text.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from itertools import pairwise
from typing import Final

_LEAST_PART: Final = 4  # characters; shorter pieces occur in others by chance
# Share of common character pairs (Dice) from which two texts may be one that was edited.
_LEAST_LIKENESS: Final = 0.5
# Search distance of an edited piece; bounds the time for long texts.
_REACH: Final = 50

Chains = dict[int, frozenset[int]]


def chains_of(old: Sequence[str], new: Sequence[str]) -> Chains:
    """Returns each old piece's new pieces, by index."""
    if all(old) and all(new):
        whole = _same_text(old, new, list(range(len(old))), list(range(len(new))))
        if whole:
            return whole
    chains: Chains = {}
    gaps: list[tuple[range, range]] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            pairs = zip(range(old_from, old_to), range(new_from, new_to), strict=True)
            chains |= {old_idx: frozenset([new_idx]) for old_idx, new_idx in pairs}
        else:
            gaps.append((range(old_from, old_to), range(new_from, new_to)))
    chains |= _moved(old, new, gaps)
    for old_range, new_range in gaps:
        old_left = [idx for idx in old_range if idx not in chains]
        held = {idx for places in chains.values() for idx in places}
        new_left = [idx for idx in new_range if idx not in held]
        chains |= _same_text(old, new, old_left, new_left) or _edited(old, new, old_left, new_left)
    return chains


def _moved(old: Sequence[str], new: Sequence[str], gaps: list[tuple[range, range]]) -> Chains:
    """Matches moved pieces where unambiguous."""
    old_left = [idx for old_range, _ in gaps for idx in old_range]
    new_left = [idx for _, new_range in gaps for idx in new_range]
    n_old = Counter(old[idx] for idx in old_left)
    n_new = Counter(new[idx] for idx in new_left)
    place = {new[idx]: idx for idx in new_left}
    return {
        idx: frozenset([place[old[idx]]])
        for idx in old_left
        if old[idx] and n_old[old[idx]] == 1 == n_new[old[idx]]
    }


def _same_text(
    old: Sequence[str], new: Sequence[str], old_left: list[int], new_left: list[int]
) -> Chains:
    """Matches pieces by offset, where both sides are the same text split differently."""
    text = "".join(old[idx] for idx in old_left)
    if not text or text != "".join(new[idx] for idx in new_left):
        return {}
    ends: list[int] = []
    for idx in new_left:
        ends.append((ends[-1] if ends else 0) + len(new[idx]))
    chains: Chains = {}
    start = 0
    for idx in old_left:
        end = start + len(old[idx])
        over = (
            new_idx
            for new_idx, new_end in zip(new_left, ends, strict=True)
            if max(start, new_end - len(new[new_idx])) < min(end, new_end)
        )
        places = frozenset(over)
        if places:
            chains[idx] = places
        start = end
    return chains


def _edited(
    old: Sequence[str], new: Sequence[str], old_left: list[int], new_left: list[int]
) -> Chains:
    """Matches edited pieces greedily by similarity, one to one, then parts of pieces."""
    near = {
        old_idx: new_left[max(0, place - _REACH) : place + _REACH + 1]
        for place, old_idx in enumerate(old_left)
    }
    chains = _likest(old, new, near)
    held = {idx for places in chains.values() for idx in places}
    for old_idx, new_idxs in near.items():
        parts = frozenset(
            idx for idx in new_idxs if idx not in held and _is_part(new[idx], old[old_idx])
        )
        wholes = [idx for idx in new_idxs if _is_part(old[old_idx], new[idx])]
        if parts:
            chains[old_idx] = chains.get(old_idx, frozenset()) | parts
            held |= parts
        elif old_idx not in chains and len(wholes) == 1:
            chains[old_idx] = frozenset(wholes)
    return chains


def _likest(old: Sequence[str], new: Sequence[str], near: dict[int, list[int]]) -> Chains:
    pairs = {idx: _pairs(new[idx]) for idxs in near.values() for idx in idxs}
    scored: list[tuple[float, int, int, int]] = []
    for old_idx, new_idxs in near.items():
        own = _pairs(old[old_idx])
        for new_idx in new_idxs:
            score = _likeness(own, pairs[new_idx])
            if score >= _LEAST_LIKENESS:
                scored.append((-score, abs(old_idx - new_idx), old_idx, new_idx))
    chains: Chains = {}
    held: set[int] = set()
    for _, _, old_idx, new_idx in sorted(scored):
        if old_idx not in chains and new_idx not in held:
            chains[old_idx] = frozenset([new_idx])
            held.add(new_idx)
    return chains


def _pairs(key: str) -> frozenset[str]:
    return frozenset(map("".join, pairwise(key)))


def _likeness(pairs: frozenset[str], others: frozenset[str]) -> float:
    """Returns the share of common character pairs, 0 to 1."""
    return 2 * len(pairs & others) / max(1, len(pairs) + len(others))


def _is_part(part: str, whole: str) -> bool:
    return len(part) >= _LEAST_PART and part != whole and part in whole


Numbered = tuple[int, str]  # (number, text) of a sentence


class ResplitOutcome(Enum):
    """Outcome for an old sentence."""

    SAME = "same"  # a new sentence has its text
    JOINED = "joined"  # its text is part of one new sentence
    CUT = "cut"  # its text went on several new sentences
    EDITED = "edited"  # a new sentence resembles it
    GONE = "gone"  # nothing resembles it


@dataclass(frozen=True, slots=True, kw_only=True)
class Resplit:
    """Alignment of old sentences with new ones."""

    sentences: tuple[Numbered, ...]
    # Number of each old sentence to the numbers that have its text now, in order; none when it is
    # gone.
    found: dict[int, tuple[int, ...]]
    fates: dict[int, ResplitOutcome]  # number of each old sentence to what became of it

    def to_review(self) -> tuple[int, ...]:
        """Returns the old sentences to be reviewed, in order."""
        return tuple(n for n, fate in self.fates.items() if fate is not ResplitOutcome.SAME)

    def gone(self) -> tuple[int, ...]:
        """Returns the old sentences that are nowhere, in their order."""
        return tuple(n for n, fate in self.fates.items() if fate is ResplitOutcome.GONE)


def resplit(old: Sequence[Numbered], new: Sequence[str]) -> Resplit:
    """Returns the new texts with numbers, and the position of each old sentence.

    White space is ignored, NFKC applied. Equal texts are matched first; then texts equal to joined
    neighbours; then the most similar of the rest.

    >>> resplit([(1, "A. B."), (2, "C.")], ["A.", "B.", "C."]).sentences
    ((1, 'A.'), (3, 'B.'), (2, 'C.'))
    """
    old_keys = [comparable(text) for _, text in old]
    new_keys = [comparable(text) for text in new]
    chains = chains_of(old_keys, new_keys)
    number_by_idx = _numbers(old, chains, len(new))
    found: dict[int, tuple[int, ...]] = {}
    fates: dict[int, ResplitOutcome] = {}
    shared = _shared(chains)
    for old_idx, (n, _) in enumerate(old):
        places = tuple(sorted(chains.get(old_idx, ())))
        found[n] = tuple(number_by_idx[new_idx] for new_idx in places)
        same = [old_keys[old_idx] == new_keys[new_idx] for new_idx in places]
        whole = "".join(new_keys[new_idx] for new_idx in places)
        fates[n] = _fate(old_keys[old_idx], whole, same, any(map(shared.__contains__, places)))
    sentences = tuple((number_by_idx[idx], text) for idx, text in enumerate(new))
    return Resplit(sentences=sentences, found=found, fates=fates)


def comparable(text: str) -> str:
    """Returns a text without what resplitting or width folding changes."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def _shared(chains: dict[int, frozenset[int]]) -> set[int]:
    """Returns the new sentences that contain several old ones."""
    once: set[int] = set()
    twice: set[int] = set()
    for places in chains.values():
        twice |= once & places
        once |= places
    return twice


def _fate(old_key: str, whole: str, same: list[bool], is_shared: bool) -> ResplitOutcome:
    if not same:
        return ResplitOutcome.GONE
    if same == [True]:
        return ResplitOutcome.SAME
    if len(same) > 1:
        return ResplitOutcome.CUT
    return ResplitOutcome.JOINED if is_shared and old_key in whole else ResplitOutcome.EDITED


def _numbers(old: Sequence[Numbered], chains: dict[int, frozenset[int]], n_new: int) -> list[int]:
    """Returns each new sentence's number: that of its first old one, or a fresh one."""
    next_fresh = max((n for n, _ in old), default=0) + 1
    taken: set[int] = set()
    sources: list[list[int]] = [[] for _ in range(n_new)]
    for old_idx, (n, _) in enumerate(old):
        for new_idx in sorted(chains.get(old_idx, ())):
            sources[new_idx].append(n)
    numbers: list[int] = []
    for candidates in sources:
        number = next((n for n in candidates if n not in taken), None)
        if number is None:
            number, next_fresh = next_fresh, next_fresh + 1
        taken.add(number)
        numbers.append(number)
    return numbers
