"""Where a new corpus is kept: a file called as the corpus is, as long as nobody says otherwise."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QStandardPaths

from awase.gui.kit.forms.dialog import Verdict, refused
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Asks, Field, Line, Place
from awase.gui.kit.forms.place_field import PlaceField
from awase.gui.kit.forms.places import folder_for, path_of
from awase.gui.kit.texts.i18n import mark, tr

SUFFIX: Final = ".awase"
_UNSAFE_IN_FILE_NAMES: Final = '<>:"/\\|?*'


def new_place_fields() -> tuple[Field, Field]:
    """Returns the fields `name` and `place` of a form about a new corpus."""
    place = Place(
        asks=Asks.NEW_FILE,
        question=mark("Where to keep the corpus"),
        filters=(mark("Corpora (*.awase)"),),
        suffix=SUFFIX,
        confirms=False,
    )
    return Field("name", mark("Name"), Line()), Field("place", mark("File"), place)


class NewPlace:
    """What a form's fields `name` and `place` say together."""

    def __init__(self, fields: Callable[[], FormPanel], folder: Path) -> None:
        """Takes the fields when they are asked for, as a form is laid out later than this."""
        self._fields = fields
        self._folder = folder
        self._own_place = ""

    def location(self) -> Path:
        """Returns the file that the fields name, with its ending."""
        path = path_of(self._fields().text("place"))
        return (
            path if path.suffix == SUFFIX or not path.name else path.with_name(path.name + SUFFIX)
        )

    def follow_name(self) -> None:
        """Names the file after the corpus, as long as nobody has chosen another one."""
        fields = self._fields()
        if fields.text("place") == self._own_place:
            self._own_place = str(file_for(self._folder, fields.text("name")))
            fields.widget_as("place", PlaceField).line.setText(self._own_place)

    def verdict(self) -> Verdict:
        """Returns whether a corpus can be made there."""
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
    """Returns the file of a corpus of this name in a folder."""
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
    """Returns where people keep their documents."""
    return folder_for(QStandardPaths.StandardLocation.DocumentsLocation)
