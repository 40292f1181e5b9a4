"""`awase server-setup`: a team's database with roles and rights."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli.options import CommandOptions, who_option
from awase.cli.output.messages import say

if TYPE_CHECKING:
    from awase.storage.postgresql.setup import Setup

_EXAMPLES = """\b
Examples:
  awase server-setup postgresql://postgres@server/tsc3 --lead L --annotator A1 > setup.sql
  awase server-setup postgresql://postgres@server/tsc3 --apply --passwords people.pgpass
"""


@click.command(
    "server-setup", cls=CommandOptions, short_help="Prepare a server for a team.", epilog=_EXAMPLES
)
@click.argument("url")
@click.option(
    "--annotator", "annotators", metavar="ID", multiple=True, help="Writes their own alignments."
)
@click.option(
    "--adjudicator", "adjudicators", metavar="ID", multiple=True, help="Writes the gold, too."
)
@click.option("--lead", "leads", metavar="ID", multiple=True, help="Writes everything.")
@click.option("--name", default="", help="Of the corpus, where there is none yet.")
@click.option("--apply", "is_applied", is_flag=True, help="Do it; it is printed only otherwise.")
@click.option(
    "--passwords", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="With --apply: give new people passwords, written into this new file, a line each.",
)  # fmt: skip
@who_option("does it")
def command(
    url: str,
    annotators: tuple[str, ...],
    adjudicators: tuple[str, ...],
    leads: tuple[str, ...],
    name: str,
    is_applied: bool,
    passwords: Path | None,
    who: str,
) -> None:
    """Print the SQL that prepares the database at URL for a team, or run it.

    It makes the tables and an empty corpus where there is none, a role for each person of the
    corpus and of the options, and row level security: everybody reads everything, the database
    lets each person write what is theirs. It can be run again after people came or went.
    URL is of somebody who may make roles; the server's program psql takes what is printed.
    """
    from awase.cli.output.render import print_pieces
    from awase.core.records.project import Person
    from awase.storage.postgresql.setup import plan_setup

    if passwords is not None and not is_applied:
        raise click.UsageError("--passwords needs --apply.")
    named = (("annotator", annotators), ("adjudicator", adjudicators), ("lead", leads))
    people = [Person(id=person, role=role) for role, persons in named for person in persons]
    setup = plan_setup(url, people, name=name or "corpus", who=who)
    if not is_applied:
        print_pieces([setup.script()])
        return
    _apply(url, setup, passwords)


def _apply(url: str, setup: "Setup", file: Path | None) -> None:
    from awase.jobs.files.writing import not_writable, write_for_me_alone
    from awase.storage.addresses import place_of
    from awase.storage.postgresql.setup import apply_setup, new_passwords, pgpass_lines

    words = new_passwords(setup.new_people) if file is not None else {}
    if file is not None:
        place, _ = place_of(url)
        try:
            write_for_me_alone(file, pgpass_lines(words, place.host, place.port, place.database))
        except OSError as error:
            raise not_writable(file, error) from error
    try:
        apply_setup(url, setup, words)
    except BaseException:
        if file is not None:
            file.unlink(missing_ok=True)  # of roles that there are not
        raise
    made = "a new corpus" if setup.tables else "the corpus"
    say(f"{made} is ready; new roles: {', '.join(setup.new_people) or 'none'}.")
    if file is not None:
        say(f"{file}: a password for each; give people their line for ~/.pgpass.")
