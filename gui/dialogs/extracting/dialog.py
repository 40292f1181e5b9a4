"""Asks which extractors are to summarise the corpus, and puts their extracts into it."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import InputError
from awase.core.extraction.extractors import EXTRACTORS, Extraction, extractions_of
from awase.core.extraction.options import EXTRACTOR_OPTIONS
from awase.core.extraction.running import named
from awase.core.metrics.kit.signature import option_text
from awase.gui.dialogs.extracting.work import PutThere, put_extractors
from awase.gui.kit.jobs.job_dialog import JobDialog
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import hint_of, mark, ntr, tr, what_of
from awase.gui.session.option_fields import OptionFields
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

EXTRACT_JOB = "extract"
_OF_PAPER = ("lead", "tfidf", "cluster", "mmr")
_LEFT_OUT = ("background",)
"""Options with nothing to choose here."""


class ExtractorsDialog(JobDialog):
    """A tick for each extractor, fields for the options of the current one."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(services.jobs, _FAILED, parent)
        self._session, self._services = session, services
        self._corpus = session.corpus()
        self._parsers = tuple(session.store.parse_models())
        self._values = {name: dict(one.defaults) for name, one in EXTRACTORS.items()}
        self._names = dict.fromkeys(EXTRACTORS, "")
        self.offer, self.fields, self.name_field = QListWidget(), OptionFields(), QLineEdit()
        self.replaces = QCheckBox()
        self._labels = {key: QLabel() for key in ("intro", "what", "name", "status")}
        self.signature, self.problem = QLabel(), QLabel()
        self.put_button = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        for name in EXTRACTORS:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_usual = name in _OF_PAPER
            item.setCheckState(Qt.CheckState.Checked if is_usual else Qt.CheckState.Unchecked)
            self.offer.addItem(item)
        self._lay_out()
        self.offer.currentRowChanged.connect(self._show_current)
        self.offer.itemChanged.connect(self._show_state)
        self.fields.changed.connect(self._on_values_changed)
        self.name_field.textEdited.connect(self._on_name_edited)
        self.put_button.clicked.connect(self.put)
        self._retranslate()
        self.offer.setCurrentRow(0)

    def choose(self, wanted: Mapping[str, Mapping[str, str]]) -> None:
        """Ticks these extractors and no others, with these options."""
        for row, name in enumerate(EXTRACTORS):
            self._values[name] |= wanted.get(name, {})
            is_wanted = name in wanted
            state = Qt.CheckState.Checked if is_wanted else Qt.CheckState.Unchecked
            self.offer.item(row).setCheckState(state)
            if is_wanted:
                self.offer.setCurrentRow(row)
        self._show_current()

    def ticked(self) -> list[str]:
        """Returns the names of the chosen extractors."""
        return [
            name
            for row, name in enumerate(EXTRACTORS)
            if self.offer.item(row).checkState() is Qt.CheckState.Checked
        ]

    def put(self) -> None:
        """Extracts and stores."""
        names = self.ticked()
        if self._job is not None or not names:
            return
        try:
            requests = [self._request(name) for name in names]
        except InputError as error:
            self.failed.emit(_FAILED, error)
            return
        store, corpus, who = self._session.store, self._session.corpus(), self._session.who
        systems, replaces = [self._names[name] for name in names], self.replaces.isChecked()
        self._labels["status"].clear()
        self._start(
            EXTRACT_JOB,
            lambda reporter: put_extractors(
                store, corpus, requests, systems, replaces=replaces, who=who, reporter=reporter
            ),
            self._on_put,
        )

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        for label in (*self._labels.values(), self.signature, self.problem):
            label.setWordWrap(True)
        self._labels["intro"].setProperty("look", "muted")
        self._labels["what"].setProperty("look", "muted")
        self.problem.setProperty("look", "danger")
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(self.font().pointSizeF() * 0.9)
        self.signature.setFont(fixed)
        self.signature.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._labels["name"].setBuddy(self.name_field)
        scroll = QScrollArea()
        scroll.setWidget(self.fields)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        right = QVBoxLayout()
        right.addWidget(self._labels["what"])
        right.addWidget(self._labels["name"])
        right.addWidget(self.name_field)
        right.addWidget(scroll, 1)
        panes = QHBoxLayout()
        panes.setSpacing(line_px)
        panes.addWidget(self.offer, 2)
        panes.addLayout(right, 5)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addWidget(self._labels["intro"])
        layout.addLayout(panes, 1)
        for widget in (self.signature, self.problem, self.replaces, self._labels["status"]):
            layout.addWidget(widget)
        layout.addWidget(self._progress)
        layout.addWidget(self._buttons)
        self.put_button.setDefault(True)
        self.resize(line_px * 46, line_px * 36)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Extractors as systems"))
        self._labels["intro"].setText(
            tr(
                "Extracts by simple methods, to compare systems with: a floor (lead, random) and a "
                "ceiling (oracle). They join the corpus as systems, for each length class."
            )
        )
        self._labels["name"].setText(tr("Name of the system"))
        self.name_field.setAccessibleName(tr("Name of the system"))
        self.offer.setAccessibleName(tr("Extractors"))
        self.replaces.setText(tr("Replace extracts of the same name"))
        self.put_button.setText(tr("Extract"))
        self._show_current()

    # The current extractor

    def _current(self) -> str:
        return [*EXTRACTORS][max(0, self.offer.currentRow())]

    def _request(self, name: str) -> Extraction:
        values = self._values[name]
        options = ",".join(f"{key}={option_text(text.strip())}" for key, text in values.items())
        (request,) = extractions_of([f"{name}:{options}"])
        return request

    def _show_current(self, _row: int | QModelIndex = 0) -> None:
        name = self._current()
        options = [
            (option, EXTRACTOR_OPTIONS.get(option))
            for option in EXTRACTORS[name].defaults
            if option not in _LEFT_OUT
        ]
        self.fields.show_options(options, self._values[name], self._corpus, self._parsers)
        self._labels["what"].setText(tr(EXTRACTORS[name].what))
        self.name_field.setText(self._names[name])
        self._show_state()

    def _on_values_changed(self, values: Mapping[str, str]) -> None:
        self._values[self._current()] |= values
        self._show_state()

    def _on_name_edited(self, text: str) -> None:
        self._names[self._current()] = text

    def _show_state(self, _item: object = None) -> None:
        super()._show_state()
        wrong = self._wrong()
        name, is_idle = self._current(), self._job is None
        self.problem.setText("\n".join(wrong.values()))
        self.problem.setVisible(bool(wrong))
        if name not in wrong:
            model = next(iter(self._parsers), "")
            try:
                ((usual, request),) = named(
                    self._corpus, [self._request(name)], parse_model=model
                ).items()
            except InputError:
                usual, request = "", self._request(name)
            self.signature.setText(request.signature)
            self.name_field.setPlaceholderText(usual)
        else:
            self.signature.clear()
            self.name_field.setPlaceholderText("")
        ticked = self.ticked()
        is_right = bool(ticked) and not any(one in wrong for one in ticked)
        self.put_button.setEnabled(is_idle and is_right and not self._session.read_only)
        for widget in (self.offer, self.fields, self.name_field, self.replaces):
            widget.setEnabled(is_idle)

    def _wrong(self) -> dict[str, str]:
        """Returns what is wrong with the current extractor and the chosen ones, in words."""
        wrong: dict[str, str] = {}
        for name in dict.fromkeys((self._current(), *self.ticked())):
            try:
                self._request(name)
            except InputError as error:
                texts = (f"{what_of(one)} {hint_of(one)}".strip() for one in error.problems)
                wrong[name] = f"{name}: {' '.join(texts)}"
        return wrong

    # The work

    def _on_put(self, done: PutThere) -> None:
        self._session.reload(done.changes)
        self._corpus = self._session.corpus()
        added = ntr("{n} extract was added", "{n} extracts were added", done.n_extracts)
        self._labels["status"].setText(f"{added}: {', '.join(done.signatures)}")
        if done.warnings:
            headline = mark("The extracts were added. Please note:")
            ProblemsDialog.show_for(self, headline, done.warnings)


_FAILED = mark("Nothing was added.")
