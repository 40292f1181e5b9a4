"""Dialog for name and path of a new corpus."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from awase.gui.kit.forms.controls import PlaceField, folder_for, path_of
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Asks, Field, Form, Line, Note, PathField
from awase.gui.kit.i18n import mark, tr

SUFFIX: Final = ".awase"
_UNSAFE_IN_FILE_NAMES: Final = '<>:"/\\|?*'


def new_place_fields() -> tuple[Field, Field]:
    place = PathField(
        asks=Asks.NEW_FILE,
        question=mark("Where to keep the corpus"),
        filters=(mark("Corpora (*.awase)"),),
        suffix=SUFFIX,
        confirms=False,
    )
    return Field("name", mark("Name"), Line()), Field("place", mark("File"), place)


class NewPlace:
    """Validation of the fields `name` and `place`."""

    def __init__(self, fields: Callable[[], FormPanel], folder: Path) -> None:
        """Takes the fields lazily, as a form is laid out later than this."""
        self._fields = fields
        self._folder = folder
        self._own_place = ""

    def location(self) -> Path:
        path = path_of(self._fields().text("place"))
        return (
            path if path.suffix == SUFFIX or not path.name else path.with_name(path.name + SUFFIX)
        )

    def follow_name(self) -> None:
        """Derives the file name from the corpus's, unless another was chosen."""
        fields = self._fields()
        if fields.text("place") == self._own_place:
            self._own_place = str(file_for(self._folder, fields.text("name")))
            fields.widget_as("place", PlaceField).line.setText(self._own_place)

    def verdict(self) -> Verdict:
        location = self.location()
        if not self._fields().text("name"):
            return refused(tr("Give the corpus a name."))
        if location.stem in ("", SUFFIX):
            return refused(tr("Give the file a name."))
        if os.path.exists(location):
            return refused(tr("A file of that name exists already."))
        if not os.path.isdir(location.parent):
            return refused(tr("There is no such folder."))
        return Verdict()


def file_for(folder: Path, name: str) -> Path:
    plain = "".join("-" if c in _UNSAFE_IN_FILE_NAMES else c for c in name)
    return folder / f"{plain}{SUFFIX}"


def free_name(folder: Path, name: str) -> str:
    """Returns the name, with a number where the folder has a corpus of that name."""
    number, free = 1, name
    while os.path.exists(file_for(folder, free)):
        number += 1
        free = f"{name} {number}"
    return free


def documents_folder() -> Path:
    return folder_for(QStandardPaths.StandardLocation.DocumentsLocation)


class NewCorpusDialog(FormDialog):
    """Name and path of a new corpus."""

    chosen = Signal(str, str, object)  # location, name, and the file to fill it from, or None

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
        return self._place.location()

    def changed(self, name: str) -> None:
        """Derives the file name from the corpus's, unless another was chosen."""
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
