"""Left pane: the abstract's sentences, filters, legend of the bars."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from awase.core.errors import Listing
from awase.gui.kit.commands import HandsFocusOn
from awase.gui.kit.i18n import bind, follow, mark, tr
from awase.gui.kit.look.fitting import ButtonRows, ElidedComboBox
from awase.gui.kit.look.flow import FollowsWidth, called, label_for, spaced, stacked, styled
from awase.gui.kit.look.rows import Scale, metrics_of, smaller
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.command_button import CommandButton, Controls
from awase.gui.pages.annotate.commands import RANKS
from awase.gui.pages.annotate.header import NoticeStack
from awase.gui.pages.annotate.live_results import LiveResults
from awase.gui.pages.annotate.rows.abstract_rows import (
    FILTER_TITLES,
    NOTHING_LEFT,
    OTHERS_HIDDEN,
    AbstractDelegate,
    AbstractFilter,
    AbstractModel,
    bars_of,
    filtered,
    has_others,
)
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.rows.sources import SUBJECT

MOST_LINES: Final = 2  # the sentences need the room more; the tool tip has all names


class _Entry(NamedTuple):
    """A system's position."""

    at: int  # index of the system, for its colour; -1 = the bars' common text
    name: str
    left: float
    line: int


class BarLegend(FollowsWidth, QWidget):
    """Names the systems in the order of their bars, with the mark of the chosen one."""

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._themes = themes
        self._systems: tuple[tuple[int, str], ...] = ()
        self._chosen = ""
        self._most_lines = MOST_LINES
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        themes.changed.connect(self._on_theme_changed)

    def show_systems(self, systems: Sequence[tuple[int, str]], chosen: str) -> None:
        """Shows systems by index; hidden while there are none."""
        self.setVisible(bool(systems))
        names = Listing(name for _, name in systems)
        told = tr("Bars: {systems} (how much of the sentence each has)", systems=names)
        if told != self.toolTip():
            self.setToolTip(told)
            self.setAccessibleName(told)
        if (tuple(systems), chosen) != (self._systems, self._chosen):
            self._systems, self._chosen = tuple(systems), chosen
            self.updateGeometry()
            self.update()

    def allow_lines(self, most: int) -> None:
        """Limits the lines, 0 to `MOST_LINES`."""
        if most != self._most_lines:
            self._most_lines = most
            self.updateGeometry()
            self.update()

    def names(self) -> tuple[str, ...]:
        """Returns the names as they are written at the width that there is."""
        return tuple(entry.name for entry in self._entries(self.width()) if entry.at >= 0)

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def heightForWidth(self, width: int) -> int:
        entries = self._entries(width)
        n_lines = entries[-1].line + 1 if entries else 0
        return n_lines * self.fontMetrics().height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme, scale = QPainter(self), self._themes.theme, Scale.of(self.font())
        small = smaller(self.font())
        painter.setFont(small)
        mark = max(2.0, scale.line * 0.12)
        ascent = metrics_of(small).ascent()
        for entry in self._entries(self.width()):
            top, left = entry.line * scale.line, entry.left
            if entry.at >= 0:
                bar = QRectF(left, top + scale.line * 0.1, scale.line * 0.32, scale.line * 0.65)
                painter.fillRect(bar, theme.bar(entry.at))
                left += _before(scale)
                if len(self._systems) > 1 and (entry.at, self._chosen) in self._systems:
                    under = QRectF(bar.left(), bar.bottom() + mark / 2, bar.width(), mark)
                    painter.fillRect(under, theme.colour("text"))
            painter.setPen(theme.colour("muted"))
            baseline = top + (scale.line - metrics_of(small).height()) / 2 + ascent
            painter.drawText(QPointF(left, baseline), entry.name)
        painter.end()

    def _entries(self, width: int) -> list[_Entry]:
        """Returns positions of the systems' entries; the last that fits ends with …."""
        scale, metrics = Scale.of(self.font()), metrics_of(smaller(self.font()))
        found: list[_Entry] = []
        left, line = 0.0, 0
        if not (self._systems and self._most_lines):
            return found
        for at, name in (*self._systems, (-1, tr("share of the sentence"))):
            before = _before(scale) if at >= 0 else 0.0
            needed = before + metrics.horizontalAdvance(name)
            if left and left + needed > width and line + 1 < self._most_lines:
                left, line = 0.0, line + 1
            room = width - left - before
            shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            if at >= 0 or left + needed <= width:
                found.append(_Entry(at, shown, left, line))
            if shown != name and line + 1 == self._most_lines:
                return found
            left += needed + scale.line * 0.5
        return found

    def _on_theme_changed(self, _theme: object) -> None:
        self.update()


