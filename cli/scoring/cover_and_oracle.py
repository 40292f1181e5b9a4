"""`awase cover` and `awase oracle`: minimal covers and extractive oracles of the abstracts."""

import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click

from awase.cli import options
from awase.cli.corpora import open_corpus, subset_for
from awase.cli.output.messages import (
    EXIT_INTERRUPTED,
    ProgressBar,
    counted,
    one_line,
    print_problems,
    say,
    warning_record,
)
from awase.cli.output.report import Output, Report, emit, report_of
from awase.core.errors import NOTHING, Problem
from awase.core.reports.grid import PROVISIONAL, Field, Grid, Shown, grid_of_records, records_of

if TYPE_CHECKING:
    from awase.core.metrics.extracts.gold import CoverReport
    from awase.core.metrics.kit.extractive import ReferenceOracle
    from awase.jobs.covers import AbstractCover, CoverResults
    from awase.jobs.oracles import OracleResults


T = TypeVar("T")
_BETWEEN_COLUMNS: Final = 3
_LEAST_COVER: Final = 24


@options.corpus_command(
    "cover",
    "awase cover tsc3.awase",
    "awase cover tsc3.awase --topic 0310 --exclude 980101001",
    "awase cover tsc3.awase --annotator all --json",
)
@options.topics_option()
@click.option("--abstract", "abstracts", metavar="ID", multiple=True,
              help="Only this abstract; repeatable.")  # fmt: skip
@click.option("--annotator", "annotators", metavar="WHOSE", multiple=True,
              help="Whose alignments: first (of each abstract), gold, all, or a name; repeatable.  "
              "[default: first]"
              )  # fmt: skip
@click.option("--exclude", "excluded", metavar="DOCUMENT", multiple=True,
              help="Leave this document out; repeatable.")  # fmt: skip
