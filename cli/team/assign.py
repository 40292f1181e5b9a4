"""`awase assign`: who is to align what."""

import re
from typing import TYPE_CHECKING

import click

from awase.cli.arguments.vocabulary import (
    Spelled,
    length_option,
    output_options,
    seed_option,
    topics_option,
    who_option,
)

if TYPE_CHECKING:
    from awase.cli.output.forms import Found, Output
    from awase.core.records.corpus import Corpus

_EXAMPLES = """\b
Examples:
  awase assign tsc3.awase --to A1,A2,A3 --calibrate 2
  awase assign tsc3.awase --overlap 20 --readers 2 --seed 7 --due 2026-12-18
  awase assign tsc3.awase --take-over A3
"""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _date(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    from datetime import date

    if value is None:
        return None
    try:
        if not _DATE.fullmatch(value):
            raise ValueError
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise click.BadParameter("write a day as 2026-12-18") from None


@click.command("assign", cls=Spelled, epilog=_EXAMPLES)
@click.argument("corpus")
@click.option("--to", "people", metavar="A1,A2", help="Who; all annotators when left out.")
@topics_option()
@length_option()
@click.option("--overlap", type=float, default=0, help="Percentage that several people read.")
@click.option("--readers", type=int, default=2, show_default=True, help="How many read these.")
@click.option("--calibrate", type=click.IntRange(1), help="N topics, first and for everybody.")
@click.option("--most", type=click.IntRange(1), help="The most abstracts that anybody may have.")
@click.option("--due", metavar="DATE", callback=_date, help="When it is to be done: 2026-12-18.")
@seed_option(1, "Of the draw.")
@click.option("--take-over", "leaver", metavar="PERSON", help="Share out what PERSON never began.")
@who_option("assigns")
@output_options()
def command(
    corpus: str,
    people: str | None,
    topics: tuple[str, ...],
    length: str | None,
    overlap: float,
    readers: int,
    calibrate: int | None,
    most: int | None,
    due: str | None,
    seed: int,
    leaver: str | None,
    who: str | None,
    output: "Output",
) -> None:
    """Share out the abstracts of CORPUS that are nobody's work yet.

    What is assigned stays where it is. Everybody gets as many abstracts as the others, and any two
    share as many; the same seed shares out the same. It is one act, which awase undo takes back.
    """
    from functools import partial

    from awase.cli.corpus.importing import user_name
    from awase.cli.output.forms import give
    from awase.core.annotation.corpus_edits import ASSIGN
    from awase.core.project.assigning import AssignmentRequest, assigned, handed_over
    from awase.core.project.people import annotators_in
    from awase.jobs.changing import change_corpus
    from awase.storage.store import CorpusStore

    person = who or user_name()
    with CorpusStore.open(corpus, who=person) as store:
        before = store.corpus()
        named = tuple(filter(None, map(str.strip, people.split(",")))) if people else ()
        request = AssignmentRequest(
            people=named or annotators_in(before),
            topics=topics,
            length=length,
            overlap=overlap,
            readers=readers,
            calibration=calibrate or 0,
            most=most,
            due=due,
            seed=seed,
        )
        change = partial(assigned, request=request)
        if leaver is not None:
            change = partial(handed_over, person=leaver, seed=seed)
        names = (leaver,) if leaver else request.people
        change_corpus(store, change, verb=ASSIGN, names=names, who=person)
        after = store.corpus()
    give(_found(after), output)
    click.echo(f"awase undo {corpus} takes it back.", err=True)


def _found(corpus: "Corpus") -> "Found":
    from awase.cli.output.forms import of_records
    from awase.core.project.assigning import jobs_of, unassigned

    jobs = {one.id: len(jobs_of(corpus, one.id)) for one in corpus.persons}
    records = [{"person": person, "abstracts": n} for person, n in jobs.items() if n]
    n_left = len(unassigned(corpus))

    def print_lines() -> None:
        for one in records:
            click.echo(f"{one['person']}: {one['abstracts']} abstracts")
        if n_left:
            click.echo(f"{n_left} abstracts are nobody's yet.")

    result = {"people": records, "unassigned": n_left}
    return of_records(print_lines, result, records, columns=("person", "abstracts"))
