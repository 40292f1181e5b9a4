"""Dialog to import plain texts: a table of roles detected from file names comes first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QAbstractItemModel, Qt, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from awase.core.errors import Problem, Reporter
from awase.core.formats.reading.requests import DOCUMENT, LEFT_OUT, REFERENCE, SYSTEM, TextFile
from awase.core.formats.tables.text_folder import Doubt, doubts
from awase.core.reports.grid import UNDEFINED
from awase.gui.dialogs.transfer.plan import (
    LANGUAGES_OF_TEXTS,
    NamesCorpus,
    close_with_remarks,
    free_name,
    new_place_fields,
)
from awase.gui.kit.commands import FileDropTarget
from awase.gui.kit.forms.controls import ask_files, documents_folder
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import Asks, Body, Button, ChoiceField, Field, Form, Gap, Note, Row
from awase.gui.kit.grid.grid import CellDelegate
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import mark, ntr, tr, what_of
from awase.gui.kit.look.fitting import ElidedComboBox, TextEditor
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Index
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.importing import Imported, ScannedTexts, create_with_files, import_files, look_at

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

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._themes = themes
        self._n_sentences: Mapping[str, int] = {}
        self.said: set[str] = set()  # Names of texts with a role set by the user.

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

    def cell_data(self, index: Index, role: int) -> object:
        file, field = self.rows[index.row()], _COLUMNS[index.column()][0]
        if role == Qt.ItemDataRole.EditRole:
            return getattr(file, field, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(file, field)
        if role == Qt.ItemDataRole.ToolTipRole:
            is_guess = field == "role" and not file.is_told
            return tr("Its name does not say what it is; choose a role.") if is_guess else file.name
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(file, field)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        file, field = self.rows[index.row()], _COLUMNS[index.column()][0]
        is_own = field == "role" or field in _OF_ROLE[file.role]
        return flags | Qt.ItemFlag.ItemIsEditable if is_own else flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
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
        self.row_changed(row)
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
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        box = ElidedComboBox(parent)
        for role, title in ROLES.items():
            box.addItem(tr(title), role)
        box.setAccessibleName(tr("Role"))
        box.activated.connect(lambda _: self._take(box))
        # When closed, the first arrow key would select the next role.
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        editor.setCurrentIndex(editor.findData(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QComboBox)
        model.setData(index, editor.currentData())

    def _take(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QStyledItemDelegate.EndEditHint.NoHint)


_JOB = "import"
_MOST_SENTENCES_SHOWN = 200
# Where the new corpus is, and what is odd about the files.
_Created = tuple[str, tuple[Problem, ...]]


class TextsDialog(FileDropTarget, NamesCorpus, JobDialog):
    """Roles of plain texts, imported once none is doubtful."""

    created = Signal(str)  # where the new corpus is
    headline = mark("Nothing was imported; the corpus is unchanged.")
    uses_text = False

    def __init__(
        self,
        services: Services,
        session: CorpusSession | None = None,
        folder: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Imports to `session`, else to a new corpus in `folder`; None = the user's documents."""
        self._session, self._services = session, services
        self.folder = folder or documents_folder()
        self._paths: tuple[Path, ...] = ()
        self._found: ScannedTexts | None = None
        self._doubts: tuple[Doubt, ...] = ()
        self._is_edited = False
        self.texts = TextsModel(services.themes)
        self.table, self.preview = _table(self.texts), TextEditor()
        self.preview.setReadOnly(True)
        self.preview.setTabChangesFocus(True)
        super().__init__(self._form(), services.jobs, parent)
        self.setAcceptDrops(True)
        self.table.selectionModel().currentRowChanged.connect(self.show_state)
        self.texts.edited.connect(self._on_edited)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Reads files and folders, and shows the detected roles."""
        self._paths = tuple(paths)
        self._read(self._on_looked)

    def _read(self, show: Callable[[ScannedTexts], None]) -> None:
        language = self.fields.text("language") or None
        self.start(_JOB, lambda reporter: look_at(self._paths, language, reporter), show)

    @property
    def doubt(self) -> Doubt | None:
        """The first document that may be an abstract; None when all were confirmed."""
        return next((one for one in self._doubts if one.document not in self.texts.said), None)

    # What is asked

    def changed(self, name: str) -> None:
        if name == "name" and self._session is None:
            self.follow_name()
        if name == "language" and self._paths:
            self._read(self._on_read_again)

    def refresh(self) -> None:
        doubt, row = self.doubt, self.table.currentIndex().row()
        for name in ("is-abstract", "is-document"):
            self.fields[name].setVisible(doubt is not None)
        self.fields.enable("settle", row >= 0)
        self.fields.write("doubt", "" if doubt is None else self._question(doubt))
        self.fields["doubt"].setVisible(doubt is not None)
        self._show_sentences(row)
        for part in (self.table, self.table.horizontalHeader()):
            part.viewport().update()  # their texts may be in another language

    def verdict(self) -> Verdict:
        found, wanted = self._found, self._wanted()
        if found is None:
            return refused(tr("Drop a folder of plain texts here, or choose one."), "muted")
        faulty = self._faulty()
        if faulty in found.problems:
            return refused(tr("{name} cannot be read as a text; leave it out.", name=faulty))
        if faulty:
            return refused(tr("{name} has no text; leave it out.", name=faulty))
        if not wanted:
            return refused(tr("Every text is left out."), "warning")
        if self.doubt is not None:
            return refused(
                tr("Choose a role for the document that repeats an abstract."), "warning"
            )
        place = self.place_verdict() if self._session is None else Verdict()
        return place if not place.is_ready else Verdict(self._summary(wanted))

    def submit(self) -> None:
        found = self._found
        assert found is not None
        file = found.to_import(self.texts.rows, self.fields.text("language") or None)
        session, who = self._session, self._services.settings.settings.annotator
        if session is not None:
            store, who = session.store, session.who
            self.start(
                _JOB, lambda reporter: import_files(store, [file], who, reporter), self._on_imported
            )
            return
        location, name = str(self.location()), self.fields.text("name")

        def create(reporter: Reporter) -> _Created:
            return location, create_with_files(location, name, [file], who, reporter)

        self.start(_JOB, create, self._on_created)

    def has_unsaved(self) -> bool:
        return self._is_edited or super().has_unsaved()

    def _form(self) -> Form:
        is_new = self._session is None
        intro = mark(
            "Each folder is a topic. Correct in the table what file names do not show: "
            "double-click, or press F2."
        )
        where = new_place_fields() if is_new else ()
        return Form(
            title=mark("New corpus from texts") if is_new else mark("Import texts"),
            parts=(
                Note(intro),
                *where,
                Row(
                    Button("choose", mark("Choose a folder…"), self._on_choose),
                    Button("settle", mark("Same role for its folder"), self._spread),
                    Gap(),
                    Field("language", mark("Language"), ChoiceField(messages=LANGUAGES_OF_TEXTS)),
                ),
                Body("files", mark("Texts"), self.table, share=3),
                Body("preview", mark("Sentences of the text"), self.preview, share=2),
                Note(name="doubt", look="warning", is_selectable=True),
                Row(
                    Button(
                        "is-abstract", mark("It is an abstract"), partial(self._take, REFERENCE)
                    ),
                    Button("is-document", mark("It is a document"), partial(self._take, DOCUMENT)),
                    Gap(),
                ),
            ),
            accept=mark("Import"),
            focus="choose",
            width=62,
            height=36,
        )

    def _question(self, doubt: Doubt) -> str:
        return ntr(
            "“{document}” is a document and has {shared} of the {n} sentence of the abstract "
            "“{abstract}”. What is it?",
            "“{document}” is a document and has {shared} of the {n} sentences of the abstract "
            "“{abstract}”. What is it?",
            doubt.n_sentences,
            document=doubt.document,
            abstract=doubt.abstract,
            shared=doubt.n_shared,
        )

    def _summary(self, wanted: Sequence[TextFile]) -> str:
        n_topics = len({file.topic for file in wanted})
        n_abstracts = sum(file.role == REFERENCE for file in wanted)
        parts = [
            ntr("{n} text", "{n} texts", len(wanted)),
            ntr("{n} topic", "{n} topics", n_topics),
        ]
        if not n_abstracts:
            parts.append(tr("No text is an abstract; alignment needs at least one."))
        return " · ".join(parts)

    def _faulty(self) -> str:
        found = self._found
        if found is None:
            return ""
        return next((one.name for one in self._wanted() if not found.has_text(one.name)), "")

    def _wanted(self) -> list[TextFile]:
        return [file for file in self.texts.rows if file.role != LEFT_OUT]

    def _show_sentences(self, row: int) -> None:
        text = ""
        if self._found is not None and 0 <= row < len(self.texts.rows):
            name = self.texts.rows[row].name
            split = self._found.texts.get(name)
            if split is None:
                text = what_of(self._found.problems[name])
            else:
                shown = split.texts[:_MOST_SENTENCES_SHOWN]
                lines = [f"{n}  {one}" for n, one in enumerate(shown, start=1)]
                text = "\n".join([*([split.title, ""] if split.title else []), *lines])
        if text != self.preview.toPlainText():
            self.preview.setPlainText(text)

    def _on_edited(self) -> None:
        self._is_edited = True
        self._look_for_doubts()
        self.forget_failure()
        self.show_state()

    def _spread(self) -> None:
        """Applies the current text's role to all in its folder."""
        row = self.table.currentIndex().row()
        if row < 0:
            return
        chosen = self.texts.rows[row]
        folder = chosen.name.rpartition("/")[0]
        for file in self.texts.rows:
            if file.name.rpartition("/")[0] == folder:
                self.texts.set_role(file.name, chosen.role, is_said=False)

    def _take(self, role: str) -> None:
        """Settles the doubt."""
        if (doubt := self.doubt) is not None:
            self.texts.set_role(doubt.document, role)
            self._move_on()

    def _move_on(self) -> None:
        """Focuses the next error, doubtful text, or the end."""
        doubt, faulty, button = self.doubt, self._faulty(), self.accept_button
        name = faulty or (doubt.document if doubt is not None else "")
        if name:
            self._choose([file.name for file in self.texts.rows].index(name))
        self.show_state()
        if faulty:
            self.table.setFocus()
        elif doubt is not None:
            self.fields["is-abstract"].setFocus()
        elif button is not None and button.isEnabled():
            button.setFocus()

    def _look_for_doubts(self) -> None:
        texts = (
            {name: text.texts for name, text in self._found.texts.items()} if self._found else {}
        )
        self._doubts = doubts(self.texts.rows, texts)

    # What is done

    def _on_choose(self) -> None:
        ask_files(self, tr("Choose a folder of texts"), self.add_files, asks=Asks.FOLDER)

    def _on_looked(self, found: ScannedTexts) -> None:
        self._is_edited = False
        self.texts.said.clear()
        self._show_results(found, found.files)
        if self._session is None and not self.fields.text("name"):
            self.fields.set("name", free_name(self.folder, found.name))
        first = next((row for row, one in enumerate(found.files) if one.role == REFERENCE), 0)
        self._choose(first)
        self._move_on()

    def _on_read_again(self, found: ScannedTexts) -> None:
        """Shows the sentences resplit for another language; corrections stay."""
        corrected, row = {file.name: file for file in self.texts.rows}, self.table.currentIndex()
        self._show_results(found, [corrected.get(file.name, file) for file in found.files])
        self._choose(row.row(), row.column())
        self.show_state()

    def _choose(self, row: int, column: int = ROLE_COLUMN) -> None:
        """Selects a text in the role column, as F2 on a file name does nothing."""
        self.table.setCurrentIndex(self.texts.index(row, column))

    def _show_results(self, found: ScannedTexts, files: Sequence[TextFile]) -> None:
        self._found = found
        counts = {name: len(text.texts) for name, text in found.texts.items()}
        self.texts.show(files, counts)
        self.table.fit_columns()
        self._look_for_doubts()

    def _on_created(self, created: _Created) -> None:
        location, warnings = created
        close_with_remarks(self, warnings)
        self.created.emit(location)

    def _on_imported(self, result: Imported) -> None:
        assert self._session is not None
        self._session.reload(result.changes)
        close_with_remarks(self, result.warnings)


def _table(model: TextsModel) -> FlatTable:
    table = FlatTable(FILE_COLUMN, NAME_COLUMN)
    model.setParent(table)
    table.setModel(model)
    table.setItemDelegate(CellDelegate(table))
    table.setItemDelegateForColumn(ROLE_COLUMN, RoleDelegate(table))
    triggers = FlatTable.EditTrigger
    table.setEditTriggers(
        triggers.DoubleClicked | triggers.EditKeyPressed | triggers.SelectedClicked
    )
    table.setAlternatingRowColors(True)
    # Names of one folder begin alike, and differ by the date at their end.
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    return table
