"""Scores in every form that the command line prints them in."""

import json as json_module
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import click

from awase.cli.output.option_hints import full_text
from awase.core.errors import Problem
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.score_report import report_of_means
from awase.core.reports.score_text import (
    TIDY_COLUMNS,
    as_html,
    as_latex,
    as_tidy_csv,
    as_wide_csv,
    statistics_of,
)
from awase.jobs.scoring import Scores

MAX_WARNINGS = 20


class Form(Enum):
    """How scores are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    WIDE = "wide-csv"
    LATEX = "latex"
    HTML = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedForm:
    """A form, and whether a spreadsheet is to read it."""

    form: Form = Form.TABLE
    for_spreadsheet: bool = False


def chosen_form(
    *, json: bool, csv: bool, wide: bool, latex: bool, html: bool, bom: bool
) -> PrintedForm:
    """Returns the form that the flags choose.

    Raises:
        click.UsageError: They choose several, or one for spreadsheets where they read none.
    """
    flags = {Form.JSON: json, Form.CSV: csv, Form.WIDE: wide, Form.LATEX: latex, Form.HTML: html}
    chosen = [form for form, is_chosen in flags.items() if is_chosen]
    if len(chosen) > 1:
        raise click.UsageError(f"Choose one of --{chosen[0].value} and --{chosen[1].value}.")
    form = chosen[0] if chosen else Form.TABLE
    if bom and form not in (Form.CSV, Form.WIDE):
        raise click.UsageError("--bom goes with --csv or --wide-csv.")
    return PrintedForm(form=form, for_spreadsheet=bom)


def print_scores(
    scores: Scores,
    form: PrintedForm,
    *,
    by_topic: bool,
    warnings: Sequence[Problem],
) -> None:
    """Prints the scores."""
    if form.form is Form.TABLE:
        from awase.cli.output.score_table import print_score_table

        print_score_table(scores, by_topic=by_topic)
        return
    if form.form is Form.JSON:
        text = json_module.dumps(
            _as_json(scores, warnings), ensure_ascii=False, allow_nan=False, indent=2
        )
        click.echo(text)
        return
    click.echo(_text(scores, form), nl=False)


def _text(scores: Scores, form: PrintedForm) -> str:
    if form.form is Form.CSV:
        return as_tidy_csv(
            scores.table,
            intervals=scores.intervals,
            comparisons=scores.comparisons,
            for_spreadsheet=form.for_spreadsheet,
        )
    report = report_of_means(
        scores.table,
        intervals=scores.intervals,
        comparisons=scores.comparisons,
        baseline=scores.baseline,
        resampling=scores.resampling,
    )
    if form.form is Form.WIDE:
        return as_wide_csv(report, for_spreadsheet=form.for_spreadsheet)
    return {Form.LATEX: as_latex, Form.HTML: as_html}[form.form](report)


def _as_json(scores: Scores, warnings: Sequence[Problem]) -> dict[str, object]:
    table = scores.table
    result: dict[str, object] = {
        "scores": [_record(score, scores) for score in table.scores],
        "warnings": [
            *map(warning_record, warnings),
            *(_undefined_record(score, score.reason) for score in table.scores if score.reason),
        ],
    }
    return {**result, "statistics": [*scores.resampling]} if scores.resampling else result


def _record(score: Score, made: Scores) -> dict[str, object]:
    values = (
        score.topic,
        score.length,
        score.system,
        score.metric,
        None if score.value is None else float(score.value),
        score.signature,
        score.provisional,
        score.n_topics,
    )
    record: dict[str, object] = dict(zip(TIDY_COLUMNS, values, strict=True))
    if score.spread is not None:
        record |= dict(zip(("lowest", "highest"), map(float, score.spread), strict=True))
    if made.resampling and score.topic is None:
        record |= statistics_of(score, made.intervals or {}, made.comparisons or {})
    return record


def warning_record(problem: Problem) -> dict[str, object]:
    """Returns the warning as JSON commands print it: its message, then its fields."""
    return {
        "message": full_text(problem),
        **{k: v for k, v in problem.fields.items() if k != "message"},
    }


def _undefined_record(score: Score, reason: Problem) -> dict[str, object]:
    place = "as a mean over topics" if score.topic is None else f"in topic “{score.topic}”"
    place += f", length “{score.length}”" if score.length else ""
    return {
        **warning_record(reason),
        "message": f"{score.metric} of “{score.system}” is undefined {place}: {full_text(reason)}",
        "topic": score.topic,
        "length": score.length,
        "system": score.system,
        "metric": score.metric,
        "signature": score.signature,
    }


def undefined_in_short(table: ScoreTable) -> list[Problem]:
    """Returns one problem for each metric and kind of reason, with the first case in full."""
    cases: dict[tuple[str, str], list[Score]] = {}
    for score in table.scores:
        if score.reason is not None and score.topic is not None:
            cases.setdefault((score.metric, score.reason.what), []).append(score)
    return [
        Problem(
            what="{metric} is undefined for {systems} in {topics}; "
            "for “{system}” in topic “{topic}”{length}: {reason}",
            fields={
                "metric": metric,
                "systems": _counted(len({score.system for score in scores}), "system"),
                "topics": _counted(len({score.topic for score in scores}), "topic"),
                "system": scores[0].system,
                "topic": scores[0].topic or "",
                "length": f", length “{scores[0].length}”" if scores[0].length else "",
                "reason": "" if (reason := scores[0].reason) is None else full_text(reason),
            },
        )
        for (metric, _), scores in cases.items()
    ]


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
