"""Asks how work is to be shared out, and shows beforehand what comes of it."""

from collections import Counter
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.errors import AwaseError
from awase.core.project.assigning import AssignmentRequest, assigned, unassigned
from awase.core.project.people import annotators_in
from awase.core.records.corpus import Corpus
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Choice, Field, Form, Line, Note, Number, Pairs
from awase.gui.kit.problems import problems_of
from awase.gui.kit.texts.i18n import mark, problem_text, tr

_MOST_JOBS = 100_000


class AssignDialog(FormDialog):
    """Shares out what is nobody's yet."""

    chosen = Signal(object)
    """The `AssignmentRequest`."""

    keeps_text = True

    def __init__(self, corpus: Corpus, parent: QWidget | None = None) -> None:
        self._corpus = corpus
        super().__init__(self._form(), parent)
        self.show_state()

    @property
    def request(self) -> AssignmentRequest:
        """How work is to be shared out, as the fields have it."""
        people = (name.strip() for name in self.fields.text("people").split(","))
        is_first = self.fields.value("what") == "first"
        return AssignmentRequest(
            people=tuple(dict.fromkeys(filter(None, people))),
            length=self.fields.value("length") or None,  # type: ignore[arg-type]  # texts
            overlap=0 if is_first else self._number("overlap"),
            readers=self._number("readers"),
            calibration=self._number("topics") if is_first else 0,
            most=self._number("most") or None,
            due=self.fields.text("due").strip() or None,
            seed=self._number("seed"),
        )

    def refresh(self) -> None:
        is_first = self.fields.value("what") == "first"
        self.fields.enable("topics", is_first)
        for name in ("overlap", "readers"):
            self.fields.enable(name, not is_first)

    def verdict(self) -> Verdict:
        request = self.request
        if request.due is not None and not _is_day(request.due):
            return refused(tr("Write the day as 2026-12-18."))
        try:
            after = assigned(self._corpus, request)
        except AwaseError as error:
            problems = problems_of(error) or ()
            return refused(" ".join(map(problem_text, problems)), "warning")
        known = {one.key for one in self._corpus.assignments}
        new = [one for one in after.assignments if one.key not in known]
        jobs = Counter(one.person for one in new)
        each = ", ".join(f"{who} {n}" for who, n in jobs.items())
        readers = Counter((one.topic, one.abstract) for one in new)
        text = tr(
            "{n} abstracts: {each}. Read by several: {several}.",
            n=len(readers),
            each=each,
            several=sum(n > 1 for n in readers.values()),
        )
        if left := len(unassigned(after)):
            text += " " + tr("{n} stay open.", n=left)
        return Verdict(text)

    def submit(self) -> None:
        self.chosen.emit(self.request)
        self.accept()

    def _number(self, name: str) -> int:
        return int(self.fields.value(name))  # type: ignore[call-overload,no-any-return]  # a number

    def _form(self) -> Form:
        corpus = self._corpus
        classes = dict.fromkeys(a.length for topic in corpus.topics for a in topic.abstracts)
        lengths = [(length, length) for length in classes if length is not None]
        what = Choice(
            messages=[
                ("rest", mark("everything that is nobody's yet")),
                ("first", mark("topics for everybody, first (calibration)")),
            ],
            value="rest" if corpus.assignments else "first",
        )
        hint = mark("A1, A2, A3")
        return Form(
            title=mark("Assign work"),
            parts=(
                Note(
                    mark(
                        "What is assigned stays. Everybody gets as many abstracts, and any two "
                        "people share as many; the same seed shares out the same."
                    )
                ),
                Field("people", mark("People"), Line(", ".join(annotators_in(corpus)), hint=hint)),
                Field("what", mark("What"), what),
                Pairs(
                    (
                        (
                            Field("topics", mark("Topics"), Number(2, 1, 999)),
                            Field("length", mark("Length"),
                                  Choice(lengths, messages=[(None, mark("all"))])),
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
                        (Field("seed", mark("Seed"), Number(1, 0, 999_999)), None),
                    )
                ),
            ),
            accept=mark("Assign"),
            leave=mark("Cancel"),
            focus="people",
            width=40,
        )  # fmt: skip


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
