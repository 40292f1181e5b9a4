"""Writes one person's work into a file of their own, and joins such files to the open corpus."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from awase.core.errors import Listing
from awase.core.formats.tables.parallel_text import safe_name
from awase.core.records.corpus import Corpus
from awase.core.records.edits import Changes
from awase.core.records.topic import annotators_of
from awase.core.team.merging import MergeOutcome, MergePlan
from awase.gui.kit.commands import FileDropTarget
from awase.gui.kit.forms.controls import ask_files, path_of
from awase.gui.kit.forms.dialog import JobDialog, Verdict, refused
from awase.gui.kit.forms.parts import (
    Asks,
    Body,
    Button,
    ChoiceField,
    Field,
    Form,
    Gap,
    Line,
    Note,
    PathField,
    Row,
)
from awase.gui.kit.i18n import mark, ntr, problem_text, tr
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.team.copies import hand_out, preview, take_back

_HAND_OUT_JOB = "hand-out"


class HandOutDialog(JobDialog):
    """Dialog to hand out a person's copy."""

    headline = mark("Nothing was handed out.")

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        self._session, self._proposed = session, ""
        super().__init__(self._form(), services.jobs, parent)
        self.changed("person")

    def changed(self, name: str) -> None:
        """Suggests a file beside the corpus, unless another was chosen."""
        if name == "person" and self.fields.text("place") == self._proposed:
            self._proposed = self._proposal()
            self.fields.set("place", self._proposed)

    def verdict(self) -> Verdict:
        place = path_of(self.fields.text("place"))
        if not self.fields.text("person").strip():
            return refused(tr("Choose who gets the file."), "muted")
        if not self.fields.text("place"):
            return refused(tr("Give the file a name."), "warning")
        if not os.path.isdir(place.parent):  # pathlib raises where a name is too long
            return refused(tr("There is no such folder."), "warning")
        if os.path.exists(place):
            return refused(tr("A file with that name already exists."), "warning")
        return Verdict()

    def submit(self) -> None:
        store, who = self._session.store, self._session.who
        person = self.fields.text("person").strip()
        place = path_of(self.fields.text("place"))
        self.start(
            _HAND_OUT_JOB,
            lambda reporter: hand_out(store, person, place, who=who, reporter=reporter),
            lambda _made: self.accept(),
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
            focus="person",
            width=36,
        )

    def _proposal(self) -> str:
        person, main = self.fields.text("person").strip(), Path(self._session.location)
        if not person or not os.path.isfile(main):  # it may be on a server
            return ""
        return str(main.with_name(f"{main.stem}-{safe_name(person)}.awase"))


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


_JOB = "take-back"
_REMARKS_SHOWN: Final = 3