@options.time_limit_options(
    "For each hard abstract; after that, bounds on h are shown.",
    "Prove every h, however long it takes.",
)
@options.output_options()
def cover_command(
    corpus: str,
    topics: tuple[str, ...],
    abstracts: tuple[str, ...],
    annotators: tuple[str, ...],
    excluded: tuple[str, ...],
    time_limit_s: float | None,
    output: Output,
) -> None:
    """Find the minimal covers in CORPUS, an .awase file, a database URL or an Awase JSON file.

    h is the size of a smallest set of source sentences that holds a whole alternative of every
    abstract sentence. Ctrl+C ends the search and prints what is known by then.
    """
    from awase.core.metrics.kit.outputs import FIRST_ANNOTATOR
    from awase.jobs.covers import CoverRequest, find_covers

    opened = open_corpus(corpus)
    request = CoverRequest(
        abstracts=abstracts,
        annotators=annotators or (FIRST_ANNOTATOR,),
        excluded=excluded,
        time_limit_s=time_limit_s,
    )
    with ProgressBar("Covering") as bar:
        found = find_covers(subset_for(opened.corpus, topics).part_of(opened.corpus), request, bar)
    told = (problem for cover in found.covers for problem in _warnings(cover))
    warnings = tuple(chain(opened.warnings, told))
    print_problems("warning", warnings)
    emit(_report(found, warnings, with_annotator=request.is_of_several), output)
    if found.is_stopped:
        left = counted(len(found.left), "abstract was", "abstracts were")
        say(f"Stopped; {left} not examined.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def _report(found: "CoverResults", warnings: Sequence[Problem], *, with_annotator: bool) -> Report:
    covers, fields = found.covers, _fields(with_annotator=with_annotator)
    names = ("topic", "abstract", "annotator") if with_annotator else ("topic", "abstract")
    left = [dict(zip(names, one, strict=False)) for one in found.left]

    def shown() -> Shown:
        yield _fitted(grid_of_records(fields, covers))
        yield ""
        if any(cover.is_provisional for cover in covers):
            yield f"{PROVISIONAL} provisional: the annotation it is based on is not finished"
        yield _distribution(covers)

    def json() -> Iterator[tuple[str, object]]:
        yield "covers", records_of(fields, covers)
        yield "warnings", map(warning_record, warnings)
        if found.is_stopped:
            yield "not_looked_at", left

    return report_of(
        fields if covers else (),
        covers,
        shown=shown,
        json=json,
        is_complete=not found.is_stopped,
    )


def _fields(*, with_annotator: bool) -> "list[Field[AbstractCover]]":
    def of_report(value: "Callable[[CoverReport], T]", none: T) -> "Callable[[AbstractCover], T]":
        return lambda cover: none if cover.report is None else value(cover.report)

    def refs(name: str) -> "Callable[[AbstractCover], list[str]]":
        return of_report(lambda report: [*map(str, getattr(report, name))], [])

    none: list[int] = []
    fields: list[Field[AbstractCover]] = [
        Field("topic", "topic"),
        Field("abstract", "abstract"),
        *([Field("", "annotator", lambda cover: cover.annotator)] if with_annotator else []),
        Field("h", "h", of_report(lambda report: report.h, None), _h, is_number=True),
        Field("lower", value=of_report(lambda report: report.lower, None)),
        Field("upper", value=of_report(lambda report: report.upper, None)),
        Field("minimal_covers", "covers", of_report(lambda report: report.n_covers, None),
              of_report(_n_covers, ""), is_number=True),
        Field("minimal_covers_exact", value=of_report(
            lambda report: report.n_covers is not None and report.is_count_exact, False)),
        Field("sentences", "one minimal cover", refs("sentences"), of_report(_sentences, "")),
        Field("in_every", value=refs("in_every")),
        Field("in_none", value=refs("in_none")),
        Field("optimal", value=of_report(lambda report: bool(report.is_optimal), False)),
        Field("infeasible", value=of_report(lambda report: [*report.conflict], none)),
    ]  # fmt: skip
    return [*fields, Field("annotator")] if with_annotator else fields


def _h(cover: "AbstractCover") -> str:
    mark = PROVISIONAL if cover.is_provisional else " "
    report = cover.report
    if report is None:
        return f"undefined{mark}"
    if report.conflict:
        return f"none{mark}"
    return f"{report.h if report.h is not None else f'{report.lower}–{report.upper}'}{mark}"


def _n_covers(report: "CoverReport") -> str:
    if report.n_covers is None:
        return ""
    return f"{'' if report.is_count_exact else '≥'}{report.n_covers:,}"


def _sentences(report: "CoverReport") -> str:
    if report.conflict:
        return f"nothing covers sentences {', '.join(map(str, report.conflict))}"
    return " ".join(map(str, report.sentences))


def _fitted(grid: Grid) -> Grid:
    """Wraps the covers, the last column, to the terminal's width, 80 in pipes."""
    texts = [[column.title for column in grid.columns]]
    texts += [[cell.text for cell in row] for row in grid.rows]
    widths = [max(map(len, column)) for column in [*zip(*texts, strict=True)][:-1]]
    width = shutil.get_terminal_size().columns - sum(widths) - _BETWEEN_COLUMNS * len(widths)
    width = max(_LEAST_COVER, width)
    rows = tuple(
        (
            *row[:-1],
            replace(row[-1], text=textwrap.fill(row[-1].text, width, break_long_words=False)),
        )
        for row in grid.rows
    )
    return replace(grid, rows=rows)


def _distribution(covers: "Sequence[AbstractCover]") -> str:
    known = Counter(c.report.h for c in covers if c.report and c.report.h is not None)
    parts = [f"{h}: {number}" for h, number in sorted(known.items())]
    n_unknown = len(covers) - known.total()
    parts += [f"without: {n_unknown}"] if n_unknown else []
    return f"h over {counted(len(covers), 'abstract')}  {{{', '.join(parts)}}}"


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
            what="h of abstract “{abstract}” of topic “{topic}” is proved, but time ran out before "
            "its other minimal covers were examined.",
            hint=hint,
            fields=fields,
        )
    elif not report.is_count_exact:
        yield Problem(
            what="Abstract “{abstract}” of topic “{topic}” has more minimal covers than the "
            "{covers} that were counted.",
            fields={**fields, "covers": report.n_covers or 0},
        )


