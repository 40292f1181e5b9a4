"""Who works on a corpus and on what: `awase people`, `assign`, `hand-out`, `merge`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli import options
from awase.cli.corpora import opened_store, store_to_read
from awase.cli.output.messages import ProgressBar, counted, print_problems, say
from awase.cli.output.report import Output, Report, emit, print_data, report_of
from awase.core.reports.grid import Field, Shown, grid_of_records, records_of, tuple_fields
from awase.storage.addresses import place_of, without_password

if TYPE_CHECKING:
    from awase.core.records.corpus import Corpus, Person
    from awase.core.team.merging import Merged, MergePlan
    from awase.storage.postgresql.setup import Setup
    from awase.storage.store import CorpusStore

    Change = Callable[[Corpus], Corpus]


@options.corpus_command(
    "people",
    "awase people tsc3.awase",
    "awase people tsc3.awase --add L=lead --add A1 --add A2 --blind",
    'awase people tsc3.awase --name "A1=Anna Mori" --remove A2',
)
@click.option(
    "--add", "added", metavar="ID[=ROLE]", multiple=True,
    help="Add a person, or change a role: lead, annotator, adjudicator.",
)  # fmt: skip
@click.option(
    "--name", "names", metavar="ID=NAME", multiple=True, help="Set a person's display name."
)
@click.option(
    "--remove", "removed", metavar="ID", multiple=True, help="Remove a person from the project."
)
@click.option("--blind/--open", "is_blind", default=None, help="Hide others' work, or show it.")
@options.who_option("changes it")
@options.output_options()
def people(
    corpus: str,
    added: tuple[str, ...],
    names: tuple[str, ...],
    removed: tuple[str, ...],
    is_blind: bool | None,
    who: str,
    output: Output,
) -> None:
    """Show or change who works on CORPUS.

    Roles in a file are a convention, not protection. What a removed person aligned stays; their
    assignments are removed. If no people are listed, anyone who opens the corpus can do everything.
    """
    from awase.core.records.edits import EDIT_PROJECT

    def change(before: "Corpus") -> "Corpus":
        return _changed(before, added, names, removed, is_blind)

    is_change = bool(added or names or removed or is_blind is not None)
    options.check_counts("who", where=is_change, needs="a change")
    with opened_store(corpus, who=who, read_only=not is_change) as store:
        if is_change:
            told = (*added, *names, *removed)
            with ProgressBar("Changing") as bar:
                store.change(change, verb=EDIT_PROJECT, names=told, who=who, reporter=bar)
        report = _report_of_people(store.corpus())
    emit(report, output)


def _changed(
    corpus: "Corpus",
    added: tuple[str, ...],
    names: tuple[str, ...],
    removed: tuple[str, ...],
    is_blind: bool | None,
) -> "Corpus":
    from awase.core.records.corpus import Person
    from awase.core.team.assigning import with_person, without_person

    for text in added:
        person_id, _, role = text.partition("=")
        known = next((one for one in corpus.persons if one.id == person_id), Person(id=person_id))
        corpus = with_person(corpus, replace(known, role=role or known.role))
    for text in names:
        person_id, _, name = text.partition("=")
        known = next((one for one in corpus.persons if one.id == person_id), Person(id=person_id))
        corpus = with_person(corpus, replace(known, name=name or None))
    for person_id in removed:
        corpus = without_person(corpus, person_id)
    return corpus if is_blind is None else replace(corpus, is_blind=is_blind)


def _report_of_people(corpus: "Corpus") -> Report:
    from awase.core.team.assigning import jobs_of

    seen = "Others' work is hidden." if corpus.is_blind else "Whoever settled a sentence sees it."
    fields: list[Field[Person]] = [
        Field("id", "person"),
        Field("name", "name"),
        Field("role", "role"),
        Field("abstracts", "abstracts", lambda one: len(jobs_of(corpus, one.id)), is_number=True),
    ]
    people = corpus.persons

    def shown() -> Shown:
        if not people:
            return ["No people are listed: anyone who opens the corpus can do everything."]
        return [grid_of_records(fields, people), seen]

    json = {"blind": corpus.is_blind, "persons": [*records_of(fields, people)]}
    return report_of(fields, people, shown=shown, json=json.items, notes=(seen,))


_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _date(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    from awase.core.team.assigning import check_due

    if value is None:
        return None
    try:
        if not _DATE.fullmatch(value):
            raise ValueError
        day = date.fromisoformat(value).isoformat()
    except ValueError:
        raise click.BadParameter("write a day as 2026-12-18") from None
    check_due(day, date.today().isoformat())
    return day


@options.corpus_command(
    "assign",
    "awase assign tsc3.awase --to A1,A2,A3 --calibrate 2",
    "awase assign tsc3.awase --overlap 20 --readers 2 --seed 7 --due 2026-12-18",
    "awase assign tsc3.awase --take-over A3",
    "awase assign postgresql://A1@server/tsc3 --next",
    "awase assign tsc3.awase --second 20 --to A1,A2 --seed 7",
)
@click.option("--to", "people", metavar="A1,A2", help="People; all annotators if left out.")
@options.topics_option()
@options.length_option()
@click.option("--overlap", type=float, default=0, help="Percentage read by several people.")
@click.option(
    "--readers", type=int, default=2, show_default=True, help="Number of readers of these."
)
@click.option("--calibrate", type=click.IntRange(1), help="N topics that everybody does first.")
@click.option("--most", type=click.IntRange(1), help="Maximum number of abstracts per person.")
@click.option("--due", metavar="DATE", callback=_date, help="Due date: 2026-12-18.")
@options.seed_option(1, "Seed of the random numbers.")
@click.option("--take-over", "leaver", metavar="PERSON", help="Reassign what PERSON has not begun.")
@click.option(
    "--next",
    "takes_next",
    is_flag=True,
    help="Take the next free topic, or give one to each of --to.",
)
@click.option(
    "--second",
    "share",
    type=click.FloatRange(0, 100, min_open=True),
    metavar="PERCENT",
    help="Percentage of finished work to be read again, as work of A1#2.",
)
@click.option(
    "--after",
    "days",
    type=click.IntRange(0),
    metavar="DAYS",
    default=14,
    show_default=True,
    help="Minimum number of days before a second reading.",
)
@options.who_option("assigns")
@options.output_options()
def assign(
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
    takes_next: bool,
    share: float | None,
    days: int,
    who: str,
    output: Output,
) -> None:
    """Assign the abstracts of CORPUS that are not yet assigned.

    Existing assignments stay. Everybody gets the same number of abstracts, and any two people share
    the same number; the same seed gives the same assignments. awase undo undoes it in one step.
    """
    from awase.core.records.edits import ASSIGN
    from awase.core.team.assigning import AssignmentRequest, annotators_in, assigned, handed_over
    from awase.core.team.handing_out import next_for_each
    from awase.jobs.team.project_reports import second_readings

    _check_one_of(calibrate=calibrate, take_over=leaver, next=takes_next or None, second=share)
    draws = not (takes_next or leaver or share)
    options.check_counts("topics", "length", where=draws, needs="a draw of open abstracts")
    options.check_counts(
        "overlap", where=draws and calibrate is None, needs="a draw of open abstracts"
    )
    options.check_counts("readers", where=draws and overlap > 0, needs="--overlap")
    options.check_counts("people", where=leaver is None, needs="work that is reassigned")
    options.check_counts("most", where=not (leaver or share), needs="open abstracts")
    options.check_counts(
        "due", where=leaver is None and not (takes_next and not people), needs="new work"
    )
    options.check_counts("seed", where=not takes_next, needs="what is drawn")
    options.check_counts("days", where=share is not None, needs="--second")
    named = tuple(filter(None, map(str.strip, people.split(",")))) if people else ()
    with opened_store(corpus, who=who) as store:
        if takes_next and not named:
            emit(_report_of_next(store, who, most), output)
            return
        before = store.corpus()
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
        change: Change = partial(assigned, request=request)
        names: Sequence[str] = request.people
        if leaver is not None:
            change, names = partial(handed_over, person=leaver, seed=seed), (leaver,)
        elif takes_next:
            change = partial(next_for_each, people=named, most=most, due=due)
        elif share is not None:
            change = second_readings(
                request.people, store.worked_at(), share=share, days=days, due=due, seed=seed
            )
        with ProgressBar("Assigning") as bar:
            store.change(
                change, verb=ASSIGN, names=names, who=who, with_sources=False, reporter=bar
            )
        report = _report_of_assigned(store.corpus())
    emit(report, output)
    say(f"awase undo {without_password(corpus)} undoes it.", err=True)


def _check_one_of(**given: object) -> None:
    """Refuses two ways of assigning."""
    chosen = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if len(chosen) > 1:
        raise click.UsageError(
            f"{chosen[0]} and {chosen[1]} are two actions: do one, then the other."
        )


def _report_of_next(store: "CorpusStore", person: str, most: int | None) -> Report:
    """Assigns the next free topic to the person."""
    taken, _ = store.take_next(who=store.person() or person, most=most)
    topic, new = taken.next
    text = (
        f"{topic}: {counted(len(new), 'abstract is', 'abstracts are')} yours now."
        if new
        else f"{topic} is yours already, and you have not begun it."
    )
    json = {"topic": topic, "taken": [one.abstract for one in new]}
    return report_of(tuple_fields("topic"), [(topic,)], shown=lambda: [text], json=json.items)


def _report_of_assigned(corpus: "Corpus") -> Report:
    from awase.core.team.assigning import jobs_of, unassigned

    again = [f"{one.person}#{one.round}" for one in corpus.assignments if one.round > 1]
    jobs = {one.id: len(jobs_of(corpus, one.id)) for one in corpus.persons} | Counter(again)
    rows = [(person, n) for person, n in jobs.items() if n]
    n_left = len(unassigned(corpus))
    fields = tuple_fields("person", "abstracts")

    def shown() -> Shown:
        yield from (f"{person}: {counted(n, 'abstract')}" for person, n in rows)
        if n_left:
            yield f"{counted(n_left, 'abstract is', 'abstracts are')} not assigned."

    json = {"people": [*records_of(fields, rows)], "unassigned": n_left}
    return report_of(fields, rows, shown=shown, json=json.items)


@options.corpus_command("hand-out", "awase hand-out tsc3.awase --to A2 a2.awase")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--to", "person", metavar="PERSON", required=True, help="Person who gets the file.")
@options.who_option("hands out")
def hand_out(corpus: str, file: Path, person: str, who: str) -> None:
    """Write PERSON's topics and alignments from CORPUS into the new FILE.

    It does not contain others' alignments, the gold or human scores. Without assignments it has
    every topic. Use awase merge to merge it back.
    """
    from awase.jobs.team import copies

    opened = store_to_read(corpus)
    with opened as store, ProgressBar("Handing out") as bar:
        made = copies.hand_out(store, person, file, who=who, reporter=bar)
    topics = counted(made.n_topics, "topic")
    say(f"{file}: {topics}, {counted(made.n_sentences, 'abstract sentence')}.")


@options.command(
    "merge",
    "awase merge tsc3.awase a1.awase a2.awase a3.awase",
    "awase merge tsc3.awase a2.awase --preview",
    "awase merge tsc3.awase anna.awase --as Anna=A1",
)
@click.argument("main")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--preview", "is_preview", is_flag=True, help="Only show what would be done.")
@click.option(
    "--as", "names", metavar="THEIRS=OURS", multiple=True,
    help="Import the work of annotator THEIRS as that of OURS.",
)  # fmt: skip
@options.who_option("takes back")
@options.output_options()
def merge(
    main: str,
    files: tuple[Path, ...],
    is_preview: bool,
    names: tuple[str, ...],
    who: str,
    output: Output,
) -> None:
    """Merge FILES, copies of MAIN that people worked on, into MAIN: all of them, or none.

    It can be repeated, and undone with awase undo. If one person worked in two places, both are
    kept, the second as PERSON~2. A backup is made first.
    """
    from awase.jobs.team.copies import preview, take_back

    called = dict(_pair(name) for name in names)
    opened = opened_store(main, who=who, read_only=is_preview)
    with opened as store, ProgressBar("Taking back") as bar:
        if is_preview:
            plan = preview(store, files, names=called, reporter=bar)
        else:
            plan, _ = take_back(store, files, who=who, names=called, reporter=bar)
    emit(_report(main, plan, is_preview=is_preview), output)


def _pair(text: str) -> tuple[str, str]:
    theirs, separator, ours = text.partition("=")
    if not (theirs and separator and ours):
        raise click.UsageError(f"--as {text}: write it as THEIRS=OURS.")
    return theirs, ours


def _report(main: str, plan: "MergePlan", *, is_preview: bool) -> Report:
    from awase.core.team.merging import MergeOutcome

    fields: list[Field[Merged]] = [
        *(
            Field(name, value=attrgetter(f"key.{name}"))
            for name in ("topic", "abstract", "annotator", "n")
        ),
        Field("fate", value=lambda one: one.fate.value),
        Field("kept_as"),
    ]

    def shown() -> Shown:
        print_problems("warning", plan.remarks)
        outcomes = {fate: f"{plan.count(fate)} {fate.value}" for fate in MergeOutcome}
        conflict = MergeOutcome.CONFLICT  # the only one that is a noun
        outcomes[conflict] = counted(plan.count(conflict), conflict.value)
        counts = ", ".join(outcomes.values())
        scores = f", {counted(plan.n_human_scores, 'human score')}" if plan.n_human_scores else ""
        word = "would be taken back" if is_preview else "taken back"
        return [f"{without_password(main)}: {word}: {counts}{scores}."]

    def json() -> Iterator[tuple[str, object]]:
        yield "entries", records_of(fields, plan.entries)
        yield "human_scores", plan.n_human_scores
        yield "warnings", [*map(str, plan.remarks)]

    return report_of(fields, plan.entries, shown=shown, json=json)


@options.command(
    "server-setup",
    "awase server-setup postgresql://postgres@server/tsc3 --lead L --annotator A1 > setup.sql",
    "awase server-setup postgresql://postgres@server/tsc3 --apply --passwords people.pgpass",
)
@click.argument("url")
@click.option(
    "--annotator", "annotators", metavar="ID", multiple=True, help="Writes their own alignments."
)
@click.option(
    "--adjudicator", "adjudicators", metavar="ID", multiple=True, help="Writes the gold, too."
)
@click.option("--lead", "leads", metavar="ID", multiple=True, help="Writes everything.")
@click.option("--name", default="", help="Name of the corpus, if there is none yet.")
@click.option("--apply", "is_applied", is_flag=True, help="Run the SQL instead of printing it.")
@click.option(
    "--passwords", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="With --apply: give new people passwords, written to this new file, one per line.",
)  # fmt: skip
@options.who_option("does it")
def server_setup(
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

    It creates the tables and an empty corpus if there is none, a role for each person of the
    corpus and of the options, and row level security: everybody reads everything, the database
    lets each person write their own work. Run it again after people join or leave.
    URL is for a user who may create roles; run the printed SQL with the server's program psql.
    """
    from awase.core.records.corpus import Person
    from awase.storage.postgresql.setup import plan_setup

    if passwords is not None and not is_applied:
        raise click.UsageError("--passwords needs --apply.")
    named = (("annotator", annotators), ("adjudicator", adjudicators), ("lead", leads))
    people = [Person(id=person, role=role) for role, persons in named for person in persons]
    setup = plan_setup(url, people, name=name or "corpus", who=who)
    if not is_applied:
        print_data([setup.script()])
        return
    _apply_setup(url, setup, passwords)


def _apply_setup(url: str, setup: "Setup", file: Path | None) -> None:
    from awase.jobs.files.writing import not_writable, write_for_me_alone
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
