"""Widgets of each kind of field: creation, access, change signals."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QSignalBlocker, QStandardPaths, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from awase.gui.kit.forms.parts import (
    Asks,
    Check,
    ChoiceField,
    Field,
    Line,
    Number,
    Own,
    PathField,
    Shown,
)
from awase.gui.kit.i18n import Message, bind, follow, mark, shown, tr
from awase.gui.kit.look.fitting import ElidedComboBox, ElidedLine

_Dialog = TypeVar("_Dialog", bound=QDialog)
_UNSAFE_IN_FILE_NAMES: Final = '<>:"/\\|?*'


def open_once(dialog: _Dialog) -> _Dialog:
    """Opens a dialog, deleted when closed, and returns it."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


_MODES: Final = {
    Asks.FILE: QFileDialog.FileMode.ExistingFile,
    Asks.FILES: QFileDialog.FileMode.ExistingFiles,
    Asks.FOLDER: QFileDialog.FileMode.Directory,
    Asks.NEW_FILE: QFileDialog.FileMode.AnyFile,
}


def file_dialog(
    parent: QWidget, title: str, asks: Asks, place: str = "", suffix: str = ""
) -> QFileDialog:
    """Returns a dialog that begins at `place`; new files get the ending `suffix`."""
    dialog = QFileDialog(parent, title, place)
    dialog.setFileMode(_MODES[asks])
    if asks is Asks.NEW_FILE:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
    return dialog


def ask_files(
    parent: QWidget,
    title: str,
    chosen: Callable[[list[Path]], object],
    *,
    asks: Asks = Asks.FILES,
    kinds: Sequence[str] = (),
) -> None:
    """Asks for files, of other kinds than `kinds` (with their patterns), too, or for a folder."""
    dialog = file_dialog(parent, title, asks)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, asks is Asks.FOLDER)
    if kinds:
        dialog.setNameFilters([*kinds, tr("All files (*)")])
    dialog.filesSelected.connect(lambda names: chosen([Path(name) for name in names]))
    open_once(dialog)


def ask_file(
    parent: QWidget, title: str, chosen: Callable[[Path], object], *, kinds: Sequence[str] = ()
) -> None:
    ask_files(parent, title, lambda paths: chosen(*paths), asks=Asks.FILE, kinds=kinds)


def ask_first(
    parent: QWidget,
    title: str,
    question: str,
    told: str = "",
    *,
    does: str,
    leaves: str,
    then: Callable[[], object],
) -> QMessageBox:
    """Asks for confirmation; Enter and Escape cancel. Texts are translated."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(title)
    box.setText(question)
    box.setInformativeText(told)
    do = box.addButton(does, QMessageBox.ButtonRole.DestructiveRole)
    leave = box.addButton(leaves, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(leave)
    box.setEscapeButton(leave)
    do.setAutoDefault(False)
    do.clicked.connect(lambda: then())
    return open_once(box)


def ask_text(
    parent: QWidget, title: str, label: str, chosen: Callable[[str], object], text: str = ""
) -> None:
    """Asks for a line of text, with `text` as default."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(chosen)
    open_once(dialog)


def path_of(text: str) -> Path:
    """Returns the path of a text; `~` alone or before `/` is the user's folder.

    `~name` stays as it is where nobody has that name.
    """
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def folder_for(kind: QStandardPaths.StandardLocation) -> Path:
    """Returns the standard location of documents, pictures …; by default the user's folder."""
    folder = Path(QStandardPaths.writableLocation(kind))
    return folder if folder.is_dir() else Path.home()


def documents_folder() -> Path:
    return folder_for(QStandardPaths.StandardLocation.DocumentsLocation)


def file_for(folder: Path, name: str, suffix: str) -> Path:
    plain = "".join("-" if c in _UNSAFE_IN_FILE_NAMES else c for c in name)
    return folder / f"{plain}{suffix}"


def with_ending(path: Path, suffix: str, known: Collection[str]) -> Path:
    """Returns the path with another ending in place of a known one; `.` and such are unchanged."""
    if path.suffix.lower() in known:
        return path.with_suffix(suffix)
    return path.with_name(path.name + suffix) if path.name else path


class PlaceField(QWidget):
    """Path field; its line edit has the focus."""

    # The selected path, already in the line.
    fileChosen = Signal(str)

    def __init__(self, place: PathField, title: Message) -> None:
        super().__init__()
        self.place, self._title = place, title
        # Of a long path, the end matters most.
        self.line = ElidedLine(place.value, Qt.TextElideMode.ElideMiddle)
        self.button = QPushButton()
        bind(self.line, "placeholderText", place.hint)
        bind(self.button, "text", mark("Browse…"))
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.ask)
        self.setFocusProxy(self.line)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.button)

    def ask(self) -> None:
        place, title = self.place, shown(self.place.question or self._title)
        dialog = file_dialog(self, title, place.asks, self.line.text(), place.suffix)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, not place.confirms)
        if place.filters:
            dialog.setNameFilters([tr(name) for name in place.filters])
        dialog.fileSelected.connect(self._on_file_selected)
        open_once(dialog)

    def _on_file_selected(self, name: str) -> None:
        self.line.setText(name)
        self.fileChosen.emit(name)


_FEWEST_CHARACTERS = 12


def control_for(field: Field) -> QWidget:
    match field.kind:
        case Line() as line:
            widget: QWidget = _line_edit(line)
        case ChoiceField() as choice:
            widget = _box(choice)
        case Number() as number:
            widget = _spin_box(number)
        case Check(value):
            widget = QCheckBox()
            widget.setChecked(value)
            bind(widget, "text", field.title)
        case PathField() as place:
            widget = PlaceField(place, field.title)
        case Shown(value, wraps=wraps):
            widget = QLabel(value)
            # Where wrapped text changes, the line keeps its initial height.
            widget.setWordWrap(wraps)
            widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        case Own(own):
            widget = own
    if not isinstance(widget, QLabel):
        bind(named_part(widget), "accessibleName", field.title)
    if field.tip:
        bind(named_part(widget), "toolTip", field.tip)
    return widget


