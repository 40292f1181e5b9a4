"""Parses the sentences of the open corpus, or takes parses from a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
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

from awase.core.parsing.corpus_texts import languages_of
from awase.core.parsing.engines import ENGINES, ParserRequest
from awase.core.progress import Reporter
from awase.gui.dialogs.parsing.work import Outlook, Parsed, download, look, parse, take
from awase.gui.kit.jobs.running import Job
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import LANGUAGES, hint_of, mark, ntr, tr, what_of
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.storage.changing.changes import Changes

_LOOK: Final = "parse-look"
_WORK: Final = "parse"


class ParseDialog(Retranslated, QDialog):
    """Asks for a parser, says what it lacks, and runs it."""

    failed = Signal(str, object)
    """Headline and error."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._services = services
        self._corpus = session.corpus()
        self._job: Job | None = None
        self._outlook: Outlook | None = None
        self._is_settled = False
        self._intro, self._there, self._lacks = QLabel(), QLabel(), QLabel()
        self._language, self._engine = QComboBox(), QComboBox()
        self._folder, self._browse = QLineEdit(), QPushButton()
        self._labels = {name: QLabel() for name in ("language", "engine", "folder", "there")}
        self._download, self._file = QPushButton(), QPushButton()
        self._progress, self._status = QProgressBar(), QLabel()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._parse = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        for code in languages_of(self._corpus):
            self._language.addItem(LANGUAGES.get(code, code), code)
        self._lay_out()
        self._connect()
        self._retranslate()
        self._fill_engines()

    def choose(self, *, language: str = "", engine: str = "", folder: str | None = None) -> None:
        """Sets what is given."""
        for box, data in ((self._language, language), (self._engine, engine)):
            if data and box.findData(data) >= 0:
                box.setCurrentIndex(box.findData(data))
        if folder is not None:
            self._folder.setText(folder)
            self._look()

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        self._services.jobs.drop(_LOOK)
        super().reject()

    # Layout and texts

    def _lay_out(self) -> None:
        for label in (self._intro, self._there, self._lacks, self._status):
            # In a form a label that wraps keeps the height that it was laid out with.
            label.setWordWrap(label is not self._there)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._intro.setProperty("look", "muted")
        self._lacks.setProperty("look", "warning")
        self._status.setProperty("look", "muted")
        self._progress.setTextVisible(False)
        self._progress.hide()
        folder = QHBoxLayout()
        folder.addWidget(self._folder, 1)
        folder.addWidget(self._browse)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(self._labels["language"], self._language)
        form.addRow(self._labels["engine"], self._engine)
        form.addRow(self._labels["folder"], folder)
        form.addRow(self._labels["there"], self._there)
        others = QHBoxLayout()
        others.addWidget(self._download)
        others.addWidget(self._file)
        others.addStretch(1)
        others.addWidget(self._buttons)
        layout = QVBoxLayout(self)
        layout.addWidget(self._intro)
        layout.addLayout(form)
        layout.addWidget(self._lacks)
        layout.addStretch(1)
        layout.addWidget(self._status)
        layout.addWidget(self._progress)
        layout.addLayout(others)
        line_px = self.fontMetrics().height()
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        for button in (self._browse, self._download, self._file):
            button.setAutoDefault(False)
        self._parse.setDefault(True)
        self.resize(line_px * 40, line_px * 20)

    def _connect(self) -> None:
        self._language.currentIndexChanged.connect(self._fill_engines)
        self._engine.currentIndexChanged.connect(self._look)
        self._folder.editingFinished.connect(self._look)
        self._browse.clicked.connect(self._on_browse)
        self._download.clicked.connect(self._on_download)
        self._file.clicked.connect(self._on_file)
        self._parse.clicked.connect(self._on_parse)
        self._buttons.rejected.connect(self.reject)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Parse sentences"))
        self._intro.setText(
            tr(
                "BE and other metrics compare who does what to whom. For that every sentence needs "
                "a dependency parse, made here or brought as CoNLL-U; it is kept in the corpus."
            )
        )
        self._labels["language"].setText(tr("Language"))
        self._labels["engine"].setText(tr("Parser"))
        self._labels["folder"].setText(tr("Folder of models"))
        self._labels["there"].setText(tr("There is"))
        self._folder.setPlaceholderText(tr("The parser's own"))
        self._browse.setText(tr("Choose…"))
        self._download.setText(tr("Download the model"))
        self._file.setText(tr("Take from CoNLL-U…"))
        self._parse.setText(tr("Parse"))
        for box, name in ((self._language, tr("Language")), (self._engine, tr("Parser"))):
            box.setAccessibleName(name)
        self._folder.setAccessibleName(tr("Folder of models"))
        self._show_outlook()

    # What there is

    def _fill_engines(self) -> None:
        chosen = self._engine.currentData()
        self._engine.blockSignals(True)
        self._engine.clear()
        for engine in ENGINES.values():
            if self._language.currentData() in engine.languages:
                self._engine.addItem(engine.title, engine.id)
        wanted = self._engine.findData(chosen if chosen is not None else self._likely())
        self._engine.setCurrentIndex(max(0, wanted))
        self._engine.blockSignals(False)
        self._look()

    def _likely(self) -> str | None:
        """Returns a parser that needs nothing more, for whoever has not chosen; None = none.

        Asking the parsers themselves would import them, which takes seconds.
        """
        language = self._language.currentData()
        return next(
            (
                engine.id
                for engine in ENGINES.values()
                if language in engine.languages and not engine.has_folder and engine.is_installed()
            ),
            None,
        )

    def _request(self) -> ParserRequest:
        folder = self._folder.text().strip() if self._has_folder() else ""
        return ParserRequest(
            language=self._language.currentData() or "", folder=Path(folder) if folder else None
        )

    def _has_folder(self) -> bool:
        engine = ENGINES.get(self._engine.currentData() or "")
        return engine is not None and engine.has_folder

    def _look(self) -> None:
        """Finds out how things stand; a parser that has to be asked takes seconds to import."""
        self._outlook = None
        self._show_outlook()
        engine, request = self._engine.currentData(), self._request()
        if engine is None or self._job is not None:
            return
        store, corpus = self._session.store, self._corpus
        job = self._services.jobs.start(_LOOK, lambda _: look(store, corpus, engine, request))
        job.finished.connect(self._on_looked)
        job.failed.connect(self._on_failed_look)

    def _on_looked(self, outlook: Outlook) -> None:
        self._outlook = outlook
        self._show_outlook()

    def _on_failed_look(self, error: BaseException) -> None:
        self.failed.emit(mark("The parser cannot be looked at."), error)

    def _show_outlook(self) -> None:
        outlook, is_idle = self._outlook, self._job is None
        missing = outlook.missing if outlook is not None else None
        self._lacks.setText(f"{what_of(missing)} {hint_of(missing)}" if missing else "")
        self._lacks.setVisible(missing is not None)
        has_folder = self._has_folder()
        self._there.setText(_there(outlook) if self._engine.count() else tr("No parser here."))
        can_write = is_idle and not self._session.read_only
        self._parse.setEnabled(can_write and outlook is not None and missing is None)
        engine = ENGINES.get(self._engine.currentData() or "")
        can_fetch = engine is not None and engine.has_folder and engine.is_installed()
        self._download.setVisible(can_fetch)
        self._download.setEnabled(is_idle and missing is not None)
        self._file.setEnabled(can_write)
        for box in (self._language, self._engine):
            box.setEnabled(is_idle)
        for widget in (self._folder, self._browse):
            widget.setEnabled(is_idle and has_folder)
        close = self._buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setText(tr("Close") if is_idle else tr("Stop"))

    # The work

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, tr("Folder of models"), self._folder.text())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda name: self.choose(folder=name))
        dialog.open()

    def _on_file(self) -> None:
        dialog = QFileDialog(self, tr("Take parses from CoNLL-U"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([tr("CoNLL-U (*.conllu *.conll)"), tr("All files (*)")])
        dialog.fileSelected.connect(lambda name: self.take_file(Path(name)))
        dialog.open()

    def take_file(self, path: Path) -> None:
        """Takes parses from a CoNLL-U file."""
        store, who = self._session.store, self._session.who
        self._start(lambda _: take(store, path, who), self._on_taken)

    def _on_parse(self) -> None:
        store, corpus, who = self._session.store, self._corpus, self._session.who
        engine, request = self._engine.currentData(), self._request()
        self._start(
            lambda reporter: parse(store, corpus, engine, request, who, reporter), self._on_parsed
        )
        self._status.setText(tr("Loading the parser…"))

    def _on_download(self) -> None:
        request = self._request()
        self._start(lambda reporter: download(request, reporter), lambda _: None)

    def _start(
        self, work: Callable[[Reporter], object], on_finished: Callable[..., None]
    ) -> None:  # fmt: skip
        self._services.jobs.drop(_LOOK)
        self._is_settled = False
        self._job = self._services.jobs.start(_WORK, work)
        self._job.progressed.connect(self._on_progressed)
        self._job.finished.connect(on_finished)
        self._job.failed.connect(self._on_failed)
        self._job.cancelled.connect(self._on_cancelled)
        for settled in (self._job.finished, self._job.failed, self._job.cancelled):
            settled.connect(self._on_settled)
        self._job.ended.connect(self._on_ended)
        self._status.clear()
        self._progress.setRange(0, 0)
        self._progress.show()
        self._show_outlook()

    def _on_progressed(self, done: int, total: int, what: str) -> None:
        self._progress.setRange(0, total)
        self._progress.setValue(done)
        self._status.setText(what)

    def _on_parsed(self, parsed: Parsed) -> None:
        text = ntr("{n} sentence was parsed.", "{n} sentences were parsed.", parsed.n_new)
        self._status.setText(f"{text} ({parsed.model})")
        self._tell_done()

    def _on_taken(self, taken: object) -> None:
        from awase.jobs.taking_parses import TakenParses

        assert isinstance(taken, TakenParses)
        self._status.setText(
            tr(
                "Kept the parses of {n} of {all} sentences, as by {model}.",
                n=taken.n_kept,
                all=taken.n_texts,
                model=taken.model,
            )
        )
        self._tell_done()
        if taken.warnings:
            headline = mark("The parses were kept. Please note:")
            ProblemsDialog.show_for(self, headline, taken.warnings)

    def _on_cancelled(self) -> None:
        self._status.setText(tr("Stopped; what was parsed until then is kept."))
        self._tell_done()

    def _on_failed(self, error: BaseException) -> None:
        self._status.clear()
        self.failed.emit(mark("The sentences were not parsed."), error)

    def _tell_done(self) -> None:
        self._session.changed.emit(Changes())  # scores may rest on parses

    def _on_settled(self, _result: object = None) -> None:
        self._is_settled = True

    def _on_ended(self) -> None:
        self._job = None
        self._progress.hide()
        if self._is_settled:  # not when the window is closing, which drops the job
            self._look()


def _there(outlook: Outlook | None) -> str:
    if outlook is None:
        return tr("Looking…")
    if not outlook.n_parsed:
        return tr("no parse of {n} sentences", n=outlook.n_texts)
    return "\n".join(
        tr("parses of {n} of {all} sentences by {model}", n=n, all=outlook.n_texts, model=model)
        for model, n in outlook.n_parsed.items()
    )
