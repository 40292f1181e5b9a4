"""A dialog to copy the report of a defect from."""

import sys
from pathlib import Path

from PySide6.QtCore import qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from awase.core.version import VERSION
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, Form, Note
from awase.gui.kit.texts.i18n import joined_sentences, mark, tr


class DefectDialog(FormDialog):
    """Reports a defect of the program, with a copyable report."""

    def __init__(self, report: str, log: Path | None, parent: QWidget | None = None) -> None:
        self._report = (
            f"Awase {VERSION}, Qt {qVersion()}, Python {sys.version}\n{sys.platform}\n\n{report}"
        )
        self._log = log
        view = QPlainTextEdit(self._report)
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(view.font().pointSizeF())
        view.setFont(fixed)
        form = Form(
            title=mark("Defect in Awase"),
            parts=(
                Note(mark("The program made a mistake."), look="heading"),
                Note(name="text", look="", is_selectable=True),
                Body("report", mark("Report"), view),
            ),
            leave=mark("Close"),
            actions=(Button("copy", mark("Copy the report"), self._on_copy),),
            width=42,
            height=22,
        )
        super().__init__(form, parent)
        self.show_state()

    def refresh(self) -> None:
        text = tr(
            "Everything you confirmed is stored already. "
            "Please send the report below to whoever looks after Awase for you."
        )
        if self._log is not None:
            text = joined_sentences(text, tr("It is also in {path}.", path=str(self._log)))
        self.fields.write("text", text)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report)
