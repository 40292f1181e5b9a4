"""The left pane: the abstract's sentences, and what is done to the selected one as a whole."""

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from awase.gui.kit.fitting.buttons import ButtonRows
from awase.gui.kit.flow import stacked
from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.annotate.bars.bar_legend import MOST_LINES, BarLegend
from awase.gui.pages.annotate.bars.filter_row import FilterRow
from awase.gui.pages.annotate.commands import RANKS
from awase.gui.pages.annotate.panes.command_button import CommandButton, Controls
from awase.gui.pages.annotate.panes.empty_pane import NoticeStack
from awase.gui.pages.annotate.rows.abstract_delegate import AbstractDelegate, bars_of
from awase.gui.pages.annotate.rows.abstract_model import AbstractModel
from awase.gui.pages.annotate.rows.roles import AbstractRole
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.state.annotation_state import AnnotationState
from awase.gui.pages.annotate.state.filters import NOTHING_LEFT, AbstractFilter, has_others, kept_by
from awase.gui.pages.annotate.state.live_results import LiveResults

_LINES_BEFORE_LEGEND = 2
"""Of the sentences beyond the least: they need the room more than what the bars are called."""


class AbstractPane(HandsFocusOn, QWidget):
    """Shows and selects abstract sentences; ranks, confirms and marks them by mouse."""

    def __init__(
        self,
        annotation: AnnotationState,
        live: LiveResults,
        controls: Controls,
        themes: ThemeBox,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._annotation, self._live = annotation, live
        self._controls = controls
        self.model = AbstractModel(annotation, self)
        self.view = RowView()
        self.view.setModel(self.model)
        self._delegate = AbstractDelegate(themes, self.view)
        self.view.setItemDelegate(self._delegate)
        self.content = NoticeStack(self.view)
        self.hand_focus_to(self.content)
        self.filter = FilterRow(annotation)
        self.legend = BarLegend(themes)
        self._rank_label = QLabel()
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
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.view.rowClicked.connect(self._on_row_clicked)
        self.filter.chosen.connect(self._on_filter_chosen)
        self.model.modelReset.connect(self._on_model_reset)
        self._bind_texts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = self.fontMetrics().height()
        spare = self.height() - self.minimumSizeHint().height() - line * _LINES_BEFORE_LEGEND
        self.legend.allow_lines(max(0, min(MOST_LINES, spare // line)))

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        layout = stacked(self, self.filter, self.content, grows=self.content)
        foot = QVBoxLayout()
        foot.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        foot.setSpacing(line // 3)
        self._rank_label.setProperty("look", "muted")
        self._rank_row.addWidget(self._rank_label)
        self._rank_row.addStretch(1)
        foot.addWidget(self.legend)
        foot.addLayout(self._rank_row)
        self._rank_row.setSpacing(line // 3)
        foot.addWidget(ButtonRows(self._buttons))
        layout.addLayout(foot)

    def _bind_texts(self) -> None:
        bind(self.view, "accessibleName", mark("Abstract sentences"))
        bind(self._rank_label, "text", mark("Rank"))
        follow(self, self._write_texts)

    def _show_legend(self) -> None:
        """Says what the bars beside the sentences are."""
        systems, chosen = self._live.state.systems, self._live.system
        shown = [(at, systems[at]) for at in bars_of(systems, chosen)]
        self.legend.show_systems(shown, chosen)

    def _write_texts(self) -> None:
        self._show_legend()
        self._show_notice()
        self.view.viewport().update()

    def _show_notice(self) -> None:
        place = self._annotation.place
        if place.topic is None:
            self.content.show_notice(
                tr("No topics yet"), tr("Import documents and abstracts to begin.")
            )
        elif place.abstract is None:
            self.content.show_notice(
                tr("This topic has no abstract"),
                tr("Its documents can be read; import an abstract to link it."),
            )
        elif not place.numbers:
            self.content.show_notice(
                tr("This abstract has no sentences"), tr("Choose another abstract above.")
            )
        elif not self.model.numbers and self._keeps_disagreement_back():
            self.content.show_notice(
                tr("What others did is hidden"),
                tr(
                    "Show the other annotators first ({key}); then the sentences stand here.",
                    key=self._controls.keys.text("show-others"),
                ),
            )
        elif not self.model.numbers:
            self.content.show_notice(
                tr(NOTHING_LEFT[self.filter.current]),
                tr(
                    "Sentence {n} stays selected. Choose another filter above.",
                    n=self._annotation.n,
                ),
            )
        else:
            self.content.show_notice("")

    def _keeps_disagreement_back(self) -> bool:
        is_asked = self.filter.current is AbstractFilter.DISAGREED
        return is_asked and has_others(self._annotation.place) and not self._annotation.shows_others

    def step(self, by: int) -> None:
        """Selects the sentence `by` further on among those shown; stops at either end."""
        numbers = self.model.numbers
        if numbers:
            at = numbers.index(self._annotation.n) + by if self._annotation.n in numbers else 0
            self._annotation.select(numbers[max(0, min(at, len(numbers) - 1))])

    def _on_filter_chosen(self, choice: AbstractFilter) -> None:
        kept = kept_by(self._annotation.place, shows_others=self._annotation.shows_others)[choice]
        self.model.set_filter(choice)
        if kept and self._annotation.n not in kept:
            self._annotation.select(kept[0])
        self._on_model_reset()
        self.setFocus()

    def _on_others_changed(self) -> None:
        kept = kept_by(self._annotation.place, shows_others=self._annotation.shows_others)
        numbers = kept[AbstractFilter.DISAGREED]
        if self.filter.current is AbstractFilter.DISAGREED and numbers:
            self._annotation.select(
                numbers[0] if self._annotation.n not in numbers else self._annotation.n
            )
        self._on_model_reset()

    def _on_model_reset(self) -> None:
        self._show_notice()
        self._show_current()

    def _on_place_changed(self) -> None:
        self._make_rank_buttons()
        can_edit = self._annotation.can_edit
        for button in (*self._buttons, *self._rank_buttons):
            button.setEnabled(can_edit)
        self._show_notice()
        self._show_current()

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

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self._annotation.select(current.data(AbstractRole.NUMBER))

    def _on_row_clicked(self, index: QModelIndex, _is_ctrl: bool) -> None:
        self._annotation.select(index.data(AbstractRole.NUMBER))

    def _on_system_changed(self, system: str) -> None:
        self._delegate.chosen_system = system
        self._show_legend()
        self.view.viewport().update()
