"""The files of an import as a table."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor

from awase.core.reports.grid import UNDEFINED
from awase.gui.dialogs.transfer.plan import AUTOMATIC, PlannedFile, changed
from awase.gui.kit.grid.table_model import TableModel
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import mark, tr

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class FileColumn(IntEnum):
    """What the columns show."""

    NAME = 0
    FORMAT = 1
    ENCODING = 2
    TOPIC = 3
    ABSTRACT = 4
    ANNOTATOR = 5


_TITLES: Final = (
    mark("File"),
    mark("Format"),
    mark("Encoding"),
    mark("Topic"),
    mark("Abstract"),
    mark("Annotator"),
)
_NEEDS: Final = {
    FileColumn.TOPIC: "topic",
    FileColumn.ABSTRACT: "abstract",
    FileColumn.ANNOTATOR: "annotator",
}


class FilesModel(TableModel):
    """Planned files, a row each."""

    filesChanged = Signal()

    def __init__(self, themes: ThemeBox, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._files: tuple[PlannedFile, ...] = ()

    @property
    def files(self) -> tuple[PlannedFile, ...]:
        """The files in the order in which they are read."""
        return self._files

    def is_complete(self) -> bool:
        """Whether there is something to import and nothing is left to say about it."""
        return bool(self._files) and not any(file.missing() for file in self._files)

    def add(self, files: Sequence[PlannedFile]) -> None:
        """Adds files that are not in the table yet."""
        known = {file.path for file in self._files}
        new = tuple(file for file in files if file.path not in known)
        if new:
            first = len(self._files)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._files += new
            self.endInsertRows()
            self.filesChanged.emit()

    def remove(self, rows: Sequence[int]) -> None:
        """Takes files out of the table."""
        for row in sorted(set(rows), reverse=True):
            self.beginRemoveRows(QModelIndex(), row, row)
            self._files = self._files[:row] + self._files[row + 1 :]
            self.endRemoveRows()
        self.filesChanged.emit()

    def set_field(self, rows: Sequence[int], field: str, value: str) -> None:
        """Sets a field of `PlannedFile` for the files in `rows`."""
        self._files = changed(self._files, rows, field, value)
        for row in rows:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(FileColumn) - 1))
        self.filesChanged.emit()

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._files)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(FileColumn)

    def told(self, index: _Index, role: int) -> object:
        file, column = self._files[index.row()], FileColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(file, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is FileColumn.NAME:
            fault = [tr(file.fault, name=file.path.name)] if file.is_faulty else []
            return "\n".join([*fault, str(file.path)])
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(file, column)
        return None

    def title(self, column: int) -> str:
        return tr(_TITLES[column])

    def holds_numbers(self, column: int) -> bool:
        return False

    def _text(self, file: PlannedFile, column: FileColumn) -> str:
        if column is FileColumn.NAME:
            return f"⚠ {file.path.name}" if file.is_faulty else file.path.name
        if column is FileColumn.FORMAT:
            return tr(file.format.title) if file.format is not None else tr("choose…")
        if column is FileColumn.ENCODING:
            if file.encoding != AUTOMATIC:
                return file.encoding
            if file.is_folder:
                return tr("As detected")
            return file.detected or tr("unclear")
        need = _NEEDS[column]
        if need in file.missing():
            return tr("say…")
        if file.format is None or need not in file.format.asks:
            return UNDEFINED
        return str(getattr(file, need)) or tr("as it says")

    def _colour(self, file: PlannedFile, column: FileColumn) -> QColor | None:
        theme = self._themes.theme
        missing = file.missing()
        if column is FileColumn.NAME and file.is_faulty:
            return theme.colour("danger")
        if column is FileColumn.FORMAT and "format" in missing:
            return theme.colour("warning")
        if column is FileColumn.ENCODING and not file.encoding and not file.detected:
            return theme.colour("warning")
        if column in _NEEDS:
            need = _NEEDS[column]
            if need in missing:
                return theme.colour("warning")
            if file.format is None or need not in file.format.asks:
                return theme.colour("muted")
        return None
