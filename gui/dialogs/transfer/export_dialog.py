"""Writes the open corpus, or a part of it, to a file of any registered format."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.formats.registry import FORMATS, Format
from awase.gui.dialogs.transfer.plan import writable_formats
from awase.gui.dialogs.transfer.writing import ExportPlan, export_file
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.jobs.folders import is_empty_folder

_JOB = "export"
_WHOLE_CORPUS = "awase-json"

ALL_ABSTRACTS = mark("All abstracts")
ALL_ANNOTATORS = mark("All annotators")


class ExportDialog(Retranslated, QDialog):
    """Asks what to write and where."""

    failed = Signal(str, object)
    exported = Signal(str)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._services = services
        self._job: Job | None = None
        self._format, self._topic = QComboBox(), QComboBox()
        self._abstract, self._annotator = QComboBox(), QComboBox()
        self._place, self._browse = QLineEdit(), QPushButton()
        self._browse.setAutoDefault(False)
        self._form = QFormLayout()
        self._hint = QLabel()
        self._hint.setProperty("look", "warning")
        self._about = QLabel()
        self._about.setProperty("look", "muted")
        self._about.setWordWrap(True)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.hide()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._export = self._buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._export.setDefault(True)
        self._lay_out()
        for entry in writable_formats():
            self._format.addItem("", entry.id)
        self._topic.addItem("", None)
        for topic in session.topics():
            self._topic.addItem(f"{topic.id}  {topic.title or ''}".rstrip(), topic.id)
        self._connect()
        self._retranslate()
        self._on_format_changed()

    def plan(self) -> ExportPlan:
        """Returns what the fields say."""
        return ExportPlan(
            format_id=self._format.currentData(),
            path=Path(self._place.text().strip()).expanduser(),
            topic=self._topic.currentData(),
            abstract=self._abstract.currentData() if self._abstract.isEnabled() else None,
            annotator=self._annotator.currentData() if self._annotator.isEnabled() else None,
        )

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(self.fontMetrics().height() // 2)
        place.addWidget(self._place, 1)
        place.addWidget(self._browse)
        for field in (self._format, self._topic, self._abstract, self._annotator):
            self._form.addRow(QLabel(), field)
        self._form.addRow(QLabel(), place)
        layout = QVBoxLayout(self)
        layout.addLayout(self._form)
        layout.addWidget(self._about)
        layout.addWidget(self._hint)
        layout.addStretch(1)
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        line_px = self.fontMetrics().height()
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        self._form.setHorizontalSpacing(line_px)
        self._form.setVerticalSpacing(line_px // 2)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.setMinimumWidth(line_px * 36)

    def _connect(self) -> None:
        self._format.currentIndexChanged.connect(self._on_format_changed)
        self._topic.currentIndexChanged.connect(self._on_topic_changed)
        self._abstract.currentIndexChanged.connect(self._on_abstract_changed)
        self._place.textChanged.connect(self._check)
        self._browse.clicked.connect(self._on_browse)
        self._buttons.accepted.connect(self._on_export)
        self._buttons.rejected.connect(self.reject)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Export"))
        self._name_fields()
        for index, entry in enumerate(writable_formats()):
            self._format.setItemText(index, tr(entry.title))
        self._topic.setItemText(0, tr("All topics"))
        for box, text in ((self._abstract, ALL_ABSTRACTS), (self._annotator, ALL_ANNOTATORS)):
            if box.count() and box.itemData(0) is None:
                box.setItemText(0, tr(text))
        self._browse.setText(tr("Browse…"))
        self._export.setText(tr("Export"))
        self._check()

    def _name_fields(self) -> None:
        place = tr("Folder") if self._entry().is_folder else tr("File")
        titles = (tr("Format"), tr("Topic"), tr("Abstract"), tr("Annotator"), place)
        for row, text in enumerate(titles):
            item = self._form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            label = item.widget() if item is not None else None
            if isinstance(label, QLabel):
                label.setText(text)
        fields = (self._format, self._topic, self._abstract, self._annotator, self._place)
        for field, text in zip(fields, titles, strict=True):
            field.setAccessibleName(text)

    def _entry(self) -> Format:
        return FORMATS[self._format.currentData()]

    def _on_format_changed(self) -> None:
        entry = self._entry()
        folder = Path(self._session.location).parent
        place = Path(self._place.text()) if self._place.text() else folder / self._session.name
        ending = "" if entry.is_folder else entry.suffixes[0]
        self._place.setText(str(place.with_suffix(ending)))
        self._name_fields()
        if "topic" in entry.needs and self._topic.currentData() is None:
            self._topic.setCurrentIndex(min(1, self._topic.count() - 1))
        self._on_topic_changed()

    def _on_topic_changed(self) -> None:
        topic = self._session.topic(self._topic.currentData() or "")
        self._abstract.clear()
        if "abstract" in self._entry().may_need:
            self._abstract.addItem(tr(ALL_ABSTRACTS), None)
        if topic is not None:
            for abstract in topic.abstracts:
                self._abstract.addItem(abstract.id, abstract.id)
        self._abstract.setEnabled("abstract" in self._entry().asks)
        self._on_abstract_changed()

    def _on_abstract_changed(self) -> None:
        self._annotator.clear()
        if "annotator" in self._entry().may_need:
            self._annotator.addItem(tr(ALL_ANNOTATORS), None)
        for annotator in self._annotators():
            self._annotator.addItem(annotator, annotator)
        self._annotator.setEnabled("annotator" in self._entry().asks)
        self._check()

    def _annotators(self) -> list[str]:
        """Returns who aligned any of what is chosen."""
        plan = self.plan()
        topics = [topic for topic in self._session.topics() if plan.topic in (None, topic.id)]
        found = {
            alignment.annotator: None
            for topic in topics
            for abstract in topic.abstracts
            if plan.abstract in (None, abstract.id)
            for alignment in abstract.alignments
        }
        return [*found]

    def _check(self) -> None:
        hint = ""
        missing = [need for need in self._entry().needs if not getattr(self.plan(), need)]
        if missing:
            hint = tr("This format is about one topic, one abstract and one annotator.")
        elif not self._place.text().strip():
            hint = tr("Give the file a name.")
        elif not self.plan().path.parent.is_dir():
            hint = tr("There is no such folder.")
        elif self._entry().is_folder and self._is_taken():
            hint = tr("This format is a folder; choose a name that is free.")
        elif self.plan().path.exists() and not self._entry().is_folder:
            hint = tr("A file of that name exists already and is replaced.")
        self._about.setText(self._about_format())
        self._hint.setText(hint)
        is_free = not self._entry().is_folder or not self._is_taken()
        is_ready = not missing and self.plan().path.parent.is_dir() and is_free
        self._export.setEnabled(is_ready and bool(self._place.text().strip()) and not self._job)

    def _is_taken(self) -> bool:
        """Whether a folder cannot be made in the place named."""
        path = self.plan().path
        return path.exists() and not is_empty_folder(path)

    def _about_format(self) -> str:
        """Returns what a file of the format is good for, beside being read by others."""
        entry = self._entry()
        if not entry.reads:
            return tr("Awase cannot read this format back; keep the corpus, too.")
        if entry.id != _WHOLE_CORPUS:
            return tr("This format holds a part of the corpus; Awase JSON holds all of it.")
        return tr("Holds the whole corpus but for parses, kept scores and the log of operations.")

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, tr("Export to"), self._place.text())
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if self._entry().is_folder:
            dialog.setLabelText(QFileDialog.DialogLabel.FileName, tr("Folder"))
        else:
            dialog.setDefaultSuffix(self._entry().suffixes[0])
        dialog.fileSelected.connect(self._place.setText)
        dialog.open()

    def _on_export(self) -> None:
        corpus, plan = self._session.corpus(), self.plan()
        self._job = self._services.jobs.start(
            _JOB, lambda reporter: export_file(corpus, plan, reporter)
        )
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.ended.connect(self._on_ended)
        self._progress.setRange(0, 0)
        self._progress.show()
        self._check()

    def _on_finished(self, path: str) -> None:
        self._job = None
        self.exported.emit(path)
        self.accept()

    def _on_failed(self, error: BaseException) -> None:
        self.failed.emit(mark("Nothing was written."), error)

    def _on_ended(self) -> None:
        self._job = None
        self._progress.hide()
        self._check()
