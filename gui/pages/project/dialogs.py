"""Dialogs of assignments and of assistance."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.annotation.suggestion import AssistLevel
from awase.core.errors import AwaseError, CorpusFormatError, Listing
from awase.core.records.abstract import MOST_DECOYS, AssistSettings
from awase.core.records.corpus import Assignment, Corpus, Person, is_shared_out
from awase.core.team.assigning import (
    AssignmentRequest,
    annotators_in,
    assigned,
    check_due,
    unassigned,
)
from awase.core.team.handing_out import SECOND, USUAL_DAYS, Work, next_for_each
from awase.gui.kit.defects import error_text
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import ChoiceField, Field, Form, Line, Note, Number, Pairs
from awase.gui.kit.i18n import joined_sentences, mark, ntr, problem_text, tr
from awase.jobs.team.project_reports import second_readings

_MOST_JOBS: Final = 100_000
_LONGEST_DAYS: Final = 3650
_REST, _FIRST, _NEXT, _SECOND = "rest", "first", "next", "second"
# Field to what it has a meaning for.
_FIELDS_OF: Final = {
    "topics": (_FIRST,),
    "overlap": (_REST,),
    "readers": (_REST,),
    "length": (_REST, _FIRST),
    "most": (_REST, _FIRST, _NEXT),
    "seed": (_REST, _FIRST, _SECOND),
    "share": (_SECOND,),
    "days": (_SECOND,),
}


class AssignDialog(FormDialog):
    """Assigns free abstracts, or second readings."""

    # People, and what makes the corpus with their work of the one without; raises InputError.
    chosen = Signal(object, object)

    keeps_text = True

    def __init__(
        self,
        corpus: Corpus,
        lengths: Sequence[str],
        worked_at: Mapping[Work, str],
        parent: QWidget | None = None,
    ) -> None:
        self._corpus, self._lengths, self._worked_at = corpus, lengths, worked_at
        super().__init__(self._form(), parent)

    @property
    def change(self) -> Callable[[Corpus], Corpus]:
        people, what = self._people(), self.fields.value("what")
        due, most = self.fields.text("due").strip() or None, self.fields.number("most") or None
        if what == _SECOND:
            return second_readings(
                people,
                self._worked_at,
                share=self.fields.number("share"),
                days=self.fields.number("days"),
                due=due,
                seed=self.fields.number("seed"),
            )
        if what == _NEXT:
            return partial(next_for_each, people=people, most=most, due=due)
        request = AssignmentRequest(
            people=people,
            length=self.fields.value("length") or None,  # type: ignore[arg-type]  # texts
            overlap=self.fields.number("overlap") if what == _REST else 0,
            readers=self.fields.number("readers"),
            calibration=self.fields.number("topics") if what == _FIRST else 0,
            most=most,
            due=due,
            seed=self.fields.number("seed"),
        )
        return partial(assigned, request=request)

    def refresh(self) -> None:
        what = self.fields.value("what")
        for name, kinds in _FIELDS_OF.items():
            self.fields.enable(name, what in kinds)

    def verdict(self) -> Verdict:
        due = self.fields.text("due").strip()
        if due and not _is_day(due):
            return refused(tr("Write the day as 2026-12-18."))
        try:
            check_due(due or None, date.today().isoformat())
            after = self.change(self._corpus)
        except AwaseError as error:
            return refused(error_text(error), "warning")
        known = {one.key for one in self._corpus.assignments}
        return Verdict(_told([one for one in after.assignments if one.key not in known], after))

    def submit(self) -> None:
        self.chosen.emit(self._people(), self.change)
        self.accept()

    def _people(self) -> tuple[str, ...]:
        people = (name.strip() for name in self.fields.text("people").split(","))
        return tuple(dict.fromkeys(filter(None, people)))

    def _form(self) -> Form:
        corpus = self._corpus
        lengths = [(length, length) for length in self._lengths]
        what = ChoiceField(
            messages=[
                (_REST, mark("everything not yet assigned")),
                (_FIRST, mark("topics that everybody does first (calibration)")),
                (_NEXT, mark("the next topic for each; they take further ones themselves")),
                (_SECOND, mark("second readings of what they have finished")),
            ],
            value=_REST if is_shared_out(corpus.assignments) else _FIRST,
        )
        hint = mark("A1, A2, A3")
        return Form(
            title=mark("Assign work"),
            parts=(
                Note(
                    mark(
                        "Existing assignments stay. Everybody gets the same number of abstracts, "
                        "and any two people share the same number; the same seed gives the same "
                        "assignments."
                    )
                ),
                Pairs(
                    (
                        (
                            Field("people", mark("People"),
                                  Line(", ".join(annotators_in(corpus)), hint=hint)),
                            None,
                        ),
                        (Field("what", mark("What"), what), None),
                        (
                            Field("topics", mark("Topics"), Number(2, 1, 999)),
                            Field("length", mark("Length"),
                                  ChoiceField(lengths, messages=[(None, mark("all"))])),
                        ),
                        (
                            Field("overlap", mark("Read by several"),
                                  Number(20, 0, 100, unit=mark(" %"))),
                            Field("readers", mark("Readers"), Number(2, 2, 99)),
                        ),
                        (
                            Field("most", mark("At most"),
                                  Number(0, 0, _MOST_JOBS, special=mark("no limit"))),
                            Field("due", mark("Due"), Line(hint=mark("2026-12-18"))),
                        ),
                        (
                            Field("share", mark("Read again"),
                                  Number(20, 1, 100, unit=mark(" %"))),
                            Field("days", mark("After"),
                                  Number(USUAL_DAYS, 0, _LONGEST_DAYS, unit=mark(" days"))),
                        ),
                        (Field("seed", mark("Seed"), Number(1, 0, 999_999)), None),
                    )
                ),
            ),
            accept=mark("Assign"),
            focus="people",
            width=40,
        )  # fmt: skip


def _told(new: Sequence[Assignment], after: Corpus) -> str:
    jobs = Counter(one.person for one in new)
    each = Listing(f"{who} {n}" for who, n in jobs.items())
    if any(one.round == SECOND for one in new):
        readers = Listing(f"{who}#{SECOND}" for who in jobs)
        return tr("Read again: {each}. Hand it out to {readers}.", each=each, readers=readers)
    readings = Counter((one.topic, one.abstract) for one in new)
    text = ntr(
        "{n} abstract: {each}. Read by several: {several}.",
        "{n} abstracts: {each}. Read by several: {several}.",
        len(readings),
        each=each,
        several=sum(n > 1 for n in readings.values()),
    )
    if left := len(unassigned(after)):
        text = joined_sentences(text, tr("{n} not assigned.", n=left))
    return text


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


LEVELS: Final = (
    (0, mark("0: sentences in the documents' order")),
    (1, mark("1: the likeliest first")),
    (2, mark("2: marks on what is left out")),
    (3, mark("3: suggestions beside what is linked")),
    (4, mark("4: suggestions first")),
)


class AssistanceDialog(FormDialog):
    """Level, and shares of controls and decoys for evaluating assistance."""

    chosen = Signal(dict)  # changed settings by their names

    def __init__(self, settings: AssistSettings, parent: QWidget | None = None) -> None:
        form = Form(
            title=mark("Help for annotators"),
            parts=(
                Note(mark("Everybody sees the same. Suggestions never become gold by themselves.")),
                Field(
                    "level", mark("Level of help"),
                    ChoiceField(messages=LEVELS, value=settings.level),
                ),
                Field(
                    "control_percent", mark("Without help"),
                    Number(settings.control_percent, 0, 90, unit=mark(" %")),
                    tip=mark("This share of sentences is shown at level 1, to compare with"),
                ),
                Field(
                    "decoy_percent", mark("Wrong on purpose"),
                    Number(settings.decoy_percent, 0, MOST_DECOYS, unit=mark(" %")),
                    tip=mark("This share of suggestions shows whether they are read; "
                             "annotators are told that there are some"),
                ),
                Field("seed", mark("Seed"), Number(settings.seed, 0, 999_999)),
            ),
            accept=mark("Change"),
            focus="level",
            width=36,
        )  # fmt: skip
        super().__init__(form, parent)

    def refresh(self) -> None:
        self.fields.enable("decoy_percent", self.fields.number("level") >= AssistLevel.SUGGESTIONS)
        compares = bool(
            self.fields.number("control_percent") or self.fields.number("decoy_percent")
        )
        self.fields.enable("seed", compares)

    def verdict(self) -> Verdict:
        if self.fields.number("control_percent"):
            return Verdict(tr("Keys are counted, and awase assist-report compares."))
        return Verdict()

    def submit(self) -> None:
        names = ("level", "control_percent", "decoy_percent", "seed")
        self.chosen.emit({name: self.fields.number(name) for name in names})
        self.accept()


ROLES: Final[Mapping[str, str]] = {
    "lead": mark("lead"),
    "annotator": mark("annotator"),
    "adjudicator": mark("adjudicator"),
}


class PersonDialog(FormDialog):
    """New member, or a member's role and name."""

    chosen = Signal(object)  # the `Person`

    def __init__(
        self, person: Person | None, taken: Collection[str], parent: QWidget | None = None
    ) -> None:
        self._is_new = person is None
        self._taken = frozenset(taken)
        role = person.role if person is not None else "annotator"
        form = Form(
            title=mark("Person"),
            parts=(
                Field(
                    "id",
                    mark("Id"),
                    Line(person.id if person else "", is_fixed=person is not None),
                    tip=mark("Identifies the person's work; it can never be changed"),
                ),
                Field("name", mark("Name"), Line((person.name or "") if person else "")),
                Field("role", mark("Role"), ChoiceField(messages=[*ROLES.items()], value=role)),
                Note(mark("Roles in a file are a convention among colleagues, not protection.")),
            ),
            accept=mark("Add") if person is None else mark("Change"),
            width=28,
        )
        super().__init__(form, parent)

    @property
    def person(self) -> Person:
        return Person(
            id=self.fields.text("id").strip(),
            name=self.fields.text("name").strip() or None,
            role=str(self.fields.value("role")),
        )

    def verdict(self) -> Verdict:
        if not self.fields.text("id").strip():
            return refused(tr("Give the person an id, such as A1."), "muted")
        try:
            person = self.person
        except CorpusFormatError as error:
            return refused(problem_text(error.problems[0]))
        if self._is_new and person.id in self._taken:
            return refused(tr("“{who}” is already in the project.", who=person.id))
        return Verdict()

    def submit(self) -> None:
        self.chosen.emit(self.person)
        self.accept()
