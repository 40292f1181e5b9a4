"""The right pane: the formula, the alternatives, what makes more of them, and the note."""

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from awase.core.annotation.formula import OR
from awase.core.records.alignment import AlignmentState
from awase.gui.kit.fitting.buttons import ButtonRows
from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.rows.wrapped_text import WrappedText
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.whole_label import WholeLabel
from awase.gui.pages.annotate.panes.command_button import Controls
from awase.gui.pages.annotate.panes.empty_pane import NoticeStack
from awase.gui.pages.annotate.panes.note_field import NoteField
from awase.gui.pages.annotate.panes.other_annotators import OtherAnnotatorsView
from awase.gui.pages.annotate.rows.alternative_delegate import AlternativeDelegate
from awase.gui.pages.annotate.rows.alternative_model import AlternativeModel
from awase.gui.pages.annotate.rows.dragging import DropPlace
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.state.annotation_actions import AnnotationActions
from awase.gui.pages.annotate.state.annotation_state import AnnotationState

_LINES_A_LINE, _LOW_LINES = 10, 14
"""Of the pane for each line of the formula, and for two of them."""


class AlternativesPane(HandsFocusOn, QWidget):
    """Shows the alternatives of the selected sentence and chooses the current one."""

    def __init__(
        self,
        annotation: AnnotationState,
        actions: AnnotationActions,
        sources: Sources,
        controls: Controls,
        themes: ThemeBox,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._annotation = annotation
        self.model = AlternativeModel(annotation, sources, self)
        self.view = RowView()
        self.view.setModel(self.model)
        self._delegate = AlternativeDelegate(themes, self.view)
        self.view.setItemDelegate(self._delegate)
        self.content = NoticeStack(self.view)
        self.hand_focus_to(self.content)
        self._formula, self._texts = WholeLabel(), WrappedText()
        self.note = NoteField(annotation, actions)
        self.others = OtherAnnotatorsView(annotation, sources)
        self._buttons = [
            controls.button("new-alternative", mark("New")),
            controls.button("add-duplicates", mark("Near-duplicates")),
        ]
        self.drops = DropPlace(self.view, self.content.notice)
        self.drops.dropped.connect(lambda ref, row: actions.add_to(row, ref))
        self.drops.hovered.connect(self._on_hovered)
        self._lay_out()
        self.view.rowClicked.connect(self._on_row_clicked)
        self.view.resized.connect(self._give_room)
        self._delegate.removeChosen.connect(actions.remove_alternative)
        for signal in (annotation.placeChanged, annotation.sentenceChanged):
            signal.connect(self._show_all)
        annotation.entryChanged.connect(self._show_all)
        annotation.alternativeChanged.connect(self._show_all)
        self._bind_texts()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._give_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_formula()
        self._give_room()

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        self._formula.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._formula.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._formula.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        self._formula.setProperty("look", "heading")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._formula)
        layout.addWidget(self.content, 1)
        layout.addWidget(self.others, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        foot.setSpacing(line // 3)
        foot.addWidget(self.note)
        foot.addWidget(ButtonRows(self._buttons))
        layout.addLayout(foot)

    def _bind_texts(self) -> None:
        bind(self.view, "accessibleName", mark("Alternatives"))
        bind(self._formula, "accessibleName", mark("Formula"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self._show_all()
        self.view.viewport().update()

    def _show_all(self, _n: int = 0) -> None:
        annotation = self._annotation
        self._show_formula()
        self._delegate.is_read_only = not annotation.can_edit
        for button in self._buttons:
            button.setEnabled(annotation.can_edit)
        self._show_notice()
        self._give_room()
        current = self.model.index(annotation.alternative_idx)
        if current.isValid():
            self.view.show_row(current)

    def _show_formula(self) -> None:
        """Shows the formula, cut where it would take the room of the alternatives themselves."""
        formula, label = self.model.formula, self._formula
        margins = label.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        line = label.fontMetrics().height()
        least = 2 if self.height() >= line * _LOW_LINES else 1
        most = max(least, self.height() // (line * _LINES_A_LINE))
        shown = self._texts.first_lines(formula, label.font(), width, most)
        if shown != formula and OR in shown:
            shown = f"{shown.rpartition(OR)[0]}{OR}…"
        label.setText(shown or tr("Alternatives"))
        label.setToolTip(formula)

    def _give_room(self) -> None:
        """Shows as much of the texts as there is room for."""
        most = self._delegate.lines_that_fit(self.model) if self.view.isVisible() else 1
        if most != self._delegate.most_lines:
            self._delegate.most_lines = most
            self.view.measure_again()

    def _show_notice(self) -> None:
        annotation = self._annotation
        if annotation.n == 0:
            self.content.show_notice(tr("Nothing to link"))
        elif annotation.entry.state is AlignmentState.NO_SOURCE:
            self.content.show_notice(
                tr("No source"),
                tr("This sentence counts neither in h nor in the scores. Linking reopens it."),
            )
        elif not annotation.can_edit and not annotation.entry.alternatives:
            self.content.show_notice(tr("No alternatives"))
        else:
            self.content.show_notice("")

    def _on_hovered(self, row: int) -> None:
        if row != self._delegate.drop_row:
            self._delegate.drop_row = row
            self.view.viewport().update()

    def _on_row_clicked(self, index: QModelIndex, _is_ctrl: bool) -> None:
        self._annotation.stand_at(index.row())
