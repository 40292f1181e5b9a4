"""Model of the texts of an import with editable roles."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QComboBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from awase.core.formats.reading.requests import (
    DOCUMENT,
    LEFT_OUT,
    REFERENCE,
    SYSTEM,
    TextFile,
)
from awase.core.reports.grid import UNDEFINED
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.grid.cell_delegate import CellDelegate
from awase.gui.kit.grid.table_model import TableModel
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import mark, tr

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()

# Role to what it is called.
ROLES: Final[Mapping[str, str]] = {
    DOCUMENT: mark("Document"),
    REFERENCE: mark("Abstract"),
    SYSTEM: mark("System"),
    LEFT_OUT: mark("Leave out"),
}
_COLUMNS: Final = (
    ("name", mark("File")),
    ("role", mark("Role")),
    ("topic", mark("Topic")),
    ("label", mark("Name")),
    ("length", mark("Length")),
    ("author", mark("Author")),
    ("date", mark("Date")),
    ("", mark("Sentences")),
)
FILE_COLUMN: Final = 0
ROLE_COLUMN: Final = 1
NAME_COLUMN: Final = 3
_OF_ROLE: Final[Mapping[str, tuple[str, ...]]] = {
    DOCUMENT: ("topic", "label", "date"),
    REFERENCE: ("topic", "label", "length", "author"),
    SYSTEM: ("topic", "label", "length"),
    LEFT_OUT: (),
}


class TextsModel(TableModel):
    """Texts, a row each."""

    titles = tuple(title for _, title in _COLUMNS)
    numbers = (len(_COLUMNS) - 1,)
    rows: tuple[TextFile, ...] = ()

    edited = Signal()

    def __init__(self, themes: ThemeBox, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._n_sentences: Mapping[str, int] = {}
        self.said: set[str] = set()  # Names of texts with a role set by the user.

    @property
    def files(self) -> tuple[TextFile, ...]:
        """The texts, as they were corrected."""
        return self.rows

    def show(self, files: Sequence[TextFile], n_sentences: Mapping[str, int]) -> None:
        """Shows texts; one without a number of sentences is unreadable."""
        self.beginResetModel()
        self.rows, self._n_sentences = tuple(files), n_sentences
        self.endResetModel()

    def set_role(self, name: str, role: str, *, is_said: bool = True) -> None:
        """Sets a text's role; `is_said` is False when it follows from its folder."""
        row = next(row for row, file in enumerate(self.rows) if file.name == name)
        if is_said:
            self.said.add(name)
        self._write(row, replace(self.rows[row], role=role, is_told=True))

    def told(self, index: _Index, role: int) -> object:
        file, field = self.rows[index.row()], _COLUMNS[index.column()][0]
        if role == Qt.ItemDataRole.EditRole:
            return getattr(file, field, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(file, field)
        if role == Qt.ItemDataRole.ToolTipRole:
            is_guess = field == "role" and not file.is_told
            return tr("Nothing in its name tells; say what it is.") if is_guess else file.name
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(file, field)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        file, field = self.rows[index.row()], _COLUMNS[index.column()][0]
        is_own = field == "role" or field in _OF_ROLE[file.role]
        return flags | Qt.ItemFlag.ItemIsEditable if is_own else flags

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        field, row = _COLUMNS[index.column()][0], index.row()
        text = str(value).strip()
        if not field or (not text and field == "topic"):
            return False
        file = self.rows[row]
        if field == "role":
            self.set_role(file.name, text)
        else:
            self._write(row, replace(file, **{field: text}))  # type: ignore[arg-type]  # by name
        return True

    def _write(self, row: int, file: TextFile) -> None:
        self.rows = (*self.rows[:row], file, *self.rows[row + 1 :])
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(_COLUMNS) - 1))
        self.edited.emit()

    def _text(self, file: TextFile, field: str) -> str:
        if field == "role":
            role = tr(ROLES[file.role])
            return role if file.is_told else tr("{role}?", role=role)
        if not field:
            n = self._n_sentences.get(file.name)
            return str(n) if n is not None else UNDEFINED
        if field not in ("name", *_OF_ROLE[file.role]):
            return ""
        return str(getattr(file, field))

    def _colour(self, file: TextFile, field: str) -> QColor | None:
        theme = self._themes.theme
        if file.role == LEFT_OUT and field != "role":
            return theme.colour("muted")
        if not self._n_sentences.get(file.name):
            return theme.colour("danger")
        return theme.colour("warning") if field == "role" and not file.is_told else None


class RoleDelegate(CellDelegate):
    """Editor of roles: a list that opens immediately."""

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: _Index
    ) -> QWidget:
        box = ElidedComboBox(parent)
        for role, title in ROLES.items():
            box.addItem(tr(title), role)
        box.setAccessibleName(tr("Role"))
        box.activated.connect(lambda _: self._take(box))
        # Closed, it would take the next role with the first arrow key.
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _Index) -> None:
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentData())

    def _take(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QStyledItemDelegate.EndEditHint.NoHint)
