"""One-shot dialogs, deleted when closed."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QMessageBox, QWidget

from awase.gui.kit.i18n import tr

_Dialog = TypeVar("_Dialog", bound=QDialog)


def open_once(dialog: _Dialog) -> _Dialog:
    """Opens a dialog, deleted when closed, and returns it."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


def ask_file(
    parent: QWidget, title: str, chosen: Callable[[Path], object], *, kinds: Sequence[str] = ()
) -> None:
    """Asks for an existing file.

    Args:
        kinds: Names of file types with their patterns; any other may be selected, too.
    """
    dialog = _file_dialog(parent, title, QFileDialog.FileMode.ExistingFile, kinds)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    open_once(dialog)


def ask_files(
    parent: QWidget,
    title: str,
    chosen: Callable[[list[Path]], object],
    *,
    kinds: Sequence[str] = (),
) -> None:
    dialog = _file_dialog(parent, title, QFileDialog.FileMode.ExistingFiles, kinds)
    dialog.filesSelected.connect(lambda names: chosen([Path(name) for name in names]))
    open_once(dialog)


def ask_folder(parent: QWidget, title: str, chosen: Callable[[Path], object]) -> None:
    dialog = _file_dialog(parent, title, QFileDialog.FileMode.Directory, ())
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    open_once(dialog)


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


def _file_dialog(
    parent: QWidget, title: str, mode: QFileDialog.FileMode, kinds: Sequence[str]
) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(mode)
    if kinds:
        dialog.setNameFilters([*kinds, tr("All files (*)")])
    return dialog


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


def with_ending(path: Path, suffix: str) -> Path:
    """Returns the path with another ending; unchanged if it names no file, such as `.`."""
    return path.with_suffix(suffix) if path.name else path