class TakeBackDialog(FileDropTarget, JobDialog):
    """Dialog to preview and merge returned files."""

    headline = mark("Nothing was taken back; the corpus is unchanged.")

    def __init__(self, session: CorpusSession, services: Services, parent: QWidget | None) -> None:
        self._session = session
        self._paths: list[Path] = []
        self.plan: MergePlan | None = None
        self._is_refused = False
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        super().__init__(self._form(), services.jobs, parent)
        self.setAcceptDrops(True)
        self.list.itemSelectionChanged.connect(self.show_state)

    def add_files(self, paths: Sequence[Path]) -> None:
        self._paths += [path for path in paths if path not in self._paths]
        self._look()

    def changed(self, name: str) -> None:
        if name == "names":
            self.plan, self._is_refused = None, False

    def went_wrong(self, error: BaseException) -> None:
        self._is_refused = True
        super().went_wrong(error)
        self.show_state()

    def refresh(self) -> None:
        self.fields.write("about", self._summary())
        self.fields.enable("remove", bool(self.list.selectedItems()))
        self.fields.enable("look", bool(self._paths))

    def verdict(self) -> Verdict:
        if not self._paths:
            return refused(tr("Add the files that come back."), "muted")
        if self._is_refused:
            return refused(tr("The files cannot be taken back as they are."), "warning")
        if self.plan is None:
            return Verdict(is_ready=self._names() is not None)
        is_any = bool(self.plan.entries or self.plan.n_human_scores)
        return Verdict() if is_any else refused(tr("The files bring nothing new."), "muted")

    def submit(self) -> None:
        store, who, paths = self._session.store, self._session.who, tuple(self._paths)
        names = self._names() or {}
        self.start(
            _JOB,
            lambda reporter: take_back(store, paths, who=who, names=names, reporter=reporter),
            self._on_merged,
        )

    def _form(self) -> Form:
        buttons = Row(
            Button("add", mark("Add files…"), self._on_add),
            Button("remove", mark("Remove"), self._on_remove),
            Button("look", mark("Check again"), self._look),
            Gap(),
        )
        hint = mark("Anna=A1, if somebody has another name in a file")
        return Form(
            title=mark("Take back"),
            parts=(
                Note(
                    mark(
                        "Add the files that were handed out, or drop them here. All of them are "
                        "taken back, or none, after a backup; it can be undone in one step."
                    )
                ),
                Body("files", mark("Files"), self.list),
                buttons,
                Field("names", mark("Other names"), Line(hint=hint)),
                Note(name="about", look="", is_selectable=True),
            ),
            accept=mark("Take back"),
            focus="add",
            width=44,
            height=26,
        )

    def _names(self) -> dict[str, str] | None:
        """Returns annotators by their name in the files; None = invalid."""
        pairs = [part.partition("=") for part in self.fields.text("names").split(",") if part]
        if not all(theirs.strip() and ours.strip() for theirs, _, ours in pairs):
            return None
        return {theirs.strip(): ours.strip() for theirs, _, ours in pairs}

    def _summary(self) -> str:
        plan = self.plan
        if plan is None:
            return ""
        lines = [
            tr(
                "Sentences: {new} new, {changed} changed, {conflict} in conflict with own work, "
                "{left} left out.",
                new=plan.count(MergeOutcome.NEW),
                changed=plan.count(MergeOutcome.CHANGED),
                conflict=plan.count(MergeOutcome.CONFLICT),
                left=plan.count(MergeOutcome.LEFT_OUT),
            )
        ]
        people = Counter(entry.key.annotator or tr("gold") for entry in plan.entries)
        if people:
            each = Listing(f"{who} {n}" for who, n in people.items())
            lines.append(tr("By person: {each}.", each=each))
        if plan.n_human_scores:
            n = plan.n_human_scores
            lines.append(ntr("{n} new human score.", "{n} new human scores.", n))
        lines += [problem_text(remark) for remark in plan.remarks[:_REMARKS_SHOWN]]
        if (n := len(plan.remarks) - _REMARKS_SHOWN) > 0:
            lines.append(ntr("{n} more remark follows.", "{n} more remarks follow.", n))
        return "\n".join(lines)

    def _look(self) -> None:
        self.plan, self._is_refused = None, False
        self._list_files()
        store, paths, names = self._session.store, tuple(self._paths), self._names() or {}
        if paths:
            self.start(
                _JOB,
                lambda reporter: preview(store, paths, names=names, reporter=reporter),
                self._on_looked,
            )
        self.show_state()

    def _list_files(self) -> None:
        """Lists files by name, by whole path where names are equal, and selects one."""
        row = max(0, self.list.currentRow())
        n_of = Counter(path.name for path in self._paths)
        self.list.clear()
        for path in self._paths:
            item = QListWidgetItem(path.name if n_of[path.name] == 1 else str(path), self.list)
            item.setToolTip(str(path))
        self.list.setCurrentRow(min(row, len(self._paths) - 1))

    def _on_looked(self, plan: MergePlan) -> None:
        self.plan = plan
        self.show_state()
        if self.accept_button is not None and self.accept_button.isEnabled():
            self.accept_button.setFocus()  # the next step, for the keyboard

    def _on_add(self) -> None:
        kinds = (tr("Corpora (*.awase *.json)"),)
        ask_files(self, tr("Add files"), self.add_files, kinds=kinds)

    def _on_remove(self) -> None:
        gone = {index.row() for index in self.list.selectedIndexes()}
        if gone:
            self._paths = [path for row, path in enumerate(self._paths) if row not in gone]
            self._look()

    def _on_merged(self, result: tuple[MergePlan, Changes]) -> None:
        plan, changes = result
        self._session.reload(changes)
        parent = self.parentWidget()
        self.accept()
        headline = mark("The files were taken back. Please note:")
        ProblemsDialog.show_remarks(parent, headline, plan.remarks)