def _before(scale: Scale) -> float:
    return scale.line * 0.52


class FilterRow(QWidget):
    """Filters, each with its number of sentences."""

    chosen = Signal(object)  # the `AbstractFilter`

    def __init__(self, annotation: AnnotationState) -> None:
        super().__init__()
        self._annotation = annotation
        self._box = called(ElidedComboBox(), mark("Which abstract sentences are shown"))
        self._label = styled(label_for(mark("Show"), self._box), "muted")
        for kept in AbstractFilter:
            self._box.addItem("", kept)
        parts = (self._label, self._box)
        spaced(QHBoxLayout(self), self, *parts, grows=self._box, across=1 / 2, down=1 / 4)
        self._box.setMinimumWidth(self.fontMetrics().height() * 7)
        self._box.activated.connect(lambda row: self.chosen.emit(self._box.itemData(row)))
        for signal in (annotation.placeChanged, annotation.entryChanged, annotation.othersChanged):
            signal.connect(self._show_counts)
        follow(self, self._show_counts)

    @property
    def current(self) -> AbstractFilter:
        return AbstractFilter(self._box.currentData())

    def step(self, by: int) -> None:
        """Chooses the next filter."""
        self._box.setCurrentIndex((self._box.currentIndex() + by) % self._box.count())
        self.chosen.emit(self.current)

    def _show_counts(self) -> None:
        place, shows_others = self._annotation.place, self._annotation.shows_others
        kept = filtered(place, shows_others=shows_others)
        is_kept_back = has_others(place) and not shows_others
        with QSignalBlocker(self._box):
            for row, (choice, title) in enumerate(FILTER_TITLES.items()):
                text = tr(title, n=len(kept[choice]))
                if is_kept_back and choice is AbstractFilter.DISAGREED:
                    text = tr(OTHERS_HIDDEN)
                if self._box.itemText(row) != text:
                    self._box.setItemText(row, text)


# Of further sentences, which need the room more than the legend.
_LINES_BEFORE_LEGEND = 2


