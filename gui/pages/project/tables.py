"""Table of the Project page."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from awase.core.errors import Listing
from awase.core.records.alignment import AssistSettings
from awase.core.records.corpus import Corpus
from awase.core.records.project import is_shared_out
from awase.core.reports.agreement_report import names_text
from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid, grid_of
from awase.core.reports.numbers import decimal_text
from awase.core.reports.progress_report import has_help
from awase.core.team.assigning import may_lead, unassigned
from awase.core.team.progress import PersonProgress
from awase.gui.kit.i18n import joined_sentences, labelled, listed, mark, ntr, tr
from awase.jobs.team.standing import ProjectProgress


def about_text(corpus: Corpus, who: str) -> str:
    if not corpus.persons:
        return tr("Nobody is named: whoever opens the corpus may do everything.")
    left = len(unassigned(corpus))
    parts = [
        tr("Others' work is hidden from annotators.")
        if corpus.is_blind
        else tr("Annotators see others' work on the sentences that they settled.")
    ]
    if not is_shared_out(corpus.assignments):
        parts.append(tr("Nothing is assigned: everybody has all topics."))
    elif left:
        parts.append(ntr("{n} abstract is nobody's.", "{n} abstracts are nobody's.", left))
    parts.append(_help_text(corpus.assist))
    if not may_lead(corpus, who):
        parts = [tr("You see your own line; who leads the project sees all."), parts[0], parts[-1]]
    return joined_sentences(*parts)


def _help_text(settings: AssistSettings) -> str:
    parts = [tr("Help: level {n}.", n=settings.level)]
    if settings.control_percent:
        parts.append(tr("{n} % of sentences without it.", n=settings.control_percent))
    if settings.decoy_percent:
        parts.append(tr("{n} % of suggestions are wrong on purpose.", n=settings.decoy_percent))
    return joined_sentences(*parts)


def gate_text(found: ProjectProgress) -> str:
    """Describes the progress of the calibration set; empty = none."""
    if found.gate is None:
        return ""
    text = ntr("First, for everybody: {n} abstract.", "First, for everybody: {n} abstracts.",
               len(found.gate.jobs))  # fmt: skip
    left = Listing(f"{who} {n}" for who, n in found.gate.n_left.items() if n)
    rest = tr("Sentences left: {left}.", left=left) if left else tr("All have done it.")
    pairs = [
        f"{names_text(row.annotators)} {decimal_text(row.alpha)}"
        for row in found.gate_rows
        if row.n_items
    ]
    return joined_sentences(text, rest, labelled("α", listed(pairs)) if pairs else "")


ROLES: Final[Mapping[str, str]] = {
    "lead": mark("lead"),
    "annotator": mark("annotator"),
    "adjudicator": mark("adjudicator"),
}
_MS: Final = 1000


def people_table(people: Sequence[PersonProgress], today: date) -> Grid:
    columns: tuple[Column, ...] = (
        Column(title=tr("Person")),
        Column(title=tr("Role")),
        Column(title=tr("Abstracts"), tip=tr("Abstracts done, of those assigned")),
        Column(title=tr("Sentences"), tip=tr("Abstract sentences settled, of those assigned")),
        Column(title=tr("Flags"), tip=tr("Sentences flagged")),
        Column(title="α", tip=tr("Mean agreement with each other person (alternatives)")),
        Column(title=tr("Median s"), tip=tr("Seconds of work on a sentence: the middle one")),
        Column(title=tr("p90 s"), tip=tr("Nine sentences of ten took no longer")),
        Column(title=tr("Per hour"), tip=tr("Abstract sentences worked on in an hour")),
        Column(title=tr("Due"), tip=tr("The next date of work that is not done"), stretches=True),
    )
    is_helped = has_help(people)
    if is_helped:
        columns = (*columns[:-1], *_columns_of_help(), columns[-1])
    return grid_of(columns, [_row(at, one, today, is_helped) for at, one in enumerate(people)])


def _columns_of_help() -> tuple[Column, ...]:
    return (
        Column(title=tr("Taken"), tip=tr("Settled sentences whose suggestion was taken as it was")),
        Column(
            title=tr("Decoys"),
            tip=tr("Suggestions wrong on purpose that were taken, of those seen"),
        ),
    )


def _row(at: int, one: PersonProgress, today: date, is_helped: bool) -> Sequence[Cell]:
    name = one.id if one.name == one.id else f"{one.id}  {one.name}"
    role = tr(ROLES[one.role]) if one.role is not None else tr("not named")
    return (
        Cell(text=name, value=at, is_number=False),
        Cell(text=role, value=role, is_number=False),
        _of(one.n_jobs_done, one.n_jobs, tr("Nothing is assigned.")),
        _of(one.n_settled, one.n_sentences, tr("Nothing is assigned.")),
        Cell(text=str(one.n_flagged or ""), value=one.n_flagged),
        Cell(
            text=decimal_text(one.alpha),
            value=one.alpha,
            shade=_shade(one.alpha),
            tip="" if one.alpha is not None else tr("No value with anybody else is defined."),
        ),
        _number(one.median_ms, 1 / _MS, one),
        _number(one.p90_ms, 1 / _MS, one),
        _number(one.an_hour, 1, one),
        *(_help(one) if is_helped else ()),
        _due(one.due, today),
    )


def _help(one: PersonProgress) -> tuple[Cell, Cell]:
    return (
        _of(one.n_taken, one.n_settled, tr("No sentence is settled yet."), has_shade=False),
        _of(one.n_decoys_taken, one.n_decoys, tr("No decoy was seen yet."), has_shade=False),
    )


def _of(done: int, total: int, why_none: str, *, has_shade: bool = True) -> Cell:
    if not total:
        return Cell(text=UNDEFINED, tip=why_none)
    share = done / total
    return Cell(text=f"{done}/{total}", value=share, shade=share if has_shade else None)


def _shade(alpha: float | None) -> float | None:
    return None if alpha is None else max(0.0, alpha)


def _number(value: float | None, factor: float, one: PersonProgress) -> Cell:
    if value is None:
        return Cell(text=UNDEFINED, tip=tr("No time was logged."))
    tip = ntr("Of {n} sentence", "Of {n} sentences", one.n_timed)
    return Cell(text=f"{value * factor:.0f}", value=value * factor, tip=tip)


def _due(due: str | None, today: date) -> Cell:
    if due is None:
        return Cell(text="", is_number=False)
    try:
        days = (date.fromisoformat(due[:10]) - today).days
    except ValueError:
        return Cell(text=due, value=due, is_number=False)
    if days < 0:
        told = ntr("{n} day late", "{n} days late", -days)
    else:
        told = ntr("{n} day", "{n} days", days) if days else tr("today")
    text = tr("{day} ({left})", day=due[:10], left=told)
    return Cell(text=text, value=due, is_number=False)
