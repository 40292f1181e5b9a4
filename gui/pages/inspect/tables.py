"""Tables of the Inspect page."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from awase.core.analysis.explanation import (
    Bucket,
    Codes,
    ColumnedSentences,
    Cost,
    Costs,
    SentenceColumns,
    SentenceGroups,
    columned,
    place_of,
)
from awase.core.analysis.inspection import InspectedSentence, Inspection, Key, Spending
from awase.core.reports.grid import (
    UNDEFINED,
    Cell,
    Column,
    Grid,
    RowsOnDemand,
    change_text,
    decimal_text,
    grid_of,
    text_cell,
)
from awase.core.reports.html_report import range_text
from awase.gui.kit.grid.grid import GridView, ShadeDelegate
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.look.rows import STATE_NAMES
from awase.gui.kit.look.theme import ThemeBox

# Columns before the systems: address, rank, text, alternatives, mean, spread, and the loss of the
# system of interest.
FIRST_SYSTEM_COLUMN: Final = 8
_RANK_COLUMN: Final = 1
_TEXT_COLUMN: Final = 2
_ALTERNATIVES_COLUMN: Final = 3
MEAN_COLUMN: Final = 4
_SPREAD_COLUMN: Final = 5
LOST_COLUMN: Final = 6
_GAP_COLUMN: Final = 7
SHARE_DECIMALS: Final = 2


def heat_table(
    found: Inspection,
    systems: Sequence[str],
    lost: Costs | None = None,
    system: str = "",
    best: str = "",
) -> Grid:
    """Returns a row for each abstract sentence, a column for each system, and what one lost."""
    sentences = columned(found.sentences)
    columns = (
        Column(title=tr("Sentence")),
        Column(title=tr("Rank"), is_shown=bool((sentences.columns.rank >= 0).any())),
        Column(title=tr("Text"), stretches=True),
        Column(title=tr("Alts."), tip=tr("Number of alternatives"), is_spare=True),
        Column(title=tr("Mean"), tip=tr("Mean e(i) of the systems: low is missed by most.")),
        Column(
            title=tr("Spread"), tip=tr("Largest minus smallest e(i): how far the systems disagree.")
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
    heat = _Heat(sentences, systems, lost, system)
    return Grid(columns=columns, rows=RowsOnDemand(len(found.sentences), heat.row, heat.values))


class _Heat:
    def __init__(
        self, sentences: ColumnedSentences, systems: Sequence[str], lost: Costs | None, asked: str
    ) -> None:
        self._sentences, self._systems = sentences, systems
        self._lost, self._asked = lost, asked

    def row(self, at: int) -> tuple[Cell, ...]:
        sentence = self._sentences[at]
        return (
            Cell(text=sentence.place, value=at, is_number=False),
            Cell(text=sentence.rank or "", value=sentence.rank, is_number=False),
            text_cell(sentence.text),
            Cell(text=str(len(sentence.sizes) or ""), value=len(sentence.sizes)),
            _share_cell(sentence.mean),
            Cell(
                text=decimal_text(sentence.spread, SHARE_DECIMALS), value=_number(sentence.spread)
            ),
            *_cost_cells(
                self._lost.at(at) if self._lost is not None else None,
                _value_cell(sentence, self._asked).tip,
            ),
            *(_value_cell(sentence, one) for one in self._systems),
        )

    def values(self, column: int) -> NDArray[np.float64]:
        """Returns a column's sort keys: the values of `row`, texts by collation rank."""
        sentences, columns = self._sentences, self._sentences.columns
        if column == 0:
            return np.arange(len(sentences), dtype=float)
        if column == _RANK_COLUMN:
            return np.where(columns.rank < 0, np.nan, columns.rank)
        if column == _TEXT_COLUMN:
            return sentences.text_order.astype(float)
        if column == _ALTERNATIVES_COLUMN:
            return columns.n_alternatives.astype(float)
        if column in (LOST_COLUMN, _GAP_COLUMN):
            if self._lost is None:
                return np.full(len(sentences), np.nan)
            return self._lost.lost if column == LOST_COLUMN else self._lost.gap
        if column in (MEAN_COLUMN, _SPREAD_COLUMN):
            return columns.floats[columns.mean if column == MEAN_COLUMN else columns.spread]
        return columns.floats[columns.shares_of(self._systems[column - FIRST_SYSTEM_COLUMN])]


