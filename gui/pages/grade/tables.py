"""The extract under way, laid out as tables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from awase.core.analysis.grading import Goal, SentenceEffect
from awase.core.metrics.extracts.scorers import EVERYTHING, MINIMAL_COVER, Tsc3Values
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract
from awase.core.records.topic import Topic
from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid, grid_of
from awase.core.reports.numbers import change_text, decimal_text
from awase.gui.kit.texts.i18n import labelled, problem_text, tr

_EXACT_DECIMALS: Final = 6


def source_table(
    topic: Topic,
    extract: Sequence[SentenceRef],
    sentence_effects: Mapping[SentenceRef, SentenceEffect],
    goal: Goal | None,
) -> Grid:
    """Returns a row for each source sentence: selected, and its effect."""
    columns = (
        Column(title=tr("No."), tip=tr("Place in the extract")),
        Column(title=tr("Sentence")),
        Column(title=tr("Text"), stretches=True),
        Column(
            title=tr("Coverage"),
            tip=tr("What Coverage gains when it is added, or loses when it is taken out."),
        ),
        Column(
            title=tr("Weighted"),
            tip=tr("What Weighted coverage gains when it is added, or loses when it is taken out."),
        ),
    )
    places = {ref: place for place, ref in enumerate(extract, start=1)}
    rows = [
        (
            Cell(text=str(places.get(ref, "")), value=places.get(ref)),
            Cell(text=f"s{number}", value=number, tip=str(ref), is_number=False),
            Cell(text=sentence.text, value=sentence.text, is_number=False),
            _worth_cell(sentence_effects.get(ref), goal, "coverage"),
            _worth_cell(sentence_effects.get(ref), goal, "weighted-coverage"),
        )
        for number, (ref, sentence) in enumerate(topic.sentences(), start=1)
    ]
    return grid_of(columns, rows)


def _worth_cell(worth: SentenceEffect | None, goal: Goal | None, metric: str) -> Cell:
    if worth is None or goal is None:
        return Cell(text=UNDEFINED, tip=tr("No sentence of the abstract is annotated yet."))
    value = worth.coverage if metric == "coverage" else worth.weighted_coverage
    if value is None:
        return Cell(text=UNDEFINED, tip=problem_text(goal.why_undefined(metric)))
    change = -value if worth.is_member else value
    return Cell(
        text=change_text(change),
        value=float(value),
        shade=min(1.0, float(value) * 2) if value else None,
        tip=f"{'+' if change > 0 else ''}{change} = {change_text(change, _EXACT_DECIMALS)}",
    )


def grade_table(
    goals: Sequence[Goal],
    extract: Sequence[SentenceRef],
    compared: Extract | None,
) -> Grid:
    """Returns a row for each annotator: the draft's values beside a system's."""
    columns = (
        Column(title=tr("Annotator"), stretches=True),
        Column(title="h", tip=tr("Size of the minimal cover")),
        Column(title="P", tip=tr("Precision of the first h sentences")),
        Column(title="Cov", tip=tr("Coverage of the first h sentences")),
        Column(title="WC", tip=tr("Weighted coverage of the first h sentences")),
        Column(title=tr("Cov, all"), tip=tr("Coverage of the whole extract")),
        Column(title=tr("WC, all"), tip=tr("Weighted coverage of the whole extract")),
    )
    rows = []
    for goal in goals:
        rows.append(_grade_row(goal, tr("{who}: this extract", who=goal.annotator), extract))
        if compared is not None:
            title = labelled(goal.annotator, compared.system)
            rows.append(_grade_row(goal, title, compared.sentences))
    return grid_of(columns, rows)


def _grade_row(goal: Goal, title: str, extract: Sequence[SentenceRef]) -> tuple[Cell, ...]:
    first: Tsc3Values = goal.values(extract, MINIMAL_COVER)
    whole: Tsc3Values = goal.values(extract, EVERYTHING)
    values = (
        ("precision", first.precision),
        ("coverage", first.coverage),
        ("weighted-coverage", first.weighted_coverage),
        ("coverage", whole.coverage),
        ("weighted-coverage", whole.weighted_coverage),
    )
    mark = "*" if goal.gold.provisional else ""
    return (
        Cell(text=title, value=title, is_number=False),
        Cell(text=str(goal.h), value=goal.h),
        *(
            Cell(
                text=decimal_text(value) + (mark if value is not None else ""),
                value=None if value is None else float(value),
                tip=_exact(value, is_provisional=bool(mark))
                if value is not None
                else problem_text(goal.why_undefined(metric)),
            )
            for metric, value in values
        ),
    )


def _exact(value: Fraction, *, is_provisional: bool) -> str:
    text = f"{value} = {float(value):.6f}"
    if is_provisional:
        text += "\n" + tr("Provisional: the annotation it rests on is unfinished.")
    return text
