"""Imports files into the open corpus: all of them, or nothing."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from awase.core.formats.reading.folder import OutsideFiles
from awase.gui.dialogs.transfer.file_form import FileForm
from awase.gui.dialogs.transfer.files_model import FileColumn, FilesModel
from awase.gui.dialogs.transfer.plan import PlannedFile, planned, readable_formats, with_importer
from awase.gui.dialogs.transfer.reading import Imported, import_files
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import mark, ntr, tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

_JOB = "import"
_MOST_OUTSIDE_SHOWN = 20


class ImportDialog(Retranslated, QDialog):
    """Asks for files and what they are about, and reads them."""

    failed = Signal(str, object)
    imported = Signal(object)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._services = services
        self._job: Job | None = None
        self._model = FilesModel(services.themes, self)
        self._form = FileForm(session.topics())
        self._intro, self._about = QLabel(), QLabel()
        self._intro.setWordWrap(True)
        self._intro.setProperty("look", "muted")
        self._table = self._built_table()
        self._add, self._add_folder, self._remove = QPushButton(), QPushButton(), QPushButton()
        for button in (self._add, self._add_folder, self._remove):
            button.setAutoDefault(False)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._status = QLabel()
        self._status.setWordWrap(True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._import = self._buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._import.setDefault(True)
        self._progress.hide()
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        self._retranslate()

    def add_files(self, paths: Sequence[Path]) -> None:
        """Puts files into the table, with what can be told about them, and selects them."""
        first = self._model.rowCount()
        who = self._services.settings.settings.annotator
        self._model.add([with_importer(planned(path), who) for path in paths])
        flags = QItemSelectionModel.SelectionFlag
        selection = self._table.selectionModel()
        selection.clearSelection()
        for row in range(first, self._model.rowCount()):
            selection.select(self._model.index(row, 0), flags.Select | flags.Rows)
        self._fit_columns()

    def set_field(self, field: str, value: str) -> None:
        """Sets a field of the selected files."""
        rows = self._rows()
        self._model.set_field(rows, field, value)
        if field == "format_id":
            who = self._services.settings.settings.annotator
            for row in rows:
                annotator = with_importer(self._model.files[row], who).annotator
                self._model.set_field([row], "annotator", annotator)
        if field in ("format_id", "topic"):
            self._show_selected()

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and self._job is None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        self.add_files([path for path in paths if path.exists()])
        event.acceptProposedAction()

    # Layout and texts

    def _built_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self._model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.verticalHeader().hide()
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setSectionResizeMode(
            FileColumn.NAME, QHeaderView.ResizeMode.Stretch
        )
        return table

    def _lay_out(self) -> None:
        files = QVBoxLayout()
        files.addWidget(self._add)
        files.addWidget(self._add_folder)
        files.addWidget(self._remove)
        files.addStretch(1)
        upper = QHBoxLayout()
        upper.addWidget(self._table, 1)
        upper.addLayout(files)
        lower = QHBoxLayout()
        lower.addWidget(self._status, 1)
        lower.addWidget(self._buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(self._intro)
        layout.addLayout(upper, 1)
        layout.addWidget(self._about)
        layout.addWidget(self._form)
        layout.addWidget(self._progress)
        layout.addLayout(lower)
        line_px = self.fontMetrics().height()
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        self.resize(line_px * 54, line_px * 28)

    def _connect(self) -> None:
        self._add.clicked.connect(self._on_add)
        self._add_folder.clicked.connect(self._on_add_folder)
        self._remove.clicked.connect(lambda: self._model.remove(self._rows()))
        self._table.selectionModel().selectionChanged.connect(self._show_selected)
        self._form.fieldEdited.connect(self.set_field)
        self._model.filesChanged.connect(self._show_readiness)
        self._buttons.accepted.connect(lambda: self._begin(allow_outside=False))
        self._buttons.rejected.connect(self.reject)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Import"))
        self._intro.setText(
            tr("All files are imported together, or none of them. Drop files here or add them.")
        )
        self._add.setText(tr("Add files…"))
        self._add_folder.setText(tr("Add folder…"))
        self._add_folder.setToolTip(tr("For formats that are a folder of files"))
        self._remove.setText(tr("Remove"))
        self._import.setText(tr("Import"))
        self._table.setAccessibleName(tr("Files"))
        self._show_selected()
        self._show_readiness()
        self._fit_columns()

    def _fit_columns(self) -> None:
        for column in range(1, self._model.columnCount()):
            self._table.resizeColumnToContents(column)

    def _rows(self) -> list[int]:
        return sorted({index.row() for index in self._table.selectionModel().selectedRows()})

    def _show_selected(self) -> None:
        rows = self._rows()
        self._form.show_files([self._model.files[row] for row in rows])
        self._about.setText(
            ntr("About the {n} selected file", "About the {n} selected files", len(rows))
            if rows
            else tr("Select files to say what they are about.")
        )
        self._remove.setEnabled(bool(rows))

    def _show_readiness(self) -> None:
        is_idle = self._job is None
        self._import.setEnabled(is_idle and self._model.is_complete())
        if not is_idle:
            return
        faulty = [file for file in self._model.files if file.is_faulty or file.misfit]
        n_open = sum(bool(file.missing()) for file in self._model.files)
        set_look(self._status, "danger" if faulty else "warning")
        if faulty:
            fault = faulty[0].fault if faulty[0].is_faulty else faulty[0].misfit
            self._status.setText(tr(fault, name=faulty[0].path.name))
        else:
            self._status.setText(
                ntr("{n} file needs more.", "{n} files need more.", n_open) if n_open else ""
            )

    # The import

    def _on_add(self) -> None:
        dialog = QFileDialog(self, tr("Add files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        every = " ".join(f"*{suffix}" for entry in readable_formats() for suffix in entry.suffixes)
        dialog.setNameFilters([tr("Files that can be imported ({endings})", endings=every)])
        dialog.setNameFilters([*dialog.nameFilters(), tr("All files (*)")])
        dialog.filesSelected.connect(lambda names: self.add_files([Path(name) for name in names]))
        dialog.open()

    def _on_add_folder(self) -> None:
        dialog = QFileDialog(self, tr("Add folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda name: self.add_files([Path(name)]))
        dialog.open()

    def _begin(self, *, allow_outside: bool) -> None:
        store, who = self._session.store, self._session.who
        files: tuple[PlannedFile, ...] = self._model.files
        self._job = self._services.jobs.start(
            _JOB,
            lambda reporter: import_files(store, files, who, reporter, allow_outside=allow_outside),
        )
        self._job.progressed.connect(self._on_progressed)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)
        self._progress.setRange(0, 0)
        self._set_busy(True)

    def _set_busy(self, is_busy: bool) -> None:
        self._progress.setVisible(is_busy)
        for widget in (self._table, self._form, self._add, self._add_folder, self._remove):
            widget.setEnabled(not is_busy)
        if not is_busy:
            self._show_selected()
        self._show_readiness()

    def _on_progressed(self, done: int, total: int, what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        set_look(self._status, "muted")
        self._status.setText(what)

    def _on_finished(self, result: Imported) -> None:
        self._session.reload(result.changes)
        self.imported.emit(result)
        parent = self.parentWidget()
        self._job = None
        self.accept()
        if result.warnings and parent is not None:
            headline = mark("The files were imported. Please note:")
            ProblemsDialog.show_for(parent, headline, result.warnings, are_remarks=True)

    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, OutsideFiles):
            self._ask_about_outside(error)
            return
        self.failed.emit(mark("Nothing was imported; the corpus is as it was."), error)

    def _ask_about_outside(self, error: OutsideFiles) -> None:
        """Names the files that the import asks for elsewhere, and reads them when told to."""
        files = dict.fromkeys(str(problem.fields["file"]) for problem in error.problems)
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(
            ntr(
                "These files name {n} file outside their folder. It was not read.",
                "These files name {n} files outside their folder. They were not read.",
                len(files),
            )
        )
        shown = [*files][:_MOST_OUTSIDE_SHOWN]
        rest = len(files) - len(shown)
        more = ["", ntr("and {n} more", "and {n} more", rest)] if rest else []
        box.setInformativeText("\n".join((*shown, *more)))
        read = box.addButton(tr("Read them too"), QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(cancel)
        box.setEscapeButton(cancel)
        read.clicked.connect(lambda: self._begin(allow_outside=True))
        box.open()

    def _on_ended(self) -> None:
        self._job = None
        if self.result() != QDialog.DialogCode.Accepted:
            self._set_busy(False)
