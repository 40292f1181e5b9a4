"""Writes one person's work into a file of their own."""

import os
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.formats.folders.parallel_files import safe_name
from awase.core.records.corpus import Corpus
from awase.core.records.topic import annotators_of
from awase.gui.kit.forms.dialog import Verdict, refused
from awase.gui.kit.forms.job_dialog import JobDialog
from awase.gui.kit.forms.parts import Asks, ChoiceField, Field, Form, Note, PathField
from awase.gui.kit.forms.places import path_of
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.jobs.team.copies import HandedOut, hand_out

_JOB = "hand-out"


class HandOutDialog(JobDialog):
    """Dialog to hand out a person's copy."""

    handedOut = Signal(str)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        self._session, self._proposed = session, ""
        super().__init__(self._form(), services.jobs, mark("Nothing was handed out."), parent)
        self.changed("person")
        self.show_state()

    def changed(self, name: str) -> None:
        """Suggests a file beside the corpus, unless another was chosen."""
        if name == "person" and self.fields.text("place") == self._proposed:
            self._proposed = self._proposal()
            self.fields.set("place", self._proposed)

    def verdict(self) -> Verdict:
        place = path_of(self.fields.text("place"))
        if not self.fields.text("person").strip():
            return refused(tr("Say who takes the file along."), "muted")
        if not self.fields.text("place"):
            return refused(tr("Give the file a name."), "warning")
        if not os.path.isdir(place.parent):  # pathlib raises where a name is too long
            return refused(tr("There is no such folder."), "warning")
        if os.path.exists(place):
            return refused(tr("A file of that name exists already."), "warning")
        return Verdict()

    def submit(self) -> None:
        store, who = self._session.store, self._session.who
        person = self.fields.text("person").strip()
        place = path_of(self.fields.text("place"))
        self.start(
            _JOB,
            lambda reporter: hand_out(store, person, place, who=who, reporter=reporter),
            self._on_handed_out,
        )

    def _form(self) -> Form:
        corpus = self._session.corpus()
        known = [*_people(corpus)]
        others = [who for who, _ in known if who != self._session.who]
        first = next(iter(others), None) if corpus.persons else None
        people = ChoiceField(known, is_open=not corpus.persons, value=first)
        place = PathField(
            asks=Asks.NEW_FILE,
            question=mark("Hand out to"),
            filters=(mark("Corpora (*.awase)"),),
            suffix=".awase",
            confirms=False,
        )
        return Form(
            title=mark("Hand out"),
            parts=(
                Note(
                    mark(
                        "The file has the person's topics and alignments, the texts and the "
                        "guidelines, and nobody else's work. Take it back as often as you like."
                    )
                ),
                Field("person", mark("To"), people),
                Field("place", mark("File"), place),
            ),
            accept=mark("Hand out"),
            leave=mark("Cancel"),
            focus="person",
            width=36,
        )

    def _proposal(self) -> str:
        person, main = self.fields.text("person").strip(), Path(self._session.location)
        if not person or not os.path.isfile(main):  # it may be on a server
            return ""
        return str(main.with_name(f"{main.stem}-{safe_name(person)}.awase"))

    def _on_handed_out(self, made: HandedOut) -> None:
        self.handedOut.emit(str(made.path))
        self.accept()


def _people(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yields ids and names of possible recipients, later readings included."""
    if not corpus.persons:
        yield from ((name, name) for name in annotators_of(corpus.topics))
    for person in corpus.persons:
        yield person.id, person.name or person.id
        rounds = {one.round for one in corpus.assignments if one.person == person.id}
        for number in sorted(rounds - {1}):
            reader = f"{person.id}#{number}"
            yield reader, tr("{who}, to be read again", who=reader)
