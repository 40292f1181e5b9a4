"""`awase people`: who works on a corpus, in which role."""

from typing import TYPE_CHECKING

import click

from awase.cli.arguments.corpora import opened_store
from awase.cli.arguments.options import CommandOptions, check_counts, output_options, who_option
from awase.cli.output.messages import say
from awase.cli.output.progress import ProgressBar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from awase.cli.output.forms import CommandResult, Output
    from awase.core.records.corpus import Corpus

_EXAMPLES = """\b
Examples:
  awase people tsc3.awase
  awase people tsc3.awase --add L=lead --add A1 --add A2 --blind
  awase people tsc3.awase --name "A1=Anna Mori" --remove A2
"""


@click.command("people", cls=CommandOptions, epilog=_EXAMPLES)
@click.argument("corpus")
@click.option(
    "--add", "added", metavar="ID[=ROLE]", multiple=True,
    help="Somebody new, or a new role: lead, annotator, adjudicator.",
)  # fmt: skip
@click.option("--name", "names", metavar="ID=NAME", multiple=True, help="What people call them.")
@click.option("--remove", "removed", metavar="ID", multiple=True, help="Not of the project now.")
@click.option("--blind/--open", "is_blind", default=None, help="Others' work is hidden, or not.")
@who_option("changes it")
@output_options()
def command(
    corpus: str,
    added: tuple[str, ...],
    names: tuple[str, ...],
    removed: tuple[str, ...],
    is_blind: bool | None,
    who: str,
    output: "Output",
) -> None:
    """Tell who works on CORPUS, or change it.

    Roles in a file are a courtesy, no protection. What somebody aligned stays when they go; their
    assignments go with them. Where nobody is named, whoever opens the corpus may do everything.
    """
    from awase.cli.output.forms import give
    from awase.core.records.edits.verbs import EDIT_PROJECT
    from awase.jobs.changing import change_corpus

    def change(before: "Corpus") -> "Corpus":
        return _changed(before, added, names, removed, is_blind)

    is_change = bool(added or names or removed or is_blind is not None)
    check_counts("who", where=is_change, needs="a change")
    with opened_store(corpus, who=who, read_only=not is_change) as store:
        if is_change:
            told = (*added, *names, *removed)
            with ProgressBar("Changing") as bar:
                change_corpus(store, change, verb=EDIT_PROJECT, names=told, who=who, reporter=bar)
        found = _found(store.corpus())
    give(found, output)


def _changed(
    corpus: "Corpus",
    added: tuple[str, ...],
    names: tuple[str, ...],
    removed: tuple[str, ...],
    is_blind: bool | None,
) -> "Corpus":
    from dataclasses import replace

    from awase.core.project.people import ANNOTATOR, with_person, without_person
    from awase.core.records.project import Person

    for text in added:
        person_id, _, role = text.partition("=")
        known = next((one for one in corpus.persons if one.id == person_id), Person(id=person_id))
        corpus = with_person(corpus, replace(known, role=role or ANNOTATOR))
    for text in names:
        person_id, _, name = text.partition("=")
        known = next((one for one in corpus.persons if one.id == person_id), Person(id=person_id))
        corpus = with_person(corpus, replace(known, name=name or None))
    for person_id in removed:
        corpus = without_person(corpus, person_id)
    return corpus if is_blind is None else replace(corpus, is_blind=is_blind)


def _found(corpus: "Corpus") -> "CommandResult":
    from awase.cli.output.forms import of_records
    from awase.core.project.assigning import jobs_of

    records: list[dict[str, object]] = [
        {
            "id": one.id,
            "name": one.name,
            "role": one.role,
            "abstracts": len(jobs_of(corpus, one.id)),
        }
        for one in corpus.persons
    ]
    seen = "Others' work is hidden." if corpus.is_blind else "Who settled a sentence sees it."
    return of_records(
        lambda: _print(records, seen),
        {"blind": corpus.is_blind, "persons": records},
        records,
        (seen,),
        columns=("id", "name", "role", "abstracts"),
    )


def _print(people: "Sequence[Mapping[str, object]]", seen: str) -> None:
    from awase.cli.output.tables import print_table
    from awase.core.reports.grid import columns_of

    if not people:
        say("Nobody is named: whoever opens the corpus may do everything.")
        return
    rows = [
        [*(str(one[title] or "") for title in ("id", "name", "role")), str(one["abstracts"])]
        for one in people
    ]
    print_table(columns_of(("person", "name", "role", "abstracts"), 3), [rows])
    say(seen)
