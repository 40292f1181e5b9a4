"""Adds a document, or splits one that is there into sentences anew."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLineEdit, QProgressBar, QPushButton, QWidget

from awase.core.annotation import content
from awase.core.annotation.formula import label_of
from awase.core.errors import CorpusFormatError
from awase.core.records.edit import Edit
from awase.core.records.identifiers import SentenceRef
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.core.text.resplitting import Resplit, resplit
from awase.gui.dialogs.editing.review import ReviewRow
from awase.gui.dialogs.editing.text_dialog import TextDialog
from awase.gui.dialogs.editing.text_file import TextRead, read_text_file
from awase.gui.dialogs.editing.wording import fate_text, uses_text
from awase.gui.kit.jobs.running import Job, Jobs
from awase.gui.kit.look.looks import set_look
from awase.gui.kit.problems import problems_of
from awase.gui.kit.texts.i18n import mark, ntr, tr, what_of
from awase.gui.session.session import CorpusSession

_JOB = "document-file"


class DocumentDialog(TextDialog):
    """Edits the sentences of a document; its links follow the text."""

    def __init__(
        self,
        session: CorpusSession,
        jobs: Jobs,
        topic: Topic,
        document: Document | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Edits `document`; None = adds a new one."""
        super().__init__(session, topic.language, parent)
        self._topic, self._old = topic, document
        self._jobs = jobs
        self._job: Job | None = None
        self.id_field, self.title_field = QLineEdit(), QLineEdit()
        self.source_field, self.date_field = QLineEdit(), QLineEdit()
        self._file = QPushButton()
        self._file.setAutoDefault(False)
        self._file.setVisible(document is None)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.hide()
        for title, field, value in (
            (mark("Document id"), self.id_field, document.id if document else self._free_id()),
            (mark("Title"), self.title_field, document.title if document else ""),
            (mark("Source"), self.source_field, document.source if document else ""),
            (mark("Date"), self.date_field, document.date if document else ""),
        ):
            field.setText(value or "")
            self._add_field(title, field)
        self._below_text.insertWidget(1, self._progress)
        self._below_text.insertWidget(2, self._file)
        self.id_field.setReadOnly(document is not None)
        self._begin([sentence.text for sentence in document.sentences] if document else [])
        self.id_field.textChanged.connect(self.refresh)
        self._file.clicked.connect(self._on_file)

    def load(self, path: Path) -> None:
        """Begins to read the text of a file; says so when it cannot be read."""
        language = self.editor.language
        self._job = self._jobs.start(
            _JOB, lambda reporter: read_text_file(path, language, reporter)
        )
        self._job.progressed.connect(self._on_progressed)
        self._job.finished.connect(lambda found: self._on_read(path, found))
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._end_reading)
        self._progress.setRange(0, 0)
        self._show_reading()

    @property
    def is_reading(self) -> bool:
        """Whether a file is being read."""
        return self._job is not None

    def reject(self) -> None:
        """Stops reading a file; closes when none is read."""
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def refresh(self) -> None:
        found = self._found()
        self.review.show_rows(self._rows(found))
        set_look(self._count, "muted")
        self._count.setText(ntr("{n} sentence", "{n} sentences", len(found.sentences)))
        self._show_state([str(n) for n, _ in found.sentences])

    def problem(self) -> str:
        name = self.id_field.text().strip()
        if self.is_reading:
            return tr("The file is being read. Cancel stops that.")
        if not name:
            return tr("Give the document an id.")
        if self._old is None and name in {part.id for part in self._topic.documents}:
            return tr("This topic has a document of that id.")
        if not self.editor.sentences():
            return tr("The document has no sentence yet: paste its text or choose a file.")
        if not self.review.is_decided:
            return tr("Decide what becomes of the sentences above.")
        try:
            self._new_topic()
        except CorpusFormatError as error:
            return what_of(error.problems[0])
        return ""

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)

    def _on_read(self, path: Path, found: TextRead) -> None:
        self._end_reading()
        self.id_field.setText(path.stem)
        self.editor.take(found.sentences, found.cleaned)

    def _on_failed(self, error: BaseException) -> None:
        self._end_reading()
        problems = problems_of(error)
        if problems is None:
            raise error  # a defect, for the one place that takes those
        self._say(what_of(problems[0]), "danger")

    def _end_reading(self) -> None:
        self._job = None
        self._show_reading()

    def _show_reading(self) -> None:
        self._progress.setVisible(self.is_reading)
        self._file.setEnabled(not self.is_reading)
        self.editor.setReadOnly(self.is_reading)
        self.refresh()

    def edit(self) -> Edit | None:
        return content.topic_edit(
            self._topic,
            self._new_topic(),
            verb=content.ADD_DOCUMENT if self._old is None else content.RESPLIT_DOCUMENT,
            subject=self.id_field.text().strip(),
        )

    def put_back(self, n: int) -> None:
        if self._old is not None:
            numbers = [sentence.n for sentence in self._old.sentences]
            at = numbers.index(n)
            self.put_after(numbers[:at], self._found(), self._old.sentences[at].text)

    def _found(self) -> Resplit:
        old = self._old.sentences if self._old else ()
        return resplit([(part.n, part.text) for part in old], self.editor.sentences())

    def _new_topic(self) -> Topic:
        found = self._found()
        document = Document(
            id=self.id_field.text().strip(),
            title=self.title_field.text().strip() or None,
            source=self.source_field.text().strip() or None,
            date=self.date_field.text().strip() or None,
            sentences=self._sentences(found),
        )
        if self._old is None:
            return content.with_document(self._topic, document)
        carried = content.carried_in(document.id, found)
        return content.with_replaced_document(self._topic, document, carried)

    def _sentences(self, found: Resplit) -> tuple[SourceSentence, ...]:
        """Returns the sentences; one that is new is in the paragraph of the one before it."""
        known = {part.n: part for part in (self._old.sentences if self._old else ())}
        sentences: list[SourceSentence] = []
        paragraph: int | None = None
        for n, text in found.sentences:
            old = known.get(n)
            paragraph = old.paragraph if old else paragraph
            same = old is not None and found.found[n] == (n,) and n not in found.to_review()
            kept = old.text if old is not None and same else text
            sentences.append(SourceSentence(n=n, text=kept, paragraph=paragraph))
        return tuple(sentences)

    def _rows(self, found: Resplit) -> list[ReviewRow]:
        if self._old is None:
            return []
        numbers = self._session.numbers(self._topic.id)
        text_by_n = {part.n: part.text for part in self._old.sentences}
        rows = []
        for n in found.to_review():
            ref = SentenceRef(self._old.id, n)
            uses = content.uses_of(self._topic, frozenset([ref]))
            if uses.is_any:
                fate, n_places = found.fates[n], len(found.found[n])
                text = fate_text(label_of(ref, numbers), text_by_n[n], fate, n_places)
                row = ReviewRow(n, f"{text}  ({uses_text(uses)})", n in found.gone())
                rows.append(row)
        return rows

    def _free_id(self) -> str:
        known = {document.id for document in self._topic.documents}
        names = (f"d{place}" for place in range(1, len(known) + 2))
        return next(name for name in names if name not in known)

    def _on_file(self) -> None:
        dialog = QFileDialog(self, tr("Choose a text file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([tr("Text files (*.txt)"), tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self.load(Path(name)))
        dialog.open()

    def _retranslate(self) -> None:
        is_new = self._old is None
        self.setWindowTitle(tr("Add a document") if is_new else tr("Split the document anew"))
        self._file.setText(tr("Take the text of a file…"))
        super()._retranslate()