@options.corpus_command(
    "oracle",
    "awase oracle tsc3.awase",
    "awase oracle tsc3.awase --oracle rouge-1 --unit sentence --limit 100w --stem --texts",
    "awase oracle tsc3.awase -o oracles.json",
    "awase score tsc3.awase -m pseudo-pyramid --oracles oracles.json",
)
@click.option("--oracle", metavar="METRIC", default="rouge-2", show_default=True,
              help="What is maximised: rouge-1, rouge-2 or be (which needs parses).")  # fmt: skip
@click.option("--unit", metavar="ID", default="edu", show_default=True,
              help="sentence, edu (rules), edu-parse or edu-file.")  # fmt: skip
@click.option("--limit", metavar="LENGTH", default="reference", show_default=True,
              help="100w (words), 200c (characters), 5s (sentences), or the reference's own.",
              )  # fmt: skip
@click.option("--stem", is_flag=True, help="Stem words as ROUGE does.")
@click.option("--stop", is_flag=True, help="Drop ROUGE's stop words.")
@click.option("--tokens", metavar="ID", default="auto", help="Tokeniser.  [default: by language]")
@options.edus_option("--unit edu-file")
@options.topics_option()
@click.option("--optima", metavar="N", type=click.IntRange(1, 100_000), default=1_000,
              show_default=True, help="List at most this many equally good oracles.")  # fmt: skip
@options.time_limit_options(
    "For each hard oracle; after that, its bound is shown.",
    "Prove every oracle, and the choice among equals, however long it takes.",
)
@click.option("--engine", type=click.Choice(options.ENGINES), default="auto", show_default=True,
              help="Solver.")  # fmt: skip
@options.workers_options()
@click.option("--texts", is_flag=True, help="Also print the units of the oracles.")
@options.output_options()
def oracle_command(
    corpus: str,
    oracle: str,
    unit: str,
    limit: str,
    stem: bool,
    stop: bool,
    tokens: str,
    edus: Path | None,
    topics: tuple[str, ...],
    optima: int,
    time_limit_s: float | None,
    engine: str,
    processes: int | None,
    cluster: str | None,
    texts: bool,
    output: Output,
) -> None:
    """Find, for each reference in CORPUS, the source units within a limit that share most with it.

    References are the abstracts, and texts that outputs bring as references of their own. Ctrl+C
    ends the search and prints what is known by then.
    """
    from awase.core.metrics.kit.extractive import OracleEffort
    from awase.jobs.oracles import find_oracles, oracle_request

    options.check_counts("edus", where=unit == options.EDU_FILE, needs=f"--unit {options.EDU_FILE}")
    options.check_counts("texts", where=output.form.value == "table", needs="--output-format table")
    effort = OracleEffort(time_limit_s=time_limit_s, max_optima=optima, engine=engine)
    request = oracle_request(
        effort,
        oracle=oracle,
        unit=unit,
        limit=limit,
        stem="yes" if stem else "no",
        stop="yes" if stop else "no",
        tokens=tokens,
    )
    opened = open_corpus(corpus, request.supplied_as)
    supplier = options.supplier_for(opened.supplies, (), edus=edus)
    with options.workers_for(processes, cluster) as workers, ProgressBar("Finding oracles") as bar:
        done = find_oracles(
            subset_for(opened.corpus, topics).part_of(opened.corpus),
            request,
            bar,
            supplier,
            workers,
        )
    found = done.oracles
    warnings = tuple(chain(opened.warnings, _oracle_warnings(found)))
    print_problems("warning", warnings)
    if output.target is None or not done.is_stopped:
        emit(_oracle_report(done, warnings, with_texts=texts), output)
    if output.target is not None and not done.is_stopped:
        say(f"{output.target.path}: {counted(len(found), 'oracle')} written.", err=True)
    if done.is_stopped:
        say("Stopped; the remaining oracles were not searched.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def _oracle_report(
    done: "OracleResults", warnings: Sequence[Problem], *, with_texts: bool
) -> Report:
    from awase.core.metrics.kit.extractive import oracle_record, oracles_record

    found, signature = done.oracles, done.signature

    def shown() -> Shown:
        yield grid_of_records(_ORACLE_FIELDS, found)
        for one in found if with_texts else ():
            yield f"\n{one.topic} {one.reference}"
            yield from (f"  {unit.id}  {one_line(unit.text)}" for unit in one.oracle.units)
        yield f"\n{signature}"

    def json() -> Iterable[tuple[str, object]]:
        content = {**oracles_record(signature, ()), "oracles": map(oracle_record, found)}
        return {**content, "signature": signature, "warnings": [*map(str, warnings)]}.items()

    names = [name for one in found[:1] for name in oracle_record(one)]
    return report_of(
        [Field(name, value=itemgetter(name)) for name in names],
        map(oracle_record, found),
        shown=shown,
        json=json,
        notes=(signature,),
        is_complete=not done.is_stopped,
    )


