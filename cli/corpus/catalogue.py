"""Discovery: `awase metrics`, `awase formats`, `awase demo`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awase.cli.options import CommandOptions, check_counts, output_options
from awase.cli.output.messages import print_problems, say
from awase.cli.output.report import Output, emit, report_of
from awase.core.reports.grid import Column, Field, Shown, grid_of_texts

if TYPE_CHECKING:
    from awase.core.formats.registry import Format
    from awase.core.metrics.kit.metric import Metric, Option


@click.command("formats", cls=CommandOptions)
@output_options()
def formats(output: Output) -> None:
    """List the file formats that `awase import` reads and `awase export` writes."""
    from awase.core.formats.registry import ADDED, FORMATS

    fields: list[Field[Format]] = [
        Field("id", "format"),
        Field("title", "what"),
        Field("endings", "endings", lambda one: [*one.suffixes],
                      lambda one: " ".join((*one.suffixes, *["folder"][: one.is_folder]))),
        Field("", "does", text=lambda one: " ".join(
            word for word in ("reads", "writes") if getattr(one, word))),
        Field("", "needs", text=_needs_text),
        *(Field(name) for name in ("is_folder", "reads", "writes")),
        Field("needs", value=lambda one: [*one.needs]),
        Field("may_need", value=lambda one: [*one.may_need]),
    ]  # fmt: skip
    emit(report_of(fields, FORMATS.values(), "formats"), output)
    print_problems("warning", ADDED.problems())


def _needs_text(entry: "Format") -> str:
    return " ".join(
        [f"--{name}" for name in entry.needs] + [f"[--{one}]" for one in entry.may_need]
    )


@click.command("metrics", cls=CommandOptions)
@output_options()
def metrics(output: Output) -> None:
    """List the metrics and what their options mean; write them as name:option=value,…."""
    from awase.core.metrics.registry import ADDED, GROUPS, METRICS

    listed = {
        "metrics": [_metric_record(metric) for metric in METRICS.values()],
        "groups": {name: [*members] for name, members in GROUPS.items()},
    }
    fields: list[Field[Metric]] = [
        Field("metric", value=lambda one: one.name),
        Field("what"),
        Field("options", value=_defaults_text),
    ]
    emit(report_of(fields, METRICS.values(), json=listed.items, shown=_metric_tables), output)
    print_problems("warning", ADDED.problems())


def _defaults_text(metric: "Metric") -> str:
    return ",".join(f"{name}={value}" for name, value in metric.defaults.items())


def _metric_tables() -> Shown:
    from awase.core.metrics.registry import GROUPS, METRICS

    columns = [Column(title=title) for title in ("metric", "what", "options and defaults")]
    rows = [(one.name, one.what, _defaults_text(one)) for one in METRICS.values()]
    groups = [(name, f"stands for {', '.join(members)}", "") for name, members in GROUPS.items()]
    yield grid_of_texts(columns, [rows, groups])
    yield ""
    options = {option: None for metric in METRICS.values() for option in metric.options}
    columns = [Column(title=title) for title in ("option", "what", "values")]
    yield grid_of_texts(columns, map(_option_rows, options))


def _option_rows(option: "Option[Any]") -> list[tuple[str, str, str]]:
    """Returns the rows of an option: its description, then its values."""
    return [
        (option.name if not at else "", option.what if not at else "", f"{value}: {what}")
        for at, (value, what) in enumerate(option.listed_values())
    ]


def _metric_record(metric: "Metric") -> dict[str, Any]:
    return {
        "name": metric.name,
        "what": metric.what,
        "needs": [*metric.needs],
        "greatest": metric.greatest,
        "by": metric.by,
        "options": [
            {
                "name": option.name,
                "what": option.what,
                "default": option.default,
                "choices": {choice.value: choice.what for choice in option.choices},
                "other": option.form_what,
                "examples": [*option.examples],
                "of_corpus": option.of_corpus,
            }
            for option in metric.options
        ],
    }


LANGUAGES = ("ja", "en")
_EXAMPLES = """\b
Examples:
  awase demo
  awase demo en corpora
  awase demo --window
"""


@click.command("demo", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("language", type=click.Choice([*LANGUAGES, "all"]), default="all")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())
@click.option("--window", is_flag=True, help="Open the window on a demonstration corpus instead.")
@click.pass_context
def demo(ctx: click.Context, language: str, folder: Path, window: bool) -> None:
    """Write demo-ja.awase and demo-en.awase to FOLDER (default: here) and print their scores.

    A file that is there already is kept as it is, with all that was done to it.
    """
    from awase.cli.window import print_scores, show_window

    if window:
        check_counts("language", "folder", where=False, needs="files, not with --window")
        show_window(ctx, None, demo=True)
    from awase.jobs.demonstration import demonstration_file, make_demonstration
    from awase.storage.store import CorpusStore

    for name in LANGUAGES if language == "all" else (language,):
        is_kept = demonstration_file(name, folder).exists()
        path = make_demonstration(name, folder, who="")
        say(f"{path}: {'kept as it was' if is_kept else 'written'}\n")
        with CorpusStore.open(path, who="", read_only=True) as store:
            corpus = store.corpus()
        print_scores(corpus)
        say()