def named_part(widget: QWidget) -> QWidget:
    return widget.line if isinstance(widget, PlaceField) else widget


def fill(box: QComboBox, choice: ChoiceField, *, keeps: bool = True) -> None:
    """Refills a box without signals; with `keeps` the selection stays, typed text always."""
    with QSignalBlocker(box):
        typed, chosen = box.currentText(), choice.value
        if keeps and box.count():
            chosen = box.currentData()
        box.clear()
        for data, _ in choice.messages:
            box.addItem("", data)
        for data, text in choice.options:
            box.addItem(text, data)
        follow(box, partial(_write_messages, box, choice), key="options")
        if choice.is_open:
            box.setEditText(typed)
        else:
            box.setCurrentIndex(max(0, _place_of(box, chosen)))


def fill_names(box: QComboBox, names: Iterable[str], *firsts: tuple[object, str]) -> None:
    fill(box, ChoiceField([(name, name) for name in names], messages=firsts))


def value_of(widget: QWidget) -> object:
    """Returns a field's value: stripped text, data of a choice, number, or bool."""
    widget = named_part(widget)
    match widget:
        case QLineEdit():
            is_secret = widget.echoMode() is QLineEdit.EchoMode.Password
            return widget.text() if is_secret else widget.text().strip()
        case QComboBox():
            return _typed(widget) if widget.isEditable() else widget.currentData()
        case QSpinBox():
            return widget.value()
        case QCheckBox():
            return widget.isChecked()
        case QPlainTextEdit():
            return widget.toPlainText()
    raise TypeError(f"{type(widget).__name__} has no value")


def set_value(widget: QWidget, value: object) -> None:
    """Sets a field's value; ignores a choice that is not offered."""
    widget = named_part(widget)
    match widget, value:
        case QLineEdit() | QLabel(), str():
            widget.setText(value)
        case QPlainTextEdit(), str():
            widget.setPlainText(value)
        case QCheckBox(), bool():
            widget.setChecked(value)
        case QSpinBox(), int():
            widget.setValue(value)
        case QComboBox(), _ if widget.isEditable():
            _write_open(widget, value)
        case QComboBox(), _:
            at = _place_of(widget, value)
            if at >= 0:
                widget.setCurrentIndex(at)
        case _:
            raise TypeError(f"{type(widget).__name__} takes no {type(value).__name__}")


def watch(widget: QWidget, changed: Callable[[], None]) -> None:
    """Calls `changed` on every change of a field's value, by user or program."""

    def tell(_value: object = None) -> None:
        changed()

    widget = named_part(widget)
    match widget:
        case QLineEdit():
            widget.textChanged.connect(tell)
        case QComboBox() if widget.isEditable():
            widget.editTextChanged.connect(tell)
        case QComboBox():
            widget.currentIndexChanged.connect(tell)
        case QSpinBox():
            widget.valueChanged.connect(tell)
        case QCheckBox():
            widget.toggled.connect(tell)


def _line_edit(line: Line) -> QLineEdit:
    widget = ElidedLine(line.value)
    bind(widget, "placeholderText", line.hint)
    widget.setReadOnly(line.is_fixed)
    if line.is_secret:
        widget.setEchoMode(QLineEdit.EchoMode.Password)
    return widget


def _box(choice: ChoiceField) -> QComboBox:
    box = QComboBox() if choice.is_open else ElidedComboBox()
    if choice.is_open:
        box.setLineEdit(ElidedLine())
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    # An option may be longer than the window is wide.
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(_FEWEST_CHARACTERS)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    if choice.hint:
        bind(box.lineEdit() or box, "placeholderText", choice.hint)
    fill(box, choice)
    if choice.is_open:
        box.activated.connect(lambda _: _show_beginning(box))
        _write_open(box, choice.value)
    return box


class _SpinBox(QSpinBox):
    """A number aligned with the texts of other fields."""

    # The style sheet cannot align it: Qt positions the field in a spin box.

    def __init__(self) -> None:
        super().__init__()
        self._indent()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._indent()

    def _indent(self) -> None:
        self.lineEdit().setTextMargins(self.fontMetrics().height() // 3, 0, 0, 0)


def _spin_box(number: Number) -> QSpinBox:
    box = _SpinBox()
    box.setRange(number.low, number.high)
    box.setValue(number.value)
    for name, message in (("specialValueText", number.special), ("suffix", number.unit)):
        if message:
            bind(box, name, message)
    return box


def _typed(box: QComboBox) -> object:
    """Returns the data of the option with the typed text, else the text."""
    text = box.currentText().strip()
    at = box.findText(text, Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive)
    return text if at < 0 else box.itemData(at)


def _write_open(box: QComboBox, value: object) -> None:
    at = _place_of(box, value)
    box.setEditText(box.itemText(at) if at >= 0 else "" if value is None else str(value))
    _show_beginning(box)


def _show_beginning(box: QComboBox) -> None:
    line = box.lineEdit()
    if line is not None:
        line.setCursorPosition(0)


def _write_messages(box: QComboBox, choice: ChoiceField) -> None:
    typed = box.currentText()
    for at, (_, message) in enumerate(choice.messages):
        box.setItemText(at, tr(message))
    if box.isEditable():
        box.setEditText(typed)


def _place_of(box: QComboBox, data: object) -> int:
    # `findData` compares as Qt does, to which None and an enumeration are nothing.
    return next((at for at in range(box.count()) if box.itemData(at) == data), -1)
