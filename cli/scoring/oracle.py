"""`awase oracle`: the extractive oracles of the abstracts, as a table or as a file to reuse."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.corpora import open_corpus, subset_for
from awase.cli.options import (
    EDU_FILE,
    ENGINES,
    CommandOptions,
    check_counts,
    edus_option,
    output_options,
    seconds_allowed,
    supplier_for,
    time_limit_options,
    topics_option,
    workers_for,
    workers_options,
)
from awase.cli.output.messages import (
    EXIT_INTERRUPTED,
    ProgressBar,
    counted,
    one_line,
    print_problems,
    say,
)
from awase.cli.output.report import Output, Report, emit, report_of
from awase.core.errors import NOTHING, Problem
from awase.core.reports.grid import Field, Shown, grid_of_records

if TYPE_CHECKING:
    from awase.core.metrics.kit.extractive import FoundOracle
    from awase.jobs.oracles import FoundOracles


_EXAMPLES = """\b
Examples:
  awase oracle tsc3.awase
  awase oracle tsc3.awase --oracle rouge-1 --unit sentence --limit 100w --stem --texts
  awase oracle tsc3.awase -o oracles.json
  awase score tsc3.awase -m pseudo-pyramid --oracles oracles.json
"""


@click.command("oracle", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
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
@edus_option("--unit edu-file")
@topics_option()
@click.option("--optima", metavar="N", type=click.IntRange(1, 100_000), default=1_000,
              show_default=True, help="List at most so many equally good oracles.")  # fmt: skip
@time_limit_options(
    "For each oracle that is not easy; then its bound is shown.",
    "Prove every oracle, and the choice among equals, however long it takes.",
)
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True,
              help="Solver.")  # fmt: skip
@workers_options()
@click.option("--texts", is_flag=True, help="Print the oracles' units, too.")
@output_options()
def command(
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
    settle: bool,
    time_limit: float | None,
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

    check_counts("edus", where=unit == EDU_FILE, needs=f"--unit {EDU_FILE}")
    check_counts("texts", where=output.form.value == "table", needs="--output-format table")
    effort = OracleEffort(
        time_limit_s=seconds_allowed(time_limit, settle=settle),
        max_optima=optima,
        engine=engine,
    )
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
    supplier = supplier_for(opened.supplies, (), edus=edus)
    with workers_for(processes, cluster) as workers, ProgressBar("Finding oracles") as bar:
        done = find_oracles(
            subset_for(opened.corpus, topics).part_of(opened.corpus),
            request,
            bar,
            supplier,
            workers,
        )
    found = done.oracles
    warnings = tuple(chain(opened.warnings, _warnings(found)))
    print_problems("warning", warnings)
    if output.target is None or not done.is_stopped:
        emit(_report(done, warnings, with_texts=texts), output)
    if output.target is not None and not done.is_stopped:
        say(f"{output.target.path}: {counted(len(found), 'oracle')} written.", err=True)
    if done.is_stopped:
        say("Stopped; the other oracles were not looked for.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def _report(done: "FoundOracles", warnings: Sequence[Problem], *, with_texts: bool) -> Report:
    from awase.core.metrics.kit.extractive import oracle_record, oracles_record

    found, signature = done.oracles, done.signature

    def shown() -> Shown:
        yield grid_of_records(_FIELDS, found)
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


def _warnings(found: "Sequence[FoundOracle]") -> Iterator[Problem]:
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


def _recall(one: "FoundOracle") -> str:
    oracle = one.oracle
    at_most = "" if oracle.is_proved else f"≤{oracle.upper / oracle.total:.4f} "
    return at_most + (f"{oracle.value / oracle.total:.4f}" if oracle.total else "undefined")


def _loss(best: int, found: int) -> str:
    return f"{1 - found / best:.1%}" if best else NOTHING


_FIELDS: "list[Field[FoundOracle]]" = [
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