class AbstractPane(HandsFocusOn, QWidget):
    """Selects, ranks, confirms and marks abstract sentences by mouse."""

    def __init__(
        self, annotation: AnnotationState, live: LiveResults, controls: Controls, themes: ThemeBox
    ) -> None:
        super().__init__()
        self._annotation, self._live = annotation, live
        self._controls = controls
        self.model = AbstractModel(annotation, self)
        self.view = RowView(self.model, mark("Abstract sentences"))
        self._delegate = AbstractDelegate(themes, self.view)
        self.content = NoticeStack(self.view)
        self.hand_focus_to(self.content)
        self.filter = FilterRow(annotation)
        self.legend = BarLegend(themes)
        self._rank_label = styled(QLabel(), "muted")
        self._rank_row = QHBoxLayout()
        self._buttons = [
            controls.button("confirm", mark("Confirm")),
            controls.button("no-source", mark("No source")),
            controls.button("flag", mark("Flag")),
        ]
        self._buttons[0].setDefault(True)
        self._rank_buttons: list[CommandButton] = []
        self._ranks: tuple[str, ...] = ()
        self._lay_out()
        annotation.placeChanged.connect(self._on_place_changed)
        annotation.sentenceChanged.connect(self._show_current)
        annotation.othersChanged.connect(self._on_others_changed)
        live.sharesChanged.connect(self.model.set_shares)
        live.systemChanged.connect(self._on_system_changed)
        live.changed.connect(self._show_legend)
        for signal in (self.view.selectionModel().currentChanged, self.view.rowClicked):
            signal.connect(self._on_row_chosen)
        self.filter.chosen.connect(self._on_filter_chosen)
        self.model.modelReset.connect(self._on_model_reset)
        bind(self._rank_label, "text", mark("Rank"))
        follow(self, self._write_texts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = self.fontMetrics().height()
        spare = self.height() - self.minimumSizeHint().height() - line * _LINES_BEFORE_LEGEND
        self.legend.allow_lines(max(0, min(MOST_LINES, spare // line)))

    def _lay_out(self) -> None:
        ranks = spaced(
            self._rank_row, self, self._rank_label, None, across=0, down=0, between=1 / 3
        )
        parts = (self.legend, ranks, ButtonRows(self._buttons))
        foot = spaced(QVBoxLayout(), self, *parts, across=1 / 2, down=1 / 3, between=1 / 3)
        stacked(self, self.filter, self.content, foot, grows=self.content)

    def _show_legend(self) -> None:
        systems, chosen = self._live.state.systems, self._live.system
        shown = [(at, systems[at]) for at in bars_of(systems, chosen)]
        self.legend.show_systems(shown, chosen)

    def _write_texts(self) -> None:
        self._show_legend()
        self._show_notice()
        self.view.viewport().update()

    def _show_notice(self) -> None:
        self.content.show_notice(*self._notice())

    def _notice(self) -> tuple[str, str]:
        """Returns why there are no rows, and what to do; empty where there are some."""
        annotation, place, choice = self._annotation, self._annotation.place, self.filter.current
        if place.topic is None:
            return tr("No topics yet"), tr("Import documents and abstracts to begin.")
        if place.abstract is None:
            hint = tr("Its documents can be read; import an abstract to link it.")
            return tr("This topic has no abstract"), hint
        if not place.numbers:
            return tr("This abstract has no sentences"), tr("Choose another abstract above.")
        if self.model.numbers:
            return "", ""
        is_kept_back = has_others(place) and not annotation.shows_others
        if choice is AbstractFilter.DISAGREED and is_kept_back:
            hint = tr(
                "Show the other annotators first ({key}) to list the sentences here.",
                key=self._controls.keys.text("show-others"),
            )
            return tr("Others' work is hidden"), hint
        hint = tr("Sentence {n} stays selected. Choose another filter above.", n=annotation.n)
        return tr(NOTHING_LEFT[choice]), hint

    def step(self, by: int) -> None:
        """Selects the sentence `by` further on among visible ones, without wrapping."""
        numbers = self.model.numbers
        if numbers:
            at = numbers.index(self._annotation.n) + by if self._annotation.n in numbers else 0
            self._annotation.select(numbers[max(0, min(at, len(numbers) - 1))])

    def _on_filter_chosen(self, choice: AbstractFilter) -> None:
        self.model.set_filter(choice)
        self._select_match()
        self.setFocus()

    def _on_others_changed(self) -> None:
        if self.filter.current is AbstractFilter.DISAGREED:
            self._select_match()
        else:
            self._on_model_reset()

    def _select_match(self) -> None:
        """Selects a sentence that the filter matches, if there is one."""
        annotation = self._annotation
        kept = filtered(annotation.place, shows_others=annotation.shows_others)[self.filter.current]
        if kept and annotation.n not in kept:
            annotation.select(kept[0])
        self._on_model_reset()

    def _on_model_reset(self) -> None:
        self._show_notice()
        self._show_current()

    def _on_place_changed(self) -> None:
        self._make_rank_buttons()
        can_edit = self._annotation.can_edit
        for button in (*self._buttons, *self._rank_buttons):
            button.setEnabled(can_edit)
        self._on_model_reset()

    def _make_rank_buttons(self) -> None:
        if self._annotation.ranks == self._ranks:
            return
        self._ranks = self._annotation.ranks
        for button in self._rank_buttons:
            button.deleteLater()
        self._rank_buttons = []
        for rank, command in zip(self._ranks, RANKS, strict=False):
            button = self._controls.button(command.id, rank)
            self._rank_buttons.append(button)
            self._rank_row.insertWidget(self._rank_row.count() - 1, button)

    def _show_current(self) -> None:
        row = self.model.row_of(self._annotation.n)
        if row >= 0 and self.view.currentIndex().row() != row:
            self.view.show_row(self.model.index(row))

    def _on_row_chosen(self, index: QModelIndex) -> None:
        if index.isValid():
            self._annotation.select(index.data(SUBJECT).sentence.n)

    def _on_system_changed(self, system: str) -> None:
        self._delegate.chosen_system = system
        self._show_legend()
        self.view.viewport().update()
