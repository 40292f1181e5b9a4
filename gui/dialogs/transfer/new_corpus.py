"""Asks for the name and the place of a new corpus."""

import os
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Asks, Field, Form, Line, Note, Place
from awase.gui.kit.forms.place_field import PlaceField
from awase.gui.kit.texts.i18n import mark, tr

_SUFFIX = ".awase"
_UNSAFE_IN_FILE_NAMES = '<>:"/\\|?*'


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
        self._folder = folder or (source.parent if source is not None else _documents())
        place = Place(
            asks=Asks.NEW_FILE,
            question=mark("Where to keep the corpus"),
            filters=(mark("Corpora (*.awase)"),),
            suffix=_SUFFIX,
            confirms=False,
        )
        form = Form(
            title=mark("New corpus"),
            parts=(
                Note(name="intro", look=""),
                Field("name", mark("Name"), Line()),
                Field("place", mark("File"), place),
            ),
            accept=mark("Create"),
            leave=mark("Cancel"),
            focus="name",
            width=34,
        )
        super().__init__(form, parent)
        self._own_place = ""
        self.fields.set("name", name or (source.stem if source is not None else tr("New corpus")))
        self.fields.of("name", QLineEdit).selectAll()

    def location(self) -> Path:
        """Returns the file that the fields name, with its ending."""
        path = Path(self.fields.text("place")).expanduser()
        return path if path.suffix == _SUFFIX else path.with_name(path.name + _SUFFIX)

    def changed(self, name: str) -> None:
        """Names the file after the corpus, as long as nobody has chosen another one."""
        if name == "name" and self.fields.text("place") == self._own_place:
            text = self.fields.text("name")
            plain = "".join("-" if c in _UNSAFE_IN_FILE_NAMES else c for c in text)
            self._own_place = str(self._folder / f"{plain}{_SUFFIX}")
            self.fields.of("place", PlaceField).line.setText(self._own_place)

    def refresh(self) -> None:
        self.fields.write(
            "intro",
            tr("The corpus is made from “{name}”.", name=self._source.name)
            if self._source is not None
            else tr("A corpus is one file; every change is stored in it at once."),
        )

    def verdict(self) -> Verdict:
        if not self.fields.text("name"):
            return refused(tr("Give the corpus a name."))
        if self.location().stem in ("", _SUFFIX):
            return refused(tr("Give the file a name."))
        if os.path.exists(self.location()):
            return refused(tr("A file of that name exists already."))
        if not os.path.isdir(self.location().parent):
            return refused(tr("There is no such folder."))
        return Verdict()

    def submit(self) -> None:
        self.chosen.emit(str(self.location()), self.fields.text("name"), self._source)
        self.accept()


def _documents() -> Path:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    folder = Path(QStandardPaths.writableLocation(place))
    return folder if os.path.isdir(folder) else Path.home()
