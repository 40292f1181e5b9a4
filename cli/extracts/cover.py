"""`awase cover`: the minimal covers of the abstracts, as a table or JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import open_corpus, with_topics
from awase.cli.arguments.options import (
    CommandOptions,
    output_options,
    seconds_allowed,
    time_limit_options,
    topics_option,
)
from awase.cli.output.messages import EXIT_INTERRUPTED, print_problems, say
from awase.cli.output.progress import ProgressBar
from awase.core.errors import Problem

if TYPE_CHECKING:
    from awase.cli.output.forms import CommandResult, Output
    from awase.core.metrics.extracts.gold import CoverReport
    from awase.jobs.covers import AbstractCover, FoundCovers


_EXAMPLES = """\b
Examples:
  awase cover tsc3.awase
  awase cover tsc3.awase --topic 0310 --exclude 980101001
  awase cover tsc3.awase --annotator all --json
"""


@click.command("cover", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@topics_option()
@click.option("--abstract", "abstracts", metavar="ID", multiple=True,
              help="Only this abstract; repeatable.")  # fmt: skip
@click.option("--annotator", "annotators", metavar="WHOSE", multiple=True,
              help="Whose alignments: first (of each abstract), gold, all, or a name; repeatable.  "
              "[default: first]"
              )  # fmt: skip
@click.option("--exclude", "excluded", metavar="DOCUMENT", multiple=True,
              help="Do without this document; repeatable.")  # fmt: skip
@time_limit_options(
    "For each abstract that is not easy; then bounds on h are shown.",
    "Prove every h, however long it takes.",
)
@output_options()
def command(
    corpus: str,
    topics: tuple[str, ...],
    abstracts: tuple[str, ...],
    annotators: tuple[str, ...],
    excluded: tuple[str, ...],
    time_limit: float | None,
    settle: bool,
    output: "Output",
) -> None:
    """Find the minimal covers in CORPUS, an .awase file, a database URL or an Awase JSON file.

    h is the size of a smallest set of source sentences that holds a whole alternative of every
    abstract sentence. Ctrl+C ends the search and prints what is known by then.
    """
    from awase.cli.output.forms import give
    from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
    from awase.jobs.covers import CoverRequest, find_covers

    opened = open_corpus(corpus)
    request = CoverRequest(
        abstracts=abstracts,
        annotators=annotators or (FIRST_ANNOTATOR,),
        excluded=excluded,
        time_limit_s=seconds_allowed(time_limit, settle=settle),
    )
    with ProgressBar("Covering") as bar:
        found = find_covers(with_topics(opened.corpus, topics), request, bar)
    told = (problem for cover in found.covers for problem in _warnings(cover))
    warnings = tuple(chain(opened.warnings, told))
    print_problems("warning", warnings)
    give(_found_as(found, warnings, with_annotator=request.is_of_several), output)
    if found.is_stopped:
        say(f"Stopped; {len(found.left)} abstracts were not looked at.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def _found_as(
    found: "FoundCovers", warnings: Sequence[Problem], *, with_annotator: bool
) -> "CommandResult":
    from awase.cli.output.forms import of_many_records
    from awase.cli.output.score_output import warning_record

    covers = found.covers
    names = ("topic", "abstract", "annotator") if with_annotator else ("topic", "abstract")
    left = [dict(zip(names, one, strict=False)) for one in found.left]

    def print_table() -> None:
        from awase.cli.output.cover_table import print_cover_table

        print_cover_table(covers, with_annotator=with_annotator)

    def records() -> Iterator[dict[str, object]]:
        return (_record(cover, with_annotator=with_annotator) for cover in covers)

    def json() -> Iterable[tuple[str, object]]:
        told = [("covers", records()), ("warnings", map(warning_record, warnings))]
        return [*told, ("not_looked_at", left)] if found.is_stopped else told

    return of_many_records(
        print_table,
        json,
        records,
        columns=[*next(records(), ())],
        is_complete=not found.is_stopped,
    )


def _warnings(cover: "AbstractCover") -> Iterator[Problem]:
    fields: dict[str, str | int] = {"topic": cover.topic, "abstract": cover.abstract}
    if cover.report is None:
        yield Problem(
            what="h of abstract “{abstract}” of topic “{topic}” is undefined: no sentence has an "
            "alternative.",
            hint="Link its sentences first.",
            fields=fields,
        )
    elif cover.is_provisional:
        unsettled = sorted((*cover.skipped, *cover.unsettled))
        yield Problem(
            what="h of abstract “{abstract}” of topic “{topic}” is provisional: not settled: "
            "{numbers} ({skipped} of them skipped, as they have no alternative).",
            hint="Confirm them, or mark them “no source”.",
            fields={
                **fields,
                "numbers": ", ".join(map(str, unsettled)),
                "skipped": len(cover.skipped),
            },
        )
    if cover.report is not None and not cover.report.conflict:
        yield from _what_is_unknown(cover.report, fields, is_stopped=cover.is_stopped)


def _what_is_unknown(
    report: "CoverReport", fields: Mapping[str, str | int], *, is_stopped: bool
) -> Iterator[Problem]:
    hint = "" if is_stopped else "Allow more time: --time-limit, or --settle."
    if report.h is None:
        yield Problem(
            what="h of abstract “{abstract}” of topic “{topic}” is not proved: "
            "{lower} ≤ h ≤ {upper}.",
            hint=hint,
            fields={**fields, "lower": report.lower or 0, "upper": report.upper or 0},
        )
    elif not report.is_optimal:
        yield Problem(
            what="h of abstract “{abstract}” of topic “{topic}” is proved, but there was no time "
            "to look at its other minimal covers.",
            hint=hint,
            fields=fields,
        )
    elif not report.is_count_exact:
        yield Problem(
            what="Abstract “{abstract}” of topic “{topic}” has more minimal covers than the "
            "{covers} that were counted.",
            fields={**fields, "covers": report.n_covers or 0},
        )


def _record(cover: "AbstractCover", *, with_annotator: bool) -> dict[str, object]:
    report = cover.report
    record: dict[str, object] = {
        "topic": cover.topic,
        "abstract": cover.abstract,
        "h": report.h if report else None,
        "lower": report.lower if report else None,
        "upper": report.upper if report else None,
        "minimal_covers": report.n_covers if report else None,
        "minimal_covers_exact": bool(
            report and report.n_covers is not None and report.is_count_exact
        ),
        "sentences": [str(ref) for ref in report.sentences] if report else [],
        "in_every": [str(ref) for ref in report.in_every] if report else [],
        "in_none": [str(ref) for ref in report.in_none] if report else [],
        "optimal": bool(report and report.is_optimal),
        "infeasible": [*report.conflict] if report else [],
    }
    return {**record, "annotator": cover.annotator} if with_annotator else record
