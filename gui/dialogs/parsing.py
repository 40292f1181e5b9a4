"""Dialog to parse the corpus's sentences, or to import parses."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from awase.core.language.engines import ENGINES, Engine, ParserRequest
from awase.core.language.stored_parses import distinct_texts, languages_of
from awase.core.progress import Reporter
from awase.gui.kit.forms.asking import ask_file
from awase.gui.kit.forms.controls import PlaceField
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import Asks, Button, ChoiceField, Field, Form, Note, PathField, Shown
from awase.gui.kit.i18n import LANGUAGES, aside, mark, ntr, problem_text, tr
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.files.reading import open_argument
from awase.jobs.supplies.parsing import Parsed, ParseStatus, download, look, parse, to_parse
from awase.storage.changes import Changes

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.jobs.supplies.conllu_import import ImportedParses

_LOOK: Final = "parse-look"
_WORK: Final = "parse"


class ParseDialog(JobDialog):
    """Selects a parser, shows what it lacks, and runs it."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session = session
        self._corpus = session.corpus()
        self._outlook: ParseStatus | None = None
        self._is_taking_file = False
        headline = mark("The sentences were not parsed.")
        super().__init__(self._form(), services.jobs, headline, parent)
        self.fields.widget_as("folder", PlaceField).line.editingFinished.connect(self.look)
        self._offer_engines()
        self.look()

    def choose(self, *, language: str = "", engine: str = "", folder: str | None = None) -> None:
        for name, data in (("language", language), ("engine", engine)):
            if data:
                self.fields.set(name, data)
        if folder is not None:
            self.fields.set("folder", folder)
            self.look()

    def leave(self) -> None:
        self.jobs.drop(_LOOK)
        super().leave()

    # What there is

    def _form(self) -> Form:
        codes = [(code, LANGUAGES.get(code, code)) for code in languages_of(self._corpus)]
        folder = PathField(asks=Asks.FOLDER, hint=mark("The parser's own"))
        return Form(
            title=mark("Parse sentences"),
            parts=(
                Note(
                    mark(
                        "BE and other metrics compare who does what to whom. For that every "
                        "sentence needs a dependency parse, made here or brought as CoNLL-U; it is "
                        "kept in the corpus."
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
                Button("file", mark("Take from CoNLL-U…"), self._on_file),
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
        self.fields.set("there", _there(outlook) if engine is not None else tr("No parser here."))
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
        self._outlook = None
        self.show_state()
        engine, request = self._engine(), self._request()
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
        self.failed.emit(mark("The parser cannot be looked at."), error)

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

        def take(reporter: Reporter) -> "ImportedParses":
            from awase.jobs.supplies.conllu_import import import_conllu

            n_bytes = path.stat().st_size
            with open_argument(path) as file:
                return import_conllu(
                    store, file, source=path.name, who=who, reporter=reporter, n_bytes=n_bytes
                )

        self._is_taking_file = True
        self.start(_WORK, take, self._on_taken)

    def stopped(self) -> None:
        self._tell_done(
            tr("Stopped; nothing of the file was kept.")
            if self._is_taking_file
            else tr("Stopped; what was parsed until then is kept.")
        )

    def _on_file(self) -> None:
        kinds = (tr("CoNLL-U (*.conllu *.conll)"),)
        ask_file(self, tr("Take parses from CoNLL-U"), self.take_file, kinds=kinds)

    def _on_download(self) -> None:
        request = self._request()
        self.start(_WORK, lambda reporter: download(request, reporter), lambda _: self.look())

    def _on_parsed(self, parsed: Parsed) -> None:
        text = ntr("{n} sentence was parsed.", "{n} sentences were parsed.", parsed.n_new)
        self._tell_done(aside(text, parsed.model))

    def _on_taken(self, taken: object) -> None:
        from awase.jobs.supplies.conllu_import import ImportedParses

        assert isinstance(taken, ImportedParses)
        self._tell_done(
            ntr(
                "Kept the parses of {kept} of {n} sentence, as by {model}.",
                "Kept the parses of {kept} of {n} sentences, as by {model}.",
                taken.n_texts,
                kept=taken.n_kept,
                model=taken.model,
            )
        )
        if taken.warnings:
            headline = mark("The parses were kept. Please note:")
            ProblemsDialog.show_for(self, headline, taken.warnings, are_remarks=True)

    def _tell_done(self, text: str) -> None:
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
