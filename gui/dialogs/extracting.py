"""Dialog to run extractors and add their extracts to the corpus."""

from collections.abc import Mapping
from contextlib import suppress

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from awase.core.analysis.extracting import named
from awase.core.analysis.extractors import EXTRACTORS, Extraction, extractions_of
from awase.core.errors import InputError, Problem
from awase.core.metrics.kit.signature import option_text
from awase.core.progress import Reporter
from awase.gui.kit.forms.dialog import JobDialog, Verdict
from awase.gui.kit.forms.parts import Body, Check, Columns, Field, Form, Line, Note
from awase.gui.kit.i18n import joined_sentences, labelled, listed, mark, ntr, problem_text, tr
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.metric_drafts import OptionFields
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.extracting import (
    ExtractionPlan,
    MadeExtracts,
    check_not_empty,
    make_extracts,
    store_extracts,
)
from awase.jobs.supplies.gathering import stored_parses
from awase.storage.changes import Changes

EXTRACT_JOB = "extract"
_OF_PAPER = ("lead", "tfidf", "cluster", "mmr")
_LEFT_OUT = ("background",)  # options with nothing to choose here


class ExtractorsDialog(JobDialog):
    """A tick for each extractor, fields for the options of the current one."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session, self._services = session, services
        self._corpus = session.corpus()
        self._parsers = tuple(session.store.parse_models())
        self._values = {name: dict(one.defaults) for name, one in EXTRACTORS.items()}
        self._names = dict.fromkeys(EXTRACTORS, "")
        self._is_touched = False
        self.offer, self.options = QListWidget(), OptionFields()
        for name in EXTRACTORS:
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            is_usual = name in _OF_PAPER
            item.setCheckState(Qt.CheckState.Checked if is_usual else Qt.CheckState.Unchecked)
            self.offer.addItem(item)
        super().__init__(self._form(), services.jobs, _FAILED, parent)
        self.offer.currentRowChanged.connect(self._show_current)
        self.offer.itemChanged.connect(self.show_state)
        self.options.changed.connect(self._on_values_changed)
        self.fields.widget_as("name", QLineEdit).textEdited.connect(self._on_name_edited)
        self.offer.setCurrentRow(0)

    def choose(self, wanted: Mapping[str, Mapping[str, str]]) -> None:
        """Ticks exactly these extractors, with options."""
        for row, name in enumerate(EXTRACTORS):
            self._values[name] |= wanted.get(name, {})
            is_wanted = name in wanted
            state = Qt.CheckState.Checked if is_wanted else Qt.CheckState.Unchecked
            self.offer.item(row).setCheckState(state)
            if is_wanted:
                self.offer.setCurrentRow(row)
        self._show_current()

    def ticked(self) -> list[str]:
        return [
            name
            for row, name in enumerate(EXTRACTORS)
            if self.offer.item(row).checkState() is Qt.CheckState.Checked
        ]

    def submit(self) -> None:
        names = self.ticked()
        plan = ExtractionPlan(
            requests=tuple(self._request(name) for name in names),
            names=tuple(self._names[name] for name in names),
            replaces=self.fields.is_checked("replace"),
        )
        store, corpus, who = self._session.store, self._session.corpus(), self._session.who

        def work(reporter: Reporter) -> tuple[MadeExtracts, Changes]:
            made = make_extracts(corpus, plan, reporter, stored_parses(store))
            check_not_empty(made)
            return made, store_extracts(store, made, who=who, reporter=reporter)

        self.start(EXTRACT_JOB, work, self._on_put)

    def refresh(self) -> None:
        name = self._current()
        self.fields.write("what", tr(EXTRACTORS[name].what))
        usual, signature = "", ""
        if not self._problem(name):
            request, model = self._request(name), next(iter(self._parsers), "")
            signature = request.signature
            with suppress(InputError):
                (usual,) = named(self._corpus, [request], parse_model=model)
        self.fields.write("signature", signature)
        self.fields.widget_as("name", QLineEdit).setPlaceholderText(usual)

    def verdict(self) -> Verdict:
        ticked = self.ticked()
        problems = {name: self._problem(name) for name in (self._current(), *ticked)}
        is_right = bool(ticked) and not any(problems[name] for name in ticked)
        text = "\n".join(filter(None, problems.values()))
        return Verdict(text, "danger", is_ready=is_right and not self._session.read_only)

    def has_unsaved(self) -> bool:
        return self._is_touched

    def _form(self) -> Form:
        options = (
            Note(name="what"),
            Field("name", mark("Name of the system"), Line(), is_above=True),
            Body("options", "", self.options, scrolls=True),
        )
        return Form(
            title=mark("Extractors as systems"),
            parts=(
                Note(
                    mark(
                        "Extracts by simple methods, to compare systems with: a floor (lead, "
                        "random) and a ceiling (oracle). They join the corpus as systems, for each "
                        "length class."
                    )
                ),
                Columns(((2, (Body("offer", mark("Extractors"), self.offer),)), (5, options))),
                Note(name="signature", look="", is_code=True),
                Field("replace", mark("Replace extracts of the same name"), Check()),
            ),
            accept=mark("Extract"),
            leave=mark("Close"),
            focus="offer",
            width=46,
            height=36,
        )

    # The current extractor

    def _current(self) -> str:
        return [*EXTRACTORS][max(0, self.offer.currentRow())]

    def _request(self, name: str) -> Extraction:
        values = self._values[name]
        options = ",".join(f"{key}={option_text(text.strip())}" for key, text in values.items())
        (request,) = extractions_of([f"{name}:{options}"])
        return request

    def _problem(self, name: str) -> str:
        """Returns the error in an extractor's options; empty = none."""
        problems = self._problems(name)
        return labelled(name, joined_sentences(*map(problem_text, problems))) if problems else ""

    def _problems(self, name: str) -> tuple[Problem, ...]:
        try:
            self._request(name)
        except InputError as error:
            return error.problems
        return ()

    def _show_current(self, _row: int | QModelIndex = 0) -> None:
        name = self._current()
        options = [option for option in EXTRACTORS[name].options if option.name not in _LEFT_OUT]
        self.options.show_options(options, self._values[name], self._corpus, self._parsers)
        self.fields.set("name", self._names[name])
        self.show_state()
        for problem in self._problems(name):
            self.options.reveal(str(problem.fields.get("option", "")))

    def _on_values_changed(self, values: Mapping[str, str]) -> None:
        self._values[self._current()] |= values
        self._is_touched = True
        self.show_state()

    def _on_name_edited(self, text: str) -> None:
        self._names[self._current()] = text
        self._is_touched = True

    # The work

    def _on_put(self, done: tuple[MadeExtracts, Changes]) -> None:
        made, changes = done
        self._is_touched = False
        self._session.reload(changes)
        self._corpus = self._session.corpus()
        n_extracts = made.extracted.n_by_system().total()
        added = ntr("{n} extract was added", "{n} extracts were added", n_extracts)
        self.show_outcome(labelled(added, listed(made.systems)))
        if made.warnings:
            headline = mark("The extracts were added. Please note:")
            ProblemsDialog.show_for(self, headline, made.warnings, are_remarks=True)


_FAILED = mark("Nothing was added.")
