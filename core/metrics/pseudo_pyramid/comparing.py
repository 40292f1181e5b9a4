"""Systems' units against oracles' units: which are alike, and which is paid for which.

What an assignment pays depends on the oracle units in it alone, so that taking them by weight, the
heaviest first, and keeping each that can be matched beside those kept before, is the best of all
(the sets that can be matched are a transversal matroid). No solver is needed, weights stay exact,
and the outcome is the same everywhere: with the compiled kernel, and in Python without it.

Source: Edmonds and Fulkerson (1965), Transversals and matroid partition; paths as Kuhn (1955).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

from awase.core.kernel.binding import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from awase.core.text.tokens.numbered import NumberedTexts

Tokens = tuple[str, ...]

NOTHING = -1
"""In the place of an oracle unit: the system's unit is paid for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """When a system's unit u and an oracle's unit o may be matched.

    Attributes:
        threshold: tau, over 0 and up to 1: LCS(u, o) / len(o) >= tau, exactly (eq. 4, 8).
        is_exact: Whether only equal tokens are alike, whatever tau is.
    """

    threshold: Fraction
    is_exact: bool = False

    def needed(self, lengths: Sequence[int]) -> list[int]:
        """Returns the least LCS(u, o) for each oracle unit, from its length in tokens."""
        if self.is_exact:
            return [*lengths]
        over, under = self.threshold.numerator, self.threshold.denominator
        return [-(-over * n // under) for n in lengths]


@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """Several systems compared with the same oracle units.

    Attributes:
        common: (n_texts, n_oracle_units) lengths of longest common subsequences, in tokens.
        alike: The same shape: 1 where the two may be matched.
        systems: For each system the indices of its units' texts.
        chosen: For each system and each of its units the oracle unit that it is paid for, or
            `NOTHING`.
    """

    common: "NDArray[np.int64]"
    alike: "NDArray[np.uint8]"
    systems: Sequence[Sequence[int]]
    chosen: Sequence[Sequence[int]]

    def paid(self, system_idx: int) -> list[int]:
        """Returns the oracle units that a system's units are paid for."""
        return [oracle_idx for oracle_idx in self.chosen[system_idx] if oracle_idx != NOTHING]

    def pairs_of(self, system_idx: int) -> list[tuple[int, int, int, bool]]:
        """Returns (system's unit, oracle unit, tokens in common, whether paid) of like ones."""
        found = []
        chosen = self.chosen[system_idx]
        for unit_idx, text_idx in enumerate(self.systems[system_idx]):
            for oracle_idx in self.alike[text_idx].nonzero()[0].tolist():
                common = int(self.common[text_idx, oracle_idx])
                found.append((unit_idx, oracle_idx, common, chosen[unit_idx] == oracle_idx))
        return found


def compared(
    texts: "NumberedTexts",
    oracles: "NumberedTexts",
    systems: Sequence[Sequence[int]],
    likeness: Likeness,
    by_weight: Sequence[int],
) -> Compared:
    """Returns how systems' units match oracle units, each unit of either side at most once (eq. 3).

    Args:
        texts: Of the systems' units, each once.
        oracles: The oracle units, none empty, with numbers of the same numbering.
        systems: For each system the indices of its units' texts.
        likeness: When two may be matched.
        by_weight: Indices of the oracle units, the heaviest first.
    """
    import numpy as np

    lengths = oracles.lengths()
    shape = len(texts.starts) - 1, len(lengths)
    needed = np.array(likeness.needed(lengths), np.int64)
    common, alike = np.zeros(shape, np.int64), np.zeros(shape, np.uint8)
    flat = np.full(sum(map(len, systems)), NOTHING, np.int64)
    if not _in_kernel(
        texts, oracles, needed, by_weight, systems, (common, alike, flat), likeness.is_exact
    ):
        common[:] = _common_lengths(texts, oracles)
        alike[:] = common >= needed
        if likeness.is_exact:
            alike &= np.array(texts.lengths()).reshape(-1, 1) == np.array(lengths)
        flat[:] = [*chain.from_iterable(_assigned(alike, by_weight, own) for own in systems)]
    numbers = flat.tolist()
    ends = [0, *accumulate(map(len, systems))]
    return Compared(
        common=common,
        alike=alike,
        systems=systems,
        chosen=[numbers[begin:end] for begin, end in pairwise(ends)],
    )


def _in_kernel(
    texts: "NumberedTexts",
    oracles: "NumberedTexts",
    needed: "NDArray[np.int64]",
    by_weight: Sequence[int],
    systems: Sequence[Sequence[int]],
    into: "tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]",
    is_exact: bool,
) -> bool:
    """Returns whether the compiled kernel was there and wrote what is asked for."""
    library = kernel()
    if library is None:
        return False
    import numpy as np

    from awase.core.kernel.arrays import passed

    places = [
        np.array([*chain.from_iterable(systems)], np.int64),
        np.array([0, *accumulate(map(len, systems))], np.int64),
    ]
    sides = texts.tokens, texts.starts, oracles.tokens, oracles.starts
    order = np.array(by_weight, np.int64)
    common, alike, chosen = into
    return library.call(
        "awase_matching", *(passed(one, "int64") for one in (*sides, needed, order, *places)),
        int(is_exact), passed(common, "int64"), passed(alike, "uint8"), passed(chosen, "int64"),
    )  # fmt: skip


def _common_lengths(texts: "NumberedTexts", oracles: "NumberedTexts") -> "NDArray[np.int32]":
    import numpy as np
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    # A character for each token: compared several times faster than the tokens.
    queries, choices = (
        [
            "".join(map(_letter, side.tokens[begin:end].tolist()))
            for begin, end in pairwise(side.starts.tolist())
        ]
        for side in (texts, oracles)
    )
    found = cdist(queries, choices, scorer=LCSseq.similarity, dtype=np.int32)
    return np.asarray(found).reshape(len(queries), len(choices))


_FIRST_SURROGATE, _N_SURROGATES = 0xD800, 0x800


def _letter(number: int) -> str:
    return chr(number if number < _FIRST_SURROGATE else number + _N_SURROGATES)


def _assigned(
    alike: "NDArray[np.uint8]", by_weight: Sequence[int], text_idxs: Sequence[int]
) -> list[int]:
    """Returns for each unit of one system the oracle unit that it is paid for, or `NOTHING`."""
    rows_of: dict[int, list[int]] = {}
    for row, text_idx in enumerate(text_idxs):
        for column in alike[text_idx].nonzero()[0].tolist():
            rows_of.setdefault(column, []).append(row)
    chosen = [NOTHING] * len(text_idxs)
    for column in by_weight:
        if column in rows_of:
            _match(column, rows_of, chosen)
    return chosen


def _match(column: int, rows_of: dict[int, list[int]], chosen: list[int]) -> None:
    """Matches an oracle unit, too, if those matched before can all stay matched."""
    reached_by: dict[int, int] = {}
    waiting = deque([column])
    while waiting:
        at = waiting.popleft()
        for row in rows_of[at]:
            if row in reached_by:
                continue
            reached_by[row] = at
            if chosen[row] == NOTHING:
                _shift(row, column, reached_by, chosen)
                return
            waiting.append(chosen[row])


def _shift(row: int, column: int, reached_by: dict[int, int], chosen: list[int]) -> None:
    """Gives a free row to the oracle unit that reached it, whose own goes to the one before."""
    while True:
        taker = reached_by[row]
        left = chosen.index(taker) if taker != column else row
        chosen[row] = taker
        if taker == column:
            return
        row = left
