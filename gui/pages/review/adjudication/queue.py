"""The list of sentences to decide, the worst first."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtWidgets import QWidget

from awase.core.agreement.adjudication import AdjudicationCase
from awase.core.records.identifiers import sentence_place
from awase.core.reports.grid import Cell, Column, Grid, RowsOnDemand
from awase.core.reports.numbers import decimal_text
from awase.gui.kit.grid.cell_delegate import ShadeDelegate
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import tr


class CaseQueue(GridView):
    """List of cases with a current one."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
        self.setItemDelegate(ShadeDelegate(themes, self))
        self.cases: list[AdjudicationCase] = []

    @property
    def n_decided(self) -> int:
        """Number of decided cases."""
        return sum(not case.is_open for case in self.cases)

    def show_cases(self, cases: Sequence[AdjudicationCase]) -> None:
        self.cases = [*cases]
        columns = (
            Column(title=tr("Sentence")),
            Column(title=tr("Distance"), tip=tr("Distance: 0 = the same")),
            Column(title=tr("Gold")),
            Column(title=tr("Text"), stretches=True, is_spare=True),
        )

        def row(at: int) -> tuple[Cell, ...]:
            return _row(at, cases[at])

        def values(column: int) -> Sequence[float | str | None]:
            if column == 0:
                return range(len(cases))
            return [_VALUES[column](case) for case in cases]

        self.show_grid(Grid(columns=columns, rows=RowsOnDemand(len(cases), row, values)))

    def current(self) -> AdjudicationCase | None:
        """Returns the case chosen."""
        at = self.row_of(self.currentIndex())
        return self.cases[at] if 0 <= at < len(self.cases) else None

    def choose_case(self, key: tuple[str, str, int] | None) -> None:
        """Chooses a case; one that is not there = the first that is open."""
        keys = [case.key for case in self.cases]
        first_open = next((at for at, case in enumerate(self.cases) if case.is_open), 0)
        self.choose(keys.index(key) if key in keys else first_open)

    def next_open(self) -> None:
        """Goes to the next open case, wrapping around."""
        at, n = self.currentIndex().row(), self.n_rows
        for row in (*range(at + 1, n), *range(at)):
            index = self.grid.index(row, 0)
            if self.cases[self.row_of(index)].is_open:
                self.setCurrentIndex(index)
                self.scrollTo(index)
                return


def _sign(case: AdjudicationCase) -> str:
    sign = "" if case.gold is None else "!" if case.is_outdated else "✓"
    if case.gold is not None and case.gold.decided_by is None:
        sign = "…"
    is_locked = case.gold is not None and case.gold.locked
    return f"{sign} L" if is_locked else sign  # as on the key; not every font has a lock


# What it is sorted by, by the column.
_VALUES: Final[Mapping[int, Callable[[AdjudicationCase], float | str]]] = {
    1: lambda case: case.distance,
    2: _sign,
    3: lambda case: case.text,
}


def _row(at: int, case: AdjudicationCase) -> tuple[Cell, ...]:
    sign, is_locked = _sign(case), case.gold is not None and case.gold.locked
    return (
        Cell(text=sentence_place(*case.key), value=at, is_number=False, tip=case.text),
        Cell(
            text=decimal_text(case.distance),
            value=case.distance,
            shade=case.distance,
            tip=f"{case.distance:.6f}",
        ),
        Cell(text=sign, value=sign, is_number=False, tip=tr("locked") if is_locked else ""),
        Cell(text=case.text, value=case.text, is_number=False),
    )