def _meaning(system: str) -> str:
    return tr(
        "e(i) of {system}: the share of the fullest alternative of the sentence that is among its "
        "counted sentences.",
        system=system,
    )


def _cost_cells(cost: Cost | None, why_none: str) -> tuple[Cell, Cell]:
    if cost is None:
        return Cell(text=UNDEFINED, tip=why_none), Cell(text=UNDEFINED, tip=why_none)
    return _points_cell(cost.lost), _points_cell(cost.gap, is_signed=True)


@lru_cache(maxsize=1 << 12)
def _points_cell(points: Fraction, *, is_signed: bool = False) -> Cell:
    text = change_text(points, 1) if is_signed else decimal_text(points, 1)
    return Cell(text=text, value=float(points), tip=f"{points} = {float(points):.6f}")


def _share_cell(value: Fraction | None) -> Cell:
    if value is None:  # not from the cache, where it would stay in its language
        return Cell(text=UNDEFINED, tip=tr("None of these sentences was measured."))
    return _measured_cell(value)


@lru_cache(maxsize=1 << 12)
def _measured_cell(value: Fraction) -> Cell:
    number = float(value)
    text = decimal_text(value, SHARE_DECIMALS)
    return Cell(text=text, value=number, shade=number, tip=f"{value} = {number:.6f}")


def _value_cell(sentence: InspectedSentence, system: str) -> Cell:
    value = sentence.values.get(system)
    if value is not None:
        return _share_cell(value)
    if sentence.sizes:
        return Cell(text=UNDEFINED, tip=tr("The system has no extract for this abstract."))
    state = tr(STATE_NAMES[sentence.state])
    return Cell(
        text=UNDEFINED,
        tip=tr(
            "Not measured: the inspected alignment links nothing to the sentence ({state}).",
            state=state,
        ),
    )


def comparison_table(found: Inspection, first: str, second: str) -> tuple[Grid, list[int]]:
    """Returns two systems side by side, the largest |difference| first, and each row's sentence."""
    sentences = columned(found.sentences)
    both = sentences.columns
    own, others = both.shares_of(first), both.shares_of(second)
    at_both = np.flatnonzero((own >= 0) & (others >= 0))
    differences = _differences(both, own[at_both], others[at_both])
    order = np.argsort(-np.abs(differences), kind="stable")
    shown: list[int] = at_both[order].tolist()
    columns = (
        Column(title=tr("Sentence")),
        Column(title=tr("Text"), stretches=True),
        *(Column(title=one, tip=_meaning(one)) for one in (first, second)),
        Column(
            title=tr("Difference"), tip=tr("{first} minus {second}", first=first, second=second)
        ),
    )

    def row(at: int) -> tuple[Cell, ...]:
        idx = shown[at]
        sentence = sentences[idx]
        one, other = sentence.values[first], sentence.values[second]
        return (
            Cell(text=sentence.place, value=idx, is_number=False),
            text_cell(sentence.text),
            _share_cell(one),
            _share_cell(other),
            Cell(text=change_text(one - other, SHARE_DECIMALS), value=float(one - other)),
        )

    def values(column: int) -> NDArray[np.float64]:
        if column == 0:
            return np.array(shown, float)
        if column == 1:
            return sentences.text_order[shown].astype(float)
        if column in (2, 3):
            return both.floats[(own if column == 2 else others)[shown]]
        return differences[order]

    return Grid(columns=columns, rows=RowsOnDemand(len(shown), row, values)), shown


def spending_table(found: Inspection) -> Grid:
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
        Column(title=tr("Repeated"), tip=tr("Places lost to an earlier sentence.")),
        Column(title=tr("Unused"), tip=tr("Places that were not filled.")),
    )
    rows = (
        (
            text_cell(system),
            Cell(text=str(spent.n_extracts), value=spent.n_extracts),
            Cell(text=str(spent.n_asked), value=spent.n_asked),
            *(_part_cell(spent, n) for n in spent.parts),
        )
        for system, spent in found.spending.items()
    )
    return grid_of(titles, rows)


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