def _oracle_warnings(found: "Sequence[ReferenceOracle]") -> Iterator[Problem]:
    for one in found:
        oracle = one.oracle
        fields: dict[str, str | int] = {"topic": one.topic, "reference": one.reference}
        if not oracle.total:
            yield Problem(
                what="“{reference}” of topic “{topic}” has nothing to count, so it has no oracle.",
                hint="Check the reference, the tokens and the options.",
                fields=fields,
            )
        elif not oracle.upper:
            yield Problem(
                what="No unit within the limit shares anything with “{reference}” of topic "
                "“{topic}”: its oracle is empty.",
                hint="Check the limit ({limit}) and the tokens.",
                fields=fields | {"limit": oracle.limit},
            )
        elif not oracle.is_proved:
            yield Problem(
                what="The oracle of “{reference}” of topic “{topic}” has {value}, and at most "
                "{upper} is possible: time ran out.",
                hint="Allow more time: --time-limit, or --settle.",
                fields=fields | {"value": oracle.value, "upper": oracle.upper},
            )
        elif not oracle.is_settled:
            yield Problem(
                what="The oracle of “{reference}” of topic “{topic}” is proved to be the best; "
                "another as good may be shorter or earlier.",
                hint="Allow more time: --time-limit, or --settle.",
                fields=fields,
            )


def _recall(one: "ReferenceOracle") -> str:
    oracle = one.oracle
    at_most = "" if oracle.is_proved else f"≤{oracle.upper / oracle.total:.4f} "
    return at_most + (f"{oracle.value / oracle.total:.4f}" if oracle.total else "undefined")


def _loss(best: int, found: int) -> str:
    return f"{1 - found / best:.1%}" if best else NOTHING


_ORACLE_FIELDS: "list[Field[ReferenceOracle]]" = [
    Field("", "topic", text=lambda one: one.topic),
    Field("", "reference", text=lambda one: one.reference),
    Field("", "recall", text=_recall, is_number=True),
    Field("", "shared", text=lambda one: f"{one.oracle.value}/{one.oracle.total}", is_number=True),
    Field("", "length", text=lambda one: str(one.oracle.length), is_number=True),
    Field("", "limit", text=lambda one: str(one.oracle.limit), is_number=True),
    Field("", "units", text=lambda one: str(len(one.oracle.units)), is_number=True),
    Field("", "oracles", is_number=True,
          text=lambda one: f"{'' if one.oracle.are_all else '≥'}{len(one.oracle.optima)}"),
    Field("", "greedy loses", is_number=True,
          text=lambda one: _loss(one.oracle.value, one.oracle.greedy)),
    Field("", "by rate", is_number=True,
          text=lambda one: _loss(one.oracle.value, one.oracle.greedy_by_rate)),
]  # fmt: skip
