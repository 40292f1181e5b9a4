"""What was found, laid out as tables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final, overload

from awase.core.inspection.buckets import Bucket, by_alternatives, by_place, by_rank, by_size
from awase.core.inspection.filters import Cost
from awase.core.inspection.sentences import InspectedSentence, Inspection, Key, Spending
from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid, grid_of
from awase.core.reports.html_report import range_text
from awase.core.reports.numbers import change_text, decimal_text
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.state_names import STATE_NAMES

FIRST_SYSTEM_COLUMN: Final = 8
"""Columns of the heat map before the systems: where, rank, text, alternatives, mean, spread, and
what the sentence costs the system that is asked about."""
MEAN_COLUMN: Final = 4
LOST_COLUMN: Final = 6
SHARE_DECIMALS: Final = 2
_NO_COSTS: Final[Mapping[Key, Cost]] = MappingProxyType({})


def heat_table(
    found: Inspection,
    systems: Sequence[str],
    cost_by_key: Mapping[Key, Cost] = _NO_COSTS,
    system: str = "",
    best: str = "",
) -> Grid:
    """Returns a row for each abstract sentence, a column for each system.

    Args:
        found: The sentences.
        systems: In the order of their columns.
        cost_by_key: What sentences cost `system`.
        system: The system that is asked about; empty = none, and no costs are shown.
        best: The system that it is compared with.
    """
    columns = (
        Column(title=tr("Sentence")),
        Column(title=tr("Rank"), is_shown=any(s.rank for s in found.sentences)),
        Column(title=tr("Text"), stretches=True),
        Column(title=tr("Alts."), tip=tr("Number of alternatives")),
        Column(title=tr("Mean"), tip=tr("Mean e(i) of the systems: low is missed by most.")),
        Column(
            title=tr("Spread"), tip=tr("Largest less smallest e(i): how far the systems disagree.")
        ),
        Column(
            title=tr("Lost"),
            tip=tr(
                "Points of 100 of its abstract's coverage that {system} lacks here.", system=system
            ),
            is_shown=bool(system),
        ),
        Column(
            title=tr("Gap"),
            tip=tr(
                "Points by which {best}, the best system, is ahead of {system} here.",
                best=best,
                system=system,
            ),
            is_shown=bool(system) and system != best,
        ),
        *(Column(title=one, tip=_meaning(one)) for one in systems),
    )
    rows = HeatRows(found.sentences, systems, cost_by_key)
    return Grid(columns=columns, rows=rows)


class HeatRows(Sequence[tuple[Cell, ...]]):
    """Rows of the heat map, each made when it is asked for: of thousands a screenful is seen."""

    def __init__(
        self,
        sentences: Sequence[InspectedSentence],
        systems: Sequence[str],
        cost_by_key: Mapping[Key, Cost],
    ) -> None:
        self._sentences, self._systems, self._costs = sentences, systems, cost_by_key
        self._made: dict[int, tuple[Cell, ...]] = {}

    @property
    def n_made(self) -> int:
        """How many rows were asked for so far."""
        return len(self._made)

    def __len__(self) -> int:
        return len(self._sentences)

    @overload
    def __getitem__(self, at: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[Cell, ...]]: ...
    def __getitem__(self, at: int | slice) -> tuple[Cell, ...] | list[tuple[Cell, ...]]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        at = at + len(self) if at < 0 else at
        if not 0 <= at < len(self):
            raise IndexError(at)
        if at not in self._made:
            self._made[at] = self._row(at)
        return self._made[at]

    def _row(self, at: int) -> tuple[Cell, ...]:
        sentence = self._sentences[at]
        return (
            Cell(text=sentence.place, value=at, is_number=False),
            Cell(text=sentence.rank or "", value=sentence.rank, is_number=False),
            Cell(text=sentence.text, value=sentence.text, is_number=False),
            Cell(text=str(len(sentence.sizes) or ""), value=len(sentence.sizes)),
            _share_cell(sentence.mean),
            Cell(
                text=decimal_text(sentence.spread, SHARE_DECIMALS), value=_number(sentence.spread)
            ),
            *_cost_cells(self._costs.get(sentence.key)),
            *(_value_cell(sentence, one) for one in self._systems),
        )


def _meaning(system: str) -> str:
    return tr(
        "e(i) of {system}: the share of the fullest alternative of the sentence that is among its "
        "counted sentences.",
        system=system,
    )


def _cost_cells(cost: Cost | None) -> tuple[Cell, Cell]:
    if cost is None:
        return Cell(text=UNDEFINED), Cell(text=UNDEFINED)
    return _points_cell(cost.lost), _points_cell(cost.gap, is_signed=True)


def _points_cell(points: Fraction, *, is_signed: bool = False) -> Cell:
    text = change_text(points, 1) if is_signed else decimal_text(points, 1)
    return Cell(text=text, value=float(points), tip=str(points))


def _share_cell(value: Fraction | None) -> Cell:
    return Cell(
        text=decimal_text(value, SHARE_DECIMALS),
        value=_number(value),
        shade=_number(value),
        tip=f"{value} = {float(value):.6f}" if value is not None else "",
    )


def _value_cell(sentence: InspectedSentence, system: str) -> Cell:
    value = sentence.values.get(system)
    if value is not None:
        return _share_cell(value)
    if sentence.sizes:
        return Cell(text=UNDEFINED, tip=tr("The system has no extract for this abstract."))
    state = tr(STATE_NAMES[sentence.state])
    return Cell(
        text=UNDEFINED,
        tip=tr("Not measured: the sentence has no alternative ({state}).", state=state),
    )


def comparison_table(found: Inspection, first: str, second: str) -> tuple[Grid, list[int]]:
    """Returns both systems side by side, the largest |difference| first.

    The second value tells which sentence of `found` each row is.
    """
    both = [
        (idx, sentence, sentence.values[first], sentence.values[second])
        for idx, sentence in enumerate(found.sentences)
        if first in sentence.values and second in sentence.values
    ]
    both.sort(key=lambda row: -abs(row[2] - row[3]))
    columns = (
        Column(title=tr("Sentence")),
        Column(title=tr("Text"), stretches=True),
        Column(title=first),
        Column(title=second),
        Column(title=tr("Difference")),
    )
    rows = [
        (
            Cell(text=sentence.place, value=idx, is_number=False),
            Cell(text=sentence.text, value=sentence.text, is_number=False),
            _share_cell(one),
            _share_cell(other),
            Cell(text=change_text(one - other, SHARE_DECIMALS), value=float(one - other)),
        )
        for idx, sentence, one, other in both
    ]
    return grid_of(columns, rows), [idx for idx, *_ in both]


def spending_table(found: Inspection) -> Grid:
    """Returns what each system spent its places on, in shares of the places it had."""
    titles = (
        Column(title=tr("System")),
        Column(title=tr("Extracts"), tip=tr("Abstracts that it has an extract for.")),
        Column(title=tr("Places"), tip=tr("Sentences asked for: h of each abstract.")),
        Column(title=tr("Useful"), tip=tr("In the alternative chosen for some sentence.")),
        Column(
            title=tr("Redundant"),
            tip=tr("In alternatives, none of which was chosen: what it says is covered already."),
        ),
        Column(title=tr("Irrelevant"), tip=tr("In no alternative.")),
        Column(title=tr("Repeated"), tip=tr("Places lost to a sentence that stood before.")),
        Column(title=tr("Unused"), tip=tr("Places that were not filled.")),
    )
    rows = (_spending_row(system, spent) for system, spent in found.spending.items())
    return grid_of(titles, rows)


def _spending_row(system: str, spent: Spending) -> tuple[Cell, ...]:
    return (
        Cell(text=system, value=system, is_number=False),
        Cell(text=str(spent.n_extracts), value=spent.n_extracts),
        Cell(text=str(spent.n_asked), value=spent.n_asked),
        *(_part_cell(spent, n) for n in spent.parts),
    )


def _part_cell(spent: Spending, n: int) -> Cell:
    share = spent.share(n)
    if share is None:
        return Cell(text=UNDEFINED, tip=tr("There was no place to fill."))
    return Cell(
        text=f"{100 * float(share):.1f} %",
        value=float(share),
        shade=float(share),
        tip=f"{n} / {spent.n_asked}",
    )


def buckets_of(found: Inspection, systems: Sequence[str]) -> list[tuple[str, Bucket]]:
    """Returns (feature, sentences that have it in common), four features in turn."""
    sentences = found.sentences
    groups = (
        (tr("Rank"), by_rank(sentences, systems)),
        (tr("Number of alternatives"), by_alternatives(sentences, systems)),
        (tr("Size of the smallest alternative"), by_size(sentences, systems)),
        (tr("Place of the earliest member in its document"), by_place(sentences, systems)),
    )
    return [(feature, bucket) for feature, group in groups for bucket in group]


def bucket_table(buckets: Sequence[tuple[str, Bucket]], systems: Sequence[str]) -> Grid:
    """Returns mean e(i) over the sentences of each bucket."""
    columns = (
        Column(title=tr("Feature"), stretches=True),
        Column(title=tr("Value")),
        Column(title=tr("Sentences")),
        Column(title=tr("Mean")),
        *(Column(title=system) for system in systems),
    )
    rows = [
        (
            Cell(text=feature, value=at, is_number=False),
            Cell(text=range_text(bucket, tr), value=at),
            Cell(text=str(bucket.n), value=bucket.n),
            _share_cell(bucket.mean),
            *(_share_cell(bucket.means[system]) for system in systems),
        )
        for at, (feature, bucket) in enumerate(buckets)
    ]
    return grid_of(columns, rows)


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
