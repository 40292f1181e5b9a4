"""Dialogs to import files, all or nothing, and to export."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from awase.core.formats.reading.requests import OutsideFiles
from awase.core.formats.registry import FORMATS, Format
from awase.core.reports.grid import UNDEFINED
from awase.gui.dialogs.transfer.plan import (
    AUTOMATIC,
    FileForm,
    PlannedFile,
    close_with_remarks,
    planned,
    readable_formats,
    with_importer,
    writable_formats,
)
from awase.gui.kit.commands import FileDropTarget
from awase.gui.kit.forms.controls import PlaceField, ask_files, ask_first, path_of, with_ending
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused, verdict_on
from awase.gui.kit.forms.parts import (
    Asks,
    Body,
    Button,
    Check,
    ChoiceField,
    Field,
    Form,
    Gap,
    Note,
    PathField,
    Row,
)
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import mark, ntr, tr
from awase.gui.kit.look.rows import WrappingDelegate
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.number_explanation import Index
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.exporting import ExportPlan, export
from awase.jobs.files.writing import Target
from awase.jobs.importing import Imported, import_files

_COLUMNS: Final = {
    "name": mark("File"),
    "format": mark("Format"),
    "encoding": mark("Encoding"),
    "topic": mark("Topic"),
    "abstract": mark("Abstract"),
    "annotator": mark("Annotator"),
}
_NAMES: Final = (*_COLUMNS,)
NAME_COLUMN, FORMAT_COLUMN = 0, 1


class FilesModel(TableModel):
    """Planned files, a row each."""

    titles = (*_COLUMNS.values(),)
    rows: tuple[PlannedFile, ...] = ()

    filesChanged = Signal()

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._themes = themes

    def add(self, files: Sequence[PlannedFile]) -> None:
        known = {file.path for file in self.rows}
        new = tuple(file for file in files if file.path not in known)
        if new:
            first = len(self.rows)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self.rows += new
            self.endInsertRows()
            self.filesChanged.emit()

    def remove(self, rows: Sequence[int]) -> None:
        for row in sorted(set(rows), reverse=True):
            self.beginRemoveRows(QModelIndex(), row, row)
            self.rows = self.rows[:row] + self.rows[row + 1 :]
            self.endRemoveRows()
        self.filesChanged.emit()

    def set_field(self, rows: Sequence[int], field: str, value: str) -> None:
        files = [*self.rows]
        for row in rows:
            files[row] = replace(files[row], **{field: value})  # type: ignore[arg-type]  # by name
        self.rows = tuple(files)
        for row in rows:
            self.row_changed(row)
        self.filesChanged.emit()

    def cell_data(self, index: Index, role: int) -> object:
        file, column = self.rows[index.row()], _NAMES[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(file, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == "name":
            fault = [tr(file.fault, name=file.path.name)] if file.is_faulty else []
            return "\n".join([*fault, str(file.path)])
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(file, column)
        return None

    def _text(self, file: PlannedFile, column: str) -> str:
        if column == "name":
            return f"⚠ {file.path.name}" if file.is_faulty else file.path.name
        if column == "format":
            return tr(file.format.title) if file.format is not None else tr("choose…")
        if column == "encoding":
            if file.encoding != AUTOMATIC:
                return file.encoding
            if file.is_folder:
                return tr("As detected")
            return file.detected or tr("unclear")
        if column in file.missing():
            return tr("say…")
        if file.format is None or column not in file.format.asks:
            return UNDEFINED
        return str(getattr(file, column)) or tr("as it says")

    def _colour(self, file: PlannedFile, column: str) -> QColor | None:
        theme = self._themes.theme
        if column == "name":
            return theme.colour("danger") if file.is_faulty else None
        is_unclear = column == "encoding" and not file.encoding and not file.detected
        if is_unclear or column in file.missing():
            return theme.colour("warning")
        is_of_format = column in ("format", "encoding")
        if is_of_format or (file.format is not None and column in file.format.asks):
            return None
        return theme.colour("muted")


_IMPORT_JOB = "import"
_MOST_OUTSIDE_SHOWN = 20


class ImportDialog(FileDropTarget, JobDialog):
    """Dialog to import files."""

    headline = mark("Nothing was imported; the corpus is unchanged.")

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        self._session = session
        self._services = services
        self._is_touched = False
        self.files, self.file_form = FilesModel(services.themes), FileForm(session.topics())
        self.table = _FilesTable(self.files)
        super().__init__(self._form(), services.jobs, parent)
        self.setAcceptDrops(True)
        self.table.selectionModel().selectionChanged.connect(self._show_selected)
        self.file_form.fieldEdited.connect(self._on_field_edited)
        self.files.filesChanged.connect(self.show_state)

    def add_files(self, paths: Sequence[Path]) -> None:
        first = self.files.rowCount()
        who = self._services.settings.settings.annotator
        self.files.add([with_importer(planned(path), who) for path in paths])
        flags = QItemSelectionModel.SelectionFlag
        selection = self.table.selectionModel()
        selection.clearSelection()
        for row in range(first, self.files.rowCount()):
            selection.select(self.files.index(row, 0), flags.Select | flags.Rows)
        self.show_state()
        if self.accept_button is not None and self.accept_button.isEnabled():
            self.accept_button.setFocus()  # Enter continues instead of asking for files again

    def set_field(self, field: str, value: str) -> None:
        rows = self._rows()
        self.files.set_field(rows, field, value)
        if field == "format_id":
            who = self._services.settings.settings.annotator
            for row in rows:
                annotator = with_importer(self.files.rows[row], who).annotator
                self.files.set_field([row], "annotator", annotator)
        if field in ("format_id", "topic"):
            self._show_selected()

    # What is asked

    def refresh(self) -> None:
        n = len(self._rows())
        about = ntr("About the {n} selected file", "About the {n} selected files", n)
        self.fields.write("about", about if n else tr("Select files to say what they are about."))
        for name in ("remove", "about-files"):
            self.fields.enable(name, bool(n))
        self.table.fit_columns()

    def verdict(self) -> Verdict:
        files = self.files.rows
        faulty = [file for file in files if file.is_faulty or file.format_fault]
        if faulty:
            fault = faulty[0].fault if faulty[0].is_faulty else faulty[0].format_fault
            return refused(tr(fault, name=faulty[0].path.name))
        n_open = sum(bool(file.missing()) for file in files)
        if n_open:
            text = ntr("{n} file needs more.", "{n} files need more.", n_open)
            return refused(text, "warning")
        return Verdict(is_ready=bool(files))

    def has_unsaved(self) -> bool:
        return self._is_touched and bool(self.files.rows)

    def _form(self) -> Form:
        intro = mark(
            "All files are imported together, or none of them. Drop files here or add them."
        )
        folder = Button(
            "add-folder",
            mark("Add folder…"),
            self._on_add_folder,
            tip=mark("For formats that are a folder of files"),
        )
        buttons = (
            Button("add", mark("Add files…"), self._on_add),
            folder,
            Button("remove", mark("Remove"), lambda: self.files.remove(self._rows())),
        )
        return Form(
            title=mark("Import"),
            parts=(
                Note(intro),
                Body("files", mark("Files"), self.table),
                Row(*buttons, Gap()),
                Note(name="about", look=""),
                Body("about-files", "", self.file_form, share=0),
            ),
            accept=mark("Import"),
            focus="add",
            width=54,
            height=38,
        )

    def _rows(self) -> list[int]:
        return sorted({index.row() for index in self.table.selectionModel().selectedRows()})

    def _show_selected(self) -> None:
        self.file_form.show_files([self.files.rows[row] for row in self._rows()])
        self.show_state()

    def _on_field_edited(self, field: str, value: str) -> None:
        self._is_touched = True
        self.set_field(field, value)

    # The import

    def _on_add(self) -> None:
        every = " ".join(f"*{suffix}" for entry in readable_formats() for suffix in entry.suffixes)
        kinds = (tr("Files that can be imported ({endings})", endings=every),)
        ask_files(self, tr("Add files"), self.add_files, kinds=kinds)

    def _on_add_folder(self) -> None:
        ask_files(self, tr("Add folder"), self.add_files, asks=Asks.FOLDER)

    def submit(self) -> None:
        self._begin(allow_outside=False)

    def went_wrong(self, error: BaseException) -> None:
        if isinstance(error, OutsideFiles):
            self._ask_about_outside(error)
        else:
            super().went_wrong(error)

    def _begin(self, *, allow_outside: bool) -> None:
        store, who = self._session.store, self._session.who
        files = [file.to_import() for file in self.files.rows]
        self.start(
            _IMPORT_JOB,
            lambda reporter: import_files(store, files, who, reporter, allow_outside=allow_outside),
            self._on_imported,
        )

    def _ask_about_outside(self, error: OutsideFiles) -> None:
        """Lists the files referenced outside the folder, and reads them if confirmed."""
        files = dict.fromkeys(str(problem.fields["file"]) for problem in error.problems)
        question = ntr(
            "These files name {n} file outside their folder. It was not read.",
            "These files name {n} files outside their folder. They were not read.",
            len(files),
        )
        shown = [*files][:_MOST_OUTSIDE_SHOWN]
        rest = len(files) - len(shown)
        more = ["", ntr("and {n} more", "and {n} more", rest)] if rest else []
        ask_first(
            self,
            self.windowTitle(),
            question,
            "\n".join((*shown, *more)),
            does=tr("Read them too"),
            leaves=tr("Cancel"),
            then=lambda: self._begin(allow_outside=True),
        )

    def _on_imported(self, result: Imported) -> None:
        self._session.reload(result.changes)
        remarks = (*(line for one in result.taken_as for line in one.problems()), *result.warnings)
        close_with_remarks(self, remarks)


class _FilesTable(FlatTable):
    """Wraps titles of formats where the column has too little room for them."""

    def __init__(self, model: FilesModel) -> None:
        super().__init__(NAME_COLUMN, FORMAT_COLUMN)
        model.setParent(self)
        self.setModel(model)
        self._files = model
        self.setWordWrap(True)
        self.setItemDelegateForColumn(FORMAT_COLUMN, WrappingDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setAlternatingRowColors(True)

    def fit_columns(self) -> None:
        option, at = QStyleOptionViewItem(), FORMAT_COLUMN
        self.initViewItemOption(option)
        first_rows = {
            file.format_id: self._files.index(row, at)
            for row, file in reversed([*enumerate(self._files.rows)])
        }
        titles = [str(index.data()) for index in first_rows.values()]
        needed = max(map(option.fontMetrics.horizontalAdvance, titles), default=0)
        self.setColumnWidth(at, needed + option.fontMetrics.height() * 3 // 2)
        super().fit_columns()
        delegate, least = self.itemDelegateForColumn(at), self.verticalHeader().defaultSectionSize()
        heights = {
            format_id: max(least, delegate.sizeHint(option, index).height())
            for format_id, index in first_rows.items()
        }
        for row, file in enumerate(self._files.rows):
            self.setRowHeight(row, heights[file.format_id])


_EXPORT_JOB = "export"
_WHOLE_CORPUS = "awase-json"
_QUESTION = mark("Export to")

ALL_ABSTRACTS = mark("All abstracts")
ALL_ANNOTATORS = mark("All annotators")


class ExportDialog(JobDialog):
    """Dialog to export a corpus."""

    headline = mark("Nothing was exported.")

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        self._session = session
        super().__init__(self._form(), services.jobs, parent)
        self.changed("format")

    def plan(self) -> ExportPlan:
        asks = self._entry().asks
        return ExportPlan(
            format_id=self._entry().id,
            topic=self.fields.text("topic") or None,
            abstract=(self.fields.text("abstract") or None) if "abstract" in asks else None,
            annotator=(self.fields.text("annotator") or None) if "annotator" in asks else None,
            is_unassisted=self.fields.is_checked("unassisted"),
        )

    def place(self) -> Path:
        return path_of(self.fields.text("place"))

    def changed(self, name: str) -> None:
        if name == "format":
            self._place_for_format()
        if name in ("format", "topic"):
            topic = self._session.topic(self.fields.text("topic"))
            abstracts = [one.id for one in topic.abstracts] if topic is not None else []
            self._offer("abstract", abstracts, ALL_ABSTRACTS)
        if name in ("format", "topic", "abstract"):
            self._offer("annotator", self._annotators(), ALL_ANNOTATORS)

    def refresh(self) -> None:
        entry = self._entry()
        for name in ("abstract", "annotator"):
            self.fields.enable(name, name in entry.asks)
        self.fields.write("about", _about(entry))

    def verdict(self) -> Verdict:
        entry, plan = self._entry(), self.plan()
        if not all(getattr(plan, need) for need in entry.needs):
            text = tr("This format is about one topic, one abstract and one annotator.")
        elif not self.fields.text("place"):
            text = tr("Give the file a name.")
        elif not os.path.isdir(self.place().parent):
            text = tr("There is no such folder.")
        else:
            return verdict_on(self._target(), is_folder=entry.is_folder)
        return refused(text, "warning")

    def submit(self) -> None:
        corpus, plan, target = self._session.corpus(), self.plan(), self._target()
        self.start(
            _EXPORT_JOB,
            lambda reporter: export(corpus, plan, target, reporter),
            lambda _result: self.accept(),
        )

    def _form(self) -> Form:
        topics = [
            (topic_id, f"{topic_id}  {title}".rstrip())
            for topic_id, title in self._session.titles()
        ]
        formats = [(entry.id, entry.title) for entry in writable_formats()]
        every = ((None, mark("All topics")),)
        return Form(
            title=mark("Export"),
            parts=(
                Field("format", mark("Format"), ChoiceField(messages=formats)),
                Field("topic", mark("Topic"), ChoiceField(topics, messages=every)),
                Field("abstract", mark("Abstract"), ChoiceField()),
                Field("annotator", mark("Annotator"), ChoiceField()),
                Field("unassisted", mark("Leave out what began as a suggestion"), Check()),
                Field("place", mark("File"), PathField(asks=Asks.NEW_FILE, question=_QUESTION)),
                Note(name="about"),
            ),
            accept=mark("Export"),
            width=36,
        )

    def _target(self) -> Target:
        return Target(path=self.place(), replaces=True)

    def _entry(self) -> Format:
        return FORMATS[self.fields.text("format")]

    def _place_for_format(self) -> None:
        entry, place = self._entry(), self.fields.widget_as("place", PlaceField)
        chosen = self.fields.text("place")
        suffix = "" if entry.is_folder else entry.suffixes[0]
        known = {one for written in writable_formats() for one in written.suffixes}
        path = self._session.file_beside(suffix, self._session.frame.name)
        if chosen:
            path = with_ending(Path(chosen), suffix, known)
        self.fields.set("place", str(path))
        title = mark("Folder") if entry.is_folder else mark("File")
        self.fields.retitle("place", title)
        place.place = PathField(asks=Asks.NEW_FILE, question=_QUESTION, suffix=suffix)
        if "topic" in entry.needs and not self.fields.text("topic"):
            self.fields.box("topic").setCurrentIndex(min(1, self.fields.box("topic").count() - 1))

    def _offer(self, field: str, names: Sequence[str], every: str) -> None:
        messages = ((None, every),) if field in self._entry().may_need else ()
        options = [(name, name) for name in names]
        self.fields.offer(field, ChoiceField(options, messages=messages), keeps=False)

    def _annotators(self) -> list[str]:
        plan = self.plan()
        if plan.topic is None and plan.abstract is None:
            return [*self._session.annotators()]
        topic = self._session.topic(plan.topic or "")
        found = {
            alignment.annotator: None
            for abstract in (topic.abstracts if topic is not None else ())
            if plan.abstract in (None, abstract.id)
            for alignment in abstract.alignments
        }
        return [*found]


def _about(entry: Format) -> str:
    if not entry.reads:
        return tr("Awase cannot read this format back; keep the corpus, too.")
    if entry.id != _WHOLE_CORPUS:
        return tr("This format contains part of the corpus; Awase JSON contains all of it.")
    return tr("Contains the whole corpus except parses, kept scores and the operation log.")
