"""Dialogs for what is derived from the texts: parses, and extractors' extracts."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from awase.core.analysis.extracting import named
from awase.core.analysis.extractors import EXTRACTORS, Extraction, extractions_of
from awase.core.errors import InputError, Problem, Reporter
from awase.core.language.engines import ENGINES, Engine, ParserRequest
from awase.core.language.stored_parses import distinct_texts, languages_of
from awase.core.metrics.kit.signature import option_text
from awase.core.records.edits import Changes
from awase.core.reports.grid import UNDEFINED
from awase.gui.kit.forms.controls import PlaceField, ask_file
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import (
    Asks,
    Body,
    Button,
    Check,
    ChoiceField,
    Columns,
    Field,
    Form,
    Line,
    Note,
    PathField,
    Shown,
)
from awase.gui.kit.i18n import (
    LANGUAGES,
    aside,
    joined_sentences,
    labelled,
    listed,
    mark,
    ntr,
    problem_text,
    tr,
)
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.metric_drafts import OptionFields
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.extracting import (
    ExtractionPlan,
    NewExtracts,
    check_not_empty,
    make_extracts,
    store_extracts,
)
from awase.jobs.files.reading import open_argument
from awase.jobs.supplies.gathering import stored_parses
from awase.jobs.supplies.parsing import (
    ImportedParses,
    Parsed,
    ParseStatus,
    download,
    import_conllu,
    look,
    parse,
    to_parse,
)

_LOOK: Final = "parse-look"
_WORK: Final = "parse"


class ParseDialog(JobDialog):
    """Selects a parser, shows what it lacks, and runs it."""

    headline = mark("The sentences were not parsed.")

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        self._session = session
        self._corpus = session.corpus()
        self._outlook: ParseStatus | None = None
        self._is_looking = self._is_taking_file = False
        super().__init__(self._form(), services.jobs, parent)
        self.fields.widget_as("folder", PlaceField).line.editingFinished.connect(self.look)
        self._offer_engines()
        self.look()

    def leave(self) -> None:
        self.jobs.drop(_LOOK)
        super().leave()

    # What there is

    def _form(self) -> Form:
        codes = [(code, LANGUAGES.get(code, code)) for code in languages_of(self._corpus)]
        folder = PathField(asks=Asks.FOLDER, hint=mark("Parser default"))
        return Form(
            title=mark("Parse sentences"),
            parts=(
                Note(
                    mark(
                        "BE and other metrics compare who does what to whom. For that every "
                        "sentence needs a dependency parse, made here or imported as CoNLL-U; it "
                        "is stored in the corpus."
                    )
                ),
                Field("language", mark("Language"), ChoiceField(codes)),
                Field("engine", mark("Parser"), ChoiceField()),
                Field("folder", mark("Folder of models"), folder),
                Field("there", mark("There is"), Shown()),
            ),
            accept=mark("Parse"),
            leave=mark("Close"),
            actions=(
                Button("download", mark("Download the model"), self._on_download),
                Button("file", mark("Import from CoNLL-U…"), self._on_file),
            ),
            width=40,
            height=20,
        )

    def changed(self, name: str) -> None:
        if name == "language":
            self._offer_engines()
        if name in ("language", "engine"):
            self.look()

    def refresh(self) -> None:
        engine, outlook = self._engine(), self._outlook
        has_folder = engine is not None and engine.has_folder
        there = _there(outlook) if outlook or self._is_looking else UNDEFINED
        self.fields.set("there", there if engine is not None else tr("No parser found."))
        self.fields.enable("folder", has_folder)
        self.fields.enable("file", not self._session.read_only)
        can_fetch = engine is not None and has_folder and engine.is_installed()
        self.fields.show_part("download", can_fetch)
        is_missing = outlook is not None and outlook.missing is not None
        self.fields.enable("download", is_missing)

    def verdict(self) -> Verdict:
        outlook = self._outlook
        if outlook is not None and outlook.missing is not None:
            return refused(problem_text(outlook.missing), "warning")
        return Verdict(is_ready=outlook is not None and not self._session.read_only)

    def _offer_engines(self) -> None:
        language = self.fields.value("language")
        chosen = self.fields.value("engine") or self._likely()
        engines = [
            (one.id, one.title) for one in ENGINES.values() if language in one.languages
        ]  # fmt: skip
        self.fields.offer("engine", ChoiceField(engines, chosen))

    def _likely(self) -> str | None:
        """Returns an installed parser, or None."""
        # `missing` would import the parsers, which takes seconds.
        language = self.fields.value("language")
        return next(
            (
                engine.id
                for engine in ENGINES.values()
                if language in engine.languages and not engine.has_folder and engine.is_installed()
            ),
            None,
        )

    def _engine(self) -> Engine | None:
        return ENGINES.get(self.fields.text("engine"))

    def _request(self) -> ParserRequest:
        engine, folder = self._engine(), self.fields.text("folder")
        has_folder = engine is not None and engine.has_folder and bool(folder)
        return ParserRequest(
            language=self.fields.text("language"), folder=Path(folder) if has_folder else None
        )

    def look(self) -> None:
        """Updates the status on a worker: some parsers take seconds to import."""
        if self.is_busy:
            return
        engine, request = self._engine(), self._request()
        self._outlook, self._is_looking = None, True
        self.show_state()
        self.jobs.drop(_LOOK)  # it would tell of another parser
        if engine is None:
            return
        store, corpus, engine_id = self._session.store, self._corpus, engine.id
        self.jobs.start(
            _LOOK,
            lambda _: look(store, corpus, engine_id, request),
            self._on_looked,
            self._on_failed_look,
        )

    def _on_looked(self, outlook: ParseStatus) -> None:
        self._outlook = outlook
        self.show_state()

    def _on_failed_look(self, error: BaseException) -> None:
        self._is_looking = False
        self.show_state()
        self.failed.emit(mark("The parser cannot be checked."), error)

    # The work

    def submit(self) -> None:
        engine = self._engine()
        if engine is None:
            return
        store, corpus, who = self._session.store, self._corpus, self._session.who
        request = self._request()

        def work(reporter: Reporter) -> Parsed:
            texts = distinct_texts(corpus, request.language)
            return parse(store, to_parse(store, texts, engine, request), who=who, reporter=reporter)

        self._is_taking_file = False
        self.start(_WORK, work, self._on_parsed)
        self.show_outcome(tr("Loading the parser…"))

    def take_file(self, path: Path) -> None:
        store, who = self._session.store, self._session.who

        def take(reporter: Reporter) -> ImportedParses:
            n_bytes = path.stat().st_size
            with open_argument(path) as file:
                return import_conllu(
                    store, file, source=path.name, who=who, reporter=reporter, n_bytes=n_bytes
                )

        self._is_taking_file = True
        self.start(_WORK, take, self._on_taken)

    def stopped(self) -> None:
        self._report_done(
            tr("Stopped; nothing from the file was kept.")
            if self._is_taking_file
            else tr("Stopped; what was parsed until then is kept.")
        )

    def _on_file(self) -> None:
        kinds = (tr("CoNLL-U (*.conllu *.conll)"),)
        ask_file(self, tr("Import parses from CoNLL-U"), self.take_file, kinds=kinds)

    def _on_download(self) -> None:
        request = self._request()
        self.start(_WORK, lambda reporter: download(request, reporter), lambda _: self.look())

    def _on_parsed(self, parsed: Parsed) -> None:
        text = ntr("{n} sentence was parsed.", "{n} sentences were parsed.", parsed.n_new)
        self._report_done(aside(text, parsed.model))

    def _on_taken(self, taken: ImportedParses) -> None:
        self._report_done(
            ntr(
                "Kept the parses of {kept} of {n} sentence, as by {model}.",
                "Kept the parses of {kept} of {n} sentences, as by {model}.",
                taken.n_texts,
                kept=taken.n_kept,
                model=taken.model,
            )
        )
        headline = mark("The parses were kept. Please note:")
        ProblemsDialog.show_remarks(self, headline, taken.warnings)

    def _report_done(self, text: str) -> None:
        self.show_outcome(text)
        self._session.changed.emit(Changes())  # scores may rest on parses
        self.look()


def _there(outlook: ParseStatus | None) -> str:
    if outlook is None:
        return tr("Looking…")
    n_texts = outlook.n_texts
    if not outlook.n_parsed:
        return ntr("no parse of {n} sentence", "no parse of {n} sentences", n_texts)
    return "\n".join(
        ntr(
            "parses of {parsed} of {n} sentence by {model}",
            "parses of {parsed} of {n} sentences by {model}",
            n_texts,
            parsed=n,
            model=model,
        )
        for model, n in outlook.n_parsed.items()
    )


EXTRACT_JOB = "extract"
_OF_PAPER = ("lead", "tfidf", "cluster", "mmr")
_LEFT_OUT = ("background",)  # options with nothing to choose here


class ExtractorsDialog(JobDialog):
    """A tick for each extractor, fields for the options of the current one."""

    headline = mark("Nothing was added.")

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        self._session, self._services = session, services
        self._corpus = session.corpus()
        self._parsers = session.parsers()
        self._values = {name: dict(one.defaults) for name, one in EXTRACTORS.items()}
        self._names = dict.fromkeys(EXTRACTORS, "")
        self._is_touched = False
        self.offer, self.options = QListWidget(), OptionFields()
        for name in EXTRACTORS:
            item = QListWidgetItem(name)
            is_usual = name in _OF_PAPER
            item.setCheckState(Qt.CheckState.Checked if is_usual else Qt.CheckState.Unchecked)
            self.offer.addItem(item)
        super().__init__(self._form(), services.jobs, parent)
        self.offer.currentRowChanged.connect(self._show_current)
        self.offer.itemChanged.connect(self.show_state)
        self.options.changed.connect(self._on_values_changed)
        self.fields.widget_as("name", QLineEdit).textEdited.connect(self._on_name_edited)
        self.offer.setCurrentRow(0)

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

        def work(reporter: Reporter) -> tuple[NewExtracts, Changes]:
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
                        "random) and a ceiling (oracle). They are added to the corpus as systems, "
                        "for each length class."
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

    def _show_current(self) -> None:
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

    def _on_put(self, done: tuple[NewExtracts, Changes]) -> None:
        made, changes = done
        self._is_touched = False
        self._session.reload(changes)
        self._corpus = self._session.corpus()
        n_extracts = made.extracted.n_by_system().total()
        added = ntr("{n} extract was added", "{n} extracts were added", n_extracts)
        self.show_outcome(labelled(added, listed(made.systems)))
        headline = mark("The extracts were added. Please note:")
        ProblemsDialog.show_remarks(self, headline, made.extracted.warnings)
