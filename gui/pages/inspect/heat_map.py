"""The heat map of e(i): a row for each abstract sentence, a column for each system."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from awase.core.analysis.columns import Costs, place_of
from awase.core.analysis.inspection import InspectedSentence, Inspection, Key
from awase.gui.kit.grid.cell_delegate import ShadeDelegate
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.inspect.tables import FIRST_SYSTEM_COLUMN, LOST_COLUMN, heat_table


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
        """Shows sentences.

        Args:
            costs: System whose loss is shown, the best one, and each sentence's loss; None = no
                loss.
        """
        self.shown, self.systems = shown, tuple(systems)
        self._lost_by, best, lost = costs or ("", "", None)
        self.show_grid(heat_table(shown, systems, lost, self._lost_by, best), is_last=is_last)

    def sort_as_stored(self) -> None:
        """Sorts by the order of the corpus."""
        self.sort_by(-1, Qt.SortOrder.AscendingOrder)

    def sort_by_loss(self) -> None:
        """Sorts by loss, stably."""
        self.sort_by(LOST_COLUMN, Qt.SortOrder.DescendingOrder)

    def current(self) -> tuple[InspectedSentence | None, str]:
        """Returns the current sentence and system; empty = no systems."""
        index = self.currentIndex()
        row = self.row_of(index)
        if not 0 <= row < len(self.shown.sentences):
            return None, ""
        at = index.column() - FIRST_SYSTEM_COLUMN
        if self.systems and at < 0:
            at = self._place_of("")
        return self.shown.sentences[row], self.systems[at] if self.systems else ""

    def choose_cell(self, sentence_idx: int, system: str) -> bool:
        """Selects a cell; returns whether it changed.

        Args:
            system: Without a column of its own = the one whose loss is shown, or the first.
        """
        column = FIRST_SYSTEM_COLUMN + self._place_of(system) if self.systems else 0
        return self.choose(sentence_idx, column)

    def return_to(self, before: Key | None, system: str) -> bool:
        """Reselects the former cell, or the first; returns whether it changed."""
        # The table may be sorted otherwise than the sentences found.
        first = self.row_of(self.model().index(0, 0))
        return self.choose_cell(place_of(self.shown.sentences, before, first), system)

    def _place_of(self, system: str) -> int:
        known = (one for one in (system, self._lost_by) if one in self.systems)
        return self.systems.index(next(known, self.systems[0]))
