"""Asks who is at work."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from awase.core.errors import CorpusFormatError
from awase.core.records.alignment import Alignment
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.texts.i18n import hint_of, tr, what_of
from awase.gui.kit.texts.retranslation import Retranslated


class AnnotatorDialog(Retranslated, QDialog):
    """Takes one of the names known, or a new one."""

    chosen = Signal(str)

    def __init__(self, who: str, people: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._people = tuple(people)
        self._label, self._hint = QLabel(), QLabel()
        self._hint.setWordWrap(True)
        self.field = QComboBox()
        self.field.setEditable(True)
        self.field.addItems(list(dict.fromkeys((who, *people))))
        self._label.setBuddy(self.field)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        line_px = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        for widget in (self._label, self.field, self._hint, self._buttons):
            layout.addWidget(widget)
        self.setMinimumWidth(line_px * 26)
        self.field.editTextChanged.connect(self._check)
        self._buttons.accepted.connect(self._on_accepted)
        self._buttons.rejected.connect(self.reject)
        self._retranslate()
        edit = self.field.lineEdit()
        if edit is not None:
            edit.selectAll()
        self.field.setFocus()

    @property
    def name(self) -> str:
        """The name as it stands, without outer blanks."""
        return self.field.currentText().strip()

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Annotator"))
        self._label.setText(tr("Whose alignment do you make?"))
        self.field.setAccessibleName(tr("Whose alignment do you make?"))
        self._check()

    def _check(self) -> bool:
        look, text = "muted", tr("Everybody has an alignment and an undo list of their own.")
        is_valid = True
        try:
            Alignment(annotator=self.name)
        except CorpusFormatError as error:
            problem = error.problems[0]
            is_valid = False
            look, text = "danger", f"{what_of(problem)} {hint_of(problem)}"
        else:
            if self.name not in self._people:
                text = tr("“{who}” is new in this corpus.", who=self.name)
        set_look(self._hint, look)
        self._hint.setText(text)
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_valid)
        return is_valid

    def _on_accepted(self) -> None:
        if self._check():
            self.chosen.emit(self.name)
            self.accept()
