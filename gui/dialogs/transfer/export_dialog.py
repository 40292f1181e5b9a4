"""Writes the open corpus, or a part of it, to a file of any registered format."""

import os  # its questions answer no, where those of pathlib raise, to a name that is too long
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.formats.registry import FORMATS, Format
from awase.core.progress import Reporter
from awase.gui.dialogs.transfer.plan import writable_formats
from awase.gui.kit.forms.asking import path_of, with_ending
from awase.gui.kit.forms.controls import PlaceField
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import Asks, Check, ChoiceField, Field, Form, Note, PathField
from awase.gui.kit.i18n import mark, tr
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.exporting import ExportPlan, export
from awase.jobs.files.writing import Target, is_empty_folder

_JOB = "export"
_WHOLE_CORPUS = "awase-json"
_QUESTION = mark("Export to")

ALL_ABSTRACTS = mark("All abstracts")
ALL_ANNOTATORS = mark("All annotators")


class ExportDialog(JobDialog):
    """Dialog to export a corpus."""

    exported = Signal(str)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session = session
        super().__init__(self._form(), services.jobs, mark("Nothing was exported."), parent)
        self.changed("format")
        self.show_state()

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
            self._offer_abstracts()
        if name in ("format", "topic", "abstract"):
            self._offer_annotators()

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
        elif entry.is_folder and os.path.exists(self.place()) and not is_empty_folder(self.place()):
            text = tr("This format is a folder; choose a name that is free.")
        elif os.path.exists(self.place()) and not entry.is_folder:
            replaced = tr("A file of that name exists already and is replaced.")
            return Verdict(replaced, "warning")
        else:
            return Verdict()
        return refused(text, "warning")

    def submit(self) -> None:
        corpus, plan, place = self._session.corpus(), self.plan(), self.place()

        def work(reporter: Reporter) -> str:
            export(corpus, plan, Target(path=place, replaces=True), reporter)
            return str(place)

        self.start(_JOB, work, self._on_exported)

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
            leave=mark("Cancel"),
            width=36,
        )

    def _entry(self) -> Format:
        return FORMATS[self.fields.text("format")]

    def _place_for_format(self) -> None:
        entry, place = self._entry(), self.fields.widget_as("place", PlaceField)
        known = self.fields.text("place")
        path = Path(known or Path(self._session.location).parent / self._session.name)
        suffix = "" if entry.is_folder else entry.suffixes[0]
        self.fields.set("place", str(with_ending(path, suffix)))
        title = mark("Folder") if entry.is_folder else mark("File")
        self.fields.retitle("place", title)
        place.show_as(title, PathField(asks=Asks.NEW_FILE, question=_QUESTION, suffix=suffix))
        if "topic" in entry.needs and not self.fields.text("topic"):
            self.fields.box("topic").setCurrentIndex(min(1, self.fields.box("topic").count() - 1))

    def _offer_abstracts(self) -> None:
        topic = self._session.topic(self.fields.text("topic"))
        options = [(one.id, one.id) for one in topic.abstracts] if topic is not None else []
        is_any = "abstract" in self._entry().may_need
        every = ((None, ALL_ABSTRACTS),) if is_any else ()
        self.fields.offer("abstract", ChoiceField(options, messages=every), keeps=False)

    def _offer_annotators(self) -> None:
        is_any = "annotator" in self._entry().may_need
        every = ((None, ALL_ANNOTATORS),) if is_any else ()
        options = [(name, name) for name in self._annotators()]
        self.fields.offer("annotator", ChoiceField(options, messages=every), keeps=False)

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

    def _on_exported(self, path: str) -> None:
        self.exported.emit(path)
        self.accept()


def _about(entry: Format) -> str:
    if not entry.reads:
        return tr("Awase cannot read this format back; keep the corpus, too.")
    if entry.id != _WHOLE_CORPUS:
        return tr("This format holds a part of the corpus; Awase JSON holds all of it.")
    return tr("Holds the whole corpus but for parses, kept scores and the log of operations.")
