"""`awase cover`: the minimal covers of the abstracts, as a table or JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import open_corpus, with_topics
from awase.cli.arguments.time_limits import seconds_allowed, time_limit_options
from awase.cli.arguments.vocabulary import Spelled, output_options
from awase.cli.output.cover_table import Cover
from awase.cli.output.failures import EXIT_INTERRUPTED, tell_problems
from awase.cli.output.forms import Found, Output, give, of_records
from awase.cli.output.progress import ProgressBar
from awase.cli.output.score_output import warning_record
from awase.core.errors import InputError, Problem
from awase.core.metrics.extracts.gold import gold_of
from awase.core.metrics.extracts.minimal_cover import CoverReport
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.jobs.subset import check_known

if TYPE_CHECKING:
    from awase.core.solvers.cover.problem import MinimalCover


_EXAMPLES = """\b
Examples:
  awase cover tsc3.awase
  awase cover tsc3.awase --topic 0310 --exclude 980101001
  awase cover tsc3.awase --json
"""


@click.command("cover", cls=Spelled, epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("--topic", "topics", metavar="ID", multiple=True, help="Only this topic; repeatable.")
@click.option("--abstract", "abstracts", metavar="ID", multiple=True,
              help="Only this abstract; repeatable.")  # fmt: skip
@click.option("--annotator", "annotators", metavar="NAME", multiple=True,
              help="Whose alignments; repeatable.  [default: the first of each abstract]"
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
    output_format: str | None,
    as_json: bool,
    output_file: Path | None,
    bom: bool,
) -> None:
    """Find the minimal covers in CORPUS, an .awase file, a database URL or an Awase JSON file.

    h is the size of a smallest set of source sentences that holds a whole alternative of every
    abstract sentence. Ctrl+C ends the search and prints what is known by then.
    """
    output = Output.of(output_format, as_json=as_json, output_file=output_file, bom=bom)
    opened = open_corpus(corpus)
    chosen = with_topics(opened.corpus, topics)
    _check_request(chosen, abstracts, annotators, excluded)
    wanted = [*_wanted(chosen, abstracts, annotators)]
    covers, is_stopped = _found(wanted, excluded, seconds_allowed(time_limit, settle=settle))
    warnings = [*opened.warnings, *(p for cover in covers for p in _warnings(cover))]
    tell_problems("warning", warnings)
    give(_found_as(covers, warnings, with_annotator=len(annotators) > 1), output)
    if is_stopped:
        click.echo(f"Stopped; {len(wanted) - len(covers)} abstracts were not looked at.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def _found(
    wanted: Sequence[tuple[Topic, Abstract, Alignment | None]],
    excluded: tuple[str, ...],
    time_limit_s: float | None,
) -> tuple[list[Cover], bool]:
    """Returns the covers of all, or those up to where Ctrl+C was pressed, and whether it was."""
    covers: list[Cover] = []
    try:
        with ProgressBar("Covering") as bar:
            for idx, (topic, abstract, alignment) in enumerate(wanted):
                still_wanted = partial(bar.advance, idx, len(wanted))
                still_wanted(topic.id)
                cover = _cover(topic, abstract, alignment, excluded, still_wanted, time_limit_s)
                covers.append(cover)
                if cover.is_stopped:
                    return covers, True
    except KeyboardInterrupt:
        return covers, True
    return covers, False


def _found_as(
    covers: Sequence[Cover], warnings: Sequence[Problem], *, with_annotator: bool
) -> Found:
    def print_table() -> None:
        from awase.cli.output.cover_table import print_cover_table

        print_cover_table(covers, with_annotator=with_annotator)

    records = [_record(cover, with_annotator=with_annotator) for cover in covers]
    result = {"covers": records, "warnings": [*map(warning_record, warnings)]}
    return of_records(print_table, result, records)


def _check_request(
    corpus: Corpus,
    abstracts: tuple[str, ...],
    annotators: tuple[str, ...],
    excluded: tuple[str, ...],
) -> None:
    all_abstracts = [abstract for topic in corpus.topics for abstract in topic.abstracts]
    check_known("abstract", abstracts, [abstract.id for abstract in all_abstracts])
    check_known("annotator", annotators, [a.annotator for x in all_abstracts for a in x.alignments])
    check_known("document", excluded, [d.id for topic in corpus.topics for d in topic.documents])
    if not all_abstracts:
        raise InputError.of("There is no abstract to cover.", "Import abstracts first.")


def _wanted(
    corpus: Corpus, abstracts: tuple[str, ...], annotators: tuple[str, ...]
) -> Iterator[tuple[Topic, Abstract, Alignment | None]]:
    for topic in corpus.topics:
        for abstract in topic.abstracts:
            if abstracts and abstract.id not in abstracts:
                continue
            if not annotators:
                yield topic, abstract, next(iter(abstract.alignments), None)
            for annotator in annotators:
                alignment = abstract.alignment_by(annotator)
                if alignment is not None:
                    yield topic, abstract, alignment


def _cover(
    topic: Topic,
    abstract: Abstract,
    alignment: Alignment | None,
    excluded: tuple[str, ...],
    still_wanted: Callable[[str], None],
    time_limit_s: float | None,
) -> Cover:
    from awase.core.metrics.extracts.minimal_cover import cover_problem, cover_report
    from awase.core.solvers.cover.interruptible import wait_for_cover

    known: list[MinimalCover] = []

    def tell_bounds(answer: "MinimalCover") -> None:
        known[:] = [answer]
        still_wanted(f"{abstract.id}: {answer.lower} ≤ h ≤ {answer.upper}")

    gold = gold_of(abstract, alignment)
    report, is_stopped = None, False
    if gold.sentences:
        order = {ref: position for position, ref in enumerate(topic.refs())}
        try:
            problem = cover_problem(gold, excluded)
            answer = wait_for_cover(problem, tell_bounds, time_limit_s=time_limit_s)
        except KeyboardInterrupt:
            if not known:
                raise
            answer, is_stopped = known[0], True
        report = cover_report(gold, answer, order)
    return Cover(
        topic=topic.id,
        abstract=abstract.id,
        annotator=alignment.annotator if alignment else None,
        gold=gold,
        report=report,
        is_stopped=is_stopped,
    )


def _warnings(cover: Cover) -> Iterator[Problem]:
    fields: dict[str, str | int] = {"topic": cover.topic, "abstract": cover.abstract}
    if cover.report is None:
        yield Problem(
            what="h of abstract “{abstract}” of topic “{topic}” is undefined: no sentence has an "
            "alternative.",
            hint="Link its sentences first.",
            fields=fields,
        )
    elif cover.gold.provisional:
        unsettled = sorted((*cover.gold.skipped, *cover.gold.unsettled))
        yield Problem(
            what="h of abstract “{abstract}” of topic “{topic}” is provisional: not settled: "
            "{numbers} ({skipped} of them skipped, as they have no alternative).",
            hint="Confirm them, or mark them “no source”.",
            fields={
                **fields,
                "numbers": ", ".join(map(str, unsettled)),
                "skipped": len(cover.gold.skipped),
            },
        )
    if cover.report is not None and not cover.report.conflict:
        yield from _what_is_unknown(cover.report, fields, is_stopped=cover.is_stopped)


def _what_is_unknown(
    report: CoverReport, fields: Mapping[str, str | int], *, is_stopped: bool
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


def _record(cover: Cover, *, with_annotator: bool) -> dict[str, object]:
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
