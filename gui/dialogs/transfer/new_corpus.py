"""Asks for the name and the place of a new corpus."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from awase.gui.dialogs.transfer.new_place import NewPlace, documents_folder, new_place_fields
from awase.gui.kit.forms.dialog import FormDialog, Verdict
from awase.gui.kit.forms.parts import Form, Note
from awase.gui.kit.texts.i18n import mark, tr


class NewCorpusDialog(FormDialog):
    """Says which corpus to create."""

    chosen = Signal(str, str, object)
    """Location, name, and the file to fill it from, or None."""

    def __init__(
        self,
        *,
        source: Path | None = None,
        name: str = "",
        folder: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self._source = source
        folder = folder or (source.parent if source is not None else documents_folder())
        self._place = NewPlace(lambda: self.fields, folder)
        form = Form(
            title=mark("New corpus"),
            parts=(Note(name="intro", look=""), *new_place_fields()),
            accept=mark("Create"),
            leave=mark("Cancel"),
            focus="name",
            width=34,
        )
        super().__init__(form, parent)
        self.fields.set("name", name or (source.stem if source is not None else tr("New corpus")))
        self.fields.widget_as("name", QLineEdit).selectAll()

    def location(self) -> Path:
        """Returns the file that the fields name, with its ending."""
        return self._place.location()

    def changed(self, name: str) -> None:
        """Names the file after the corpus, as long as nobody has chosen another one."""
        if name == "name":
            self._place.follow_name()

    def refresh(self) -> None:
        self.fields.write(
            "intro",
            tr("The corpus is made from “{name}”.", name=self._source.name)
            if self._source is not None
            else tr("A corpus is one file; every change is stored in it at once."),
        )

    def verdict(self) -> Verdict:
        return self._place.verdict()

    def submit(self) -> None:
        self.chosen.emit(str(self.location()), self.fields.text("name"), self._source)
        self.accept()