def bucket_table(
    found: Inspection, systems: Sequence[str]
) -> tuple[Grid, list[tuple[str, Bucket]]]:
    """Returns a row for each bucket of four features in turn, and (English feature, bucket)."""
    parted = SentenceGroups(found.sentences, systems)
    groups = (
        (mark("Rank"), parted.by_rank()),
        (mark("Number of alternatives"), parted.by_alternatives()),
        (mark("Size of the smallest alternative"), parted.by_size()),
        (mark("Place of the earliest member in its document"), parted.by_place()),
    )
    buckets = [(feature, bucket) for feature, group in groups for bucket in group]
    columns = (
        Column(title=tr("Feature"), stretches=True),
        Column(title=tr("Value")),
        Column(title=tr("Sentences"), tip=tr("Abstract sentences of which this holds")),
        Column(title=tr("Mean"), tip=tr("Mean e(i) of all systems over these sentences")),
        *(
            Column(title=one, tip=tr("Mean e(i) of {system} over these sentences", system=one))
            for one in systems
        ),
    )
    rows = [
        (
            Cell(text=tr(feature), value=at, is_number=False),
            Cell(text=range_text(bucket, tr), value=at, is_number=False),
            Cell(text=str(bucket.n), value=bucket.n),
            _share_cell(bucket.mean),
            *(_share_cell(bucket.means[system]) for system in systems),
        )
        for at, (feature, bucket) in enumerate(buckets)
    ]
    return grid_of(columns, rows), buckets


def _differences(columns: SentenceColumns, own: Codes, others: Codes) -> NDArray[np.float64]:
    """Returns differences rounded once, as those of fractions."""
    tops, bottoms = columns.parts
    above = tops[own] * bottoms[others] - tops[others] * bottoms[own]
    return np.asarray(above / (bottoms[own] * bottoms[others]))


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


class HeatMap(GridView):
    """Heat map of sentences and systems, with a current cell."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(ShadeDelegate(themes, self))
        self.way = mark("Enter shows the sentence on the Annotate page.")
        self.shown = Inspection()
        self.systems: tuple[str, ...] = ()  # In the order of their columns.
        self._lost_by = ""

    def show_sentences(
        self,
        shown: Inspection,
        systems: Sequence[str],
        costs: tuple[str, str, Costs] | None,
        *,
        is_last: bool,
    ) -> None:
        """Shows sentences, and by `costs` the loss of a system against the best one."""
        self.shown, self.systems = shown, tuple(systems)
        self._lost_by, best, lost = costs or ("", "", None)
        table = heat_table(shown, systems, lost, self._lost_by, best)
        self.show_grid(table, shown.sentences, is_last=is_last)

    def current(self) -> tuple[InspectedSentence | None, str]:
        """Returns the current sentence and system; empty = no systems."""
        sentence = self.item()
        if sentence is None or not self.systems:
            return sentence, ""
        at = self.currentIndex().column() - FIRST_SYSTEM_COLUMN
        return sentence, self.systems[at if at >= 0 else self._place_of("")]

    def choose_cell(self, sentence_idx: int, system: str) -> bool:
        """Selects a cell, or one of the system whose loss is shown; returns whether it changed."""
        column = FIRST_SYSTEM_COLUMN + self._place_of(system) if self.systems else 0
        return self.choose(sentence_idx, column)

    def return_to(self, before: Key | None, system: str) -> bool:
        """Reselects the former cell, or the first; returns whether it changed."""
        # The table may be sorted differently.
        first = self.row_of(self.model().index(0, 0))
        return self.choose_cell(place_of(self.shown.sentences, before, first), system)

    def _place_of(self, system: str) -> int:
        known = (one for one in (system, self._lost_by) if one in self.systems)
        return self.systems.index(next(known, self.systems[0]))
