"""The dialog of settings: language, palette, size of letters, annotator, and keys of commands."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget

from awase.core.errors import EnvironmentProblem
from awase.gui.frame.commands import BY_ID, PAGES, PALETTE_TITLES
from awase.gui.kit.commands import path_of, plain
from awase.gui.kit.defects import error_text
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    Check,
    ChoiceField,
    Field,
    Form,
    Gap,
    Line,
    Note,
    Number,
    Part,
    Row,
    Tabs,
)
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import LANGUAGES, bind, follow, listed, mark, tr
from awase.gui.kit.keys import KeyBindings, KeyConflict, key_text, scope_of
from awase.gui.kit.number_explanation import Index
from awase.gui.session.settings import FONT_POINT_SIZES, Settings, SettingsFile

_SHOWN = Qt.ItemDataRole.DisplayRole
CHANGED_COLUMN: Final = 2  # marks commands with changed keys


def name_of(command_id: str) -> str:
    """Returns the translated title of a command."""
    command = BY_ID[command_id]
    scope = scope_of(command_id)
    if command.menu:
        return path_of(plain(tr(command.menu)), command.name)
    page = next((page for page in PAGES if page.id == scope), None)
    if page is None:  # keys of a part of a page, such as a tab
        return path_of(tr(command.group), command.name) if command.group else command.name
    return command.name if scope == "annotate" else path_of(page.name, command.name)


class KeysModel(TableModel):
    """Model of all commands and keys; changed ones are marked, tooltips have the full text."""

    titles = (mark("Command"), mark("Key"), "")
    rows: Sequence[str] = ()

    def __init__(self, bindings: KeyBindings) -> None:
        super().__init__()
        self._bindings = bindings
        self.rows = bindings.keys.commands()
        bindings.changed.connect(self.refresh)

    def refresh(self) -> None:
        last = self.index(self.rowCount() - 1, self.columnCount() - 1)
        self.dataChanged.emit(self.index(0, 0), last)

    def cell_data(self, index: Index, role: int) -> object:
        if role not in (_SHOWN, Qt.ItemDataRole.ToolTipRole):
            return None
        command = self.rows[index.row()]
        match index.column():
            case 0:
                return name_of(command)
            case 1:
                return listed(self._bindings.keys.texts(command))
        return tr("changed") if self._bindings.is_own(command) else ""


_N_LINES = 8


class KeyField(QLineEdit):
    """Records the key pressed; Tab moves the focus as usual."""

    keyPressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = key_text(event)
        if text:
            self.keyPressed.emit(text)
        event.accept()


class KeysEditor(FormPanel):
    """Editor of key bindings; conflicts are refused with a message."""

    def __init__(self, bindings: KeyBindings) -> None:
        self._bindings = bindings
        self.model, self.table, self.field = KeysModel(bindings), FlatTable(), KeyField()
        self.model.setParent(self.table)
        self.table.setModel(self.model)
        modes = QHeaderView.ResizeMode
        for column, mode in enumerate((modes.Stretch, *[modes.ResizeToContents] * 2)):
            self.table.horizontalHeader().setSectionResizeMode(column, mode)
        self.model.dataChanged.connect(self._show_changed)
        bind(self.field, "placeholderText", mark("press the key here"))
        title = mark("New key of the selected command")
        parts = (
            Body("commands", mark("Commands and their keys"), self.table),
            Row(
                Note(mark("New key"), look="", wraps=False),
                Body("key", title, self.field),
                Field("also", mark("Keep the old keys"), Check()),
            ),
            Row(
                Button("clear", mark("Remove its keys"), lambda: self._bind(())),
                Button(
                    "restore",
                    mark("Restore this command"),
                    lambda: self._try(lambda: bindings.restore(self.command)),
                ),
                Gap(),
                Button("restore-all", mark("Restore all"), lambda: self._try(bindings.restore_all)),
            ),
            Note(name="message", look=""),
        )
        super().__init__(parts)
        self.table.setMinimumHeight(self.fontMetrics().height() * _N_LINES)
        self.field.keyPressed.connect(self._on_key_pressed)
        self.table.selectRow(0)
        follow(self, self.model.refresh)

    @property
    def command(self) -> str:
        return self.model.rows[max(0, self.table.currentIndex().row())]

    def _show_changed(self) -> None:
        """Hides the column of changes while there are none."""
        has_changed = any(map(self._bindings.is_own, self.model.rows))
        self.table.setColumnHidden(CHANGED_COLUMN, not has_changed)

    def _on_key_pressed(self, key: str) -> None:
        old = self._bindings.keys.portable(self.command) if self.is_checked("also") else ()
        self._bind(tuple(dict.fromkeys((*old, key))))

    def _bind(self, keys: tuple[str, ...]) -> None:
        self._try(lambda: self._bindings.bind(self.command, keys))

    def _try(self, change: Callable[[], None]) -> None:
        try:
            change()
        except KeyConflict as conflict:
            text = tr(
                "Nothing was changed: “{command}” already has this key. Give that command another "
                "key first.",
                command=name_of(conflict.command),
            )
            self.write("message", text, "danger")
            return
        except EnvironmentProblem as error:  # it holds as long as the program
            self.write("message", error_text(error), "danger")
            return
        keys = listed(self._bindings.keys.texts(self.command)) or tr("no key")
        text = tr("“{command}” has: {keys}", command=name_of(self.command), keys=keys)
        self.write("message", text, "success")


class SettingsDialog(FormDialog):
    """Edits the settings file; text is stored on leaving the field."""

    keeps_text = True

    def __init__(self, file: SettingsFile, parent: QWidget | None, keys: KeyBindings) -> None:
        self._file = file
        of_keys = (Body("keys", "", KeysEditor(keys)),)
        pages = ((mark("General"), _general(file.settings)), (mark("Keys"), of_keys))
        form = Form(
            title=mark("Settings"),
            parts=(Tabs(pages),),
            leave=mark("Close"),
            focus="language",
            width=47,  # that of a command and its keys
            height=30,
        )
        super().__init__(form, parent)
        self.fields.widget_as("annotator", QLineEdit).editingFinished.connect(self._store_annotator)

    def changed(self, name: str) -> None:
        match name:
            case "language":
                self._file.set(language=self.fields.text("language"))
            case "palette":
                self._file.set(palette=self.fields.text("palette"))
            case "size":
                self._file.set(point_size=self.fields.number("size"))

    def done(self, result: int) -> None:
        self._store_annotator()
        super().done(result)

    def _fit(self) -> None:
        super()._fit()
        self.setMinimumWidth(self.fontMetrics().height() * self.form.width)

    def _store_annotator(self) -> None:
        annotator = self.fields.text("annotator")
        if annotator:
            self._file.set(annotator=annotator)
        else:
            self.fields.set("annotator", self._file.settings.annotator)


def _general(settings: Settings) -> tuple[Part, ...]:
    languages = ChoiceField(
        [*LANGUAGES.items()],
        settings.language,
        messages=(("", mark("As the system")),),
    )
    palettes = ChoiceField((), settings.palette, messages=[*PALETTE_TITLES.items()])
    low, high = FONT_POINT_SIZES.start, FONT_POINT_SIZES.stop - 1
    size = Number(settings.point_size, low, high, unit=mark(" pt"))
    return (
        Field("language", mark("Language"), languages),
        Field("palette", mark("Palette"), palettes),
        Field("size", mark("Text size"), size),
        Field("annotator", mark("Annotator"), Line(settings.annotator)),
        Note(
            mark(
                "Alignments are stored under the annotator's id; a change applies to the next "
                "corpus opened."
            )
        ),
    )
