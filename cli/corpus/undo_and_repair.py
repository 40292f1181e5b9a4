"""Steps back, removal and damage: `awase undo`, `redo`, `remove`, `check`, `rescue`, `restore`."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awase.cli import options
from awase.cli.corpora import opened_store, store_to_read
from awase.cli.output.messages import EXIT_DATA, ProgressBar, counted, print_problems, say
from awase.storage.addresses import without_password

if TYPE_CHECKING:  # records take time to load, and help needs none
    from awase.core.records.edits import Edit


_WHO = options.who_option("did it")
_FILE = click.Path(path_type=Path, dir_okay=False)


@options.corpus_command("undo")
@_WHO
def undo(corpus: str, who: str) -> None:
    """Undo the last action of a person in CORPUS: an edit, an import, a removal."""
    with opened_store(corpus, who=who) as store, ProgressBar("Undoing") as bar:
        steps = store.history(who).done
        store.undo(who=who, reporter=bar)
    _print_step(corpus, steps[-1].edit, "undone")


@options.corpus_command("redo")
@_WHO
def redo(corpus: str, who: str) -> None:
    """Redo what was undone last in CORPUS."""
    with opened_store(corpus, who=who) as store, ProgressBar("Redoing") as bar:
        steps = store.history(who).undone
        store.redo(who=who, reporter=bar)
    _print_step(corpus, steps[-1].edit, "redone")


def _print_step(corpus: str, edit: "Edit", what: str) -> None:
    act = f"{without_password(corpus)}: {edit.verb.replace('_', ' ')} {edit.subject}".rstrip()
    say(f"{act}: {what}.", err=True)


@options.corpus_command("check", "awase check tsc3.awase")
def check(corpus: str) -> None:
    """Compare everything in CORPUS with the digests that were stored with it.

    What was changed on disk by other programs is listed, with the newest undamaged backup. The exit
    status is then 1.
    """
    from awase.jobs.checking import check_corpus

    with store_to_read(corpus) as store, ProgressBar("Checking") as bar:
        found = check_corpus(store, bar)
    if not found.damage:
        say(f"{without_password(corpus)}: nothing is damaged.")
        return
    print_problems("damage", found.damage)
    if found.backup is not None:
        say(f"The newest backup without damage: {found.backup}", err=True)
        say(f"To restore it: awase restore {Path(corpus)}", err=True)
    else:
        say(f"What can be read: awase rescue {Path(corpus)} NEW.awase", err=True)
    raise click.exceptions.Exit(EXIT_DATA)


@options.command("rescue", "awase rescue damaged.awase rescued.awase")
@click.argument("damaged", type=_FILE)
@click.argument("corpus", type=_FILE)
@options.who_option("rescues")
def rescue(damaged: Path, corpus: Path, who: str) -> None:
    """Write everything that can be read of DAMAGED into the new file CORPUS.

    DAMAGED is not changed. What could not be read is reported.
    """
    from awase.jobs import checking

    with ProgressBar("Rescuing") as bar:
        rescued = checking.rescue(damaged, corpus, who=who, reporter=bar)
    print_problems("lost", rescued.lost)
    topics = counted(rescued.n_topics, "topic")
    say(f"{corpus}: {topics}, {counted(rescued.n_entries, 'aligned sentence')}.")


@options.command(
    "restore",
    "awase restore tsc3.awase",
    "awase restore tsc3.awase tsc3.awase-backups/20261127T093000Z-1204.awase",
)
@click.argument("corpus", metavar="FILE", type=_FILE)
@click.argument("backup", required=False, type=_FILE)
def restore(corpus: Path, backup: Path | None) -> None:
    """Replace the corpus FILE with BACKUP.

    BACKUP is the newest undamaged one in FILE-backups, unless it is named. The current FILE is kept
    beside it under a dated name, with what SQLite keeps beside it: never copy a backup over a
    corpus by hand.
    """
    from awase.jobs import checking

    with ProgressBar("Restoring") as bar:
        done = checking.restore(corpus, backup, bar)
    say(str(done))


_WHO_REMOVES = options.who_option("removes")
_TOPICS = options.topics_option("Only in this topic; repeatable.")


@click.group(
    "remove",
    epilog=options.examples(
        "awase remove topics tsc3.awase 0310 0320",
        "awase remove documents tsc3.awase 980101001 --topic 0310",
        "awase remove systems tsc3.awase lead",
        "awase remove alignments tsc3.awase A2 --topic 0310",
        "awase remove human-scores tsc3.awase --measure readability",
    ),
)
def command() -> None:
    """Remove parts of a corpus, with everything that refers to them.

    Each is one action in the corpus's log: awase undo, or Ctrl+Z in the window, undoes it.
    """


@command.command("topics", cls=options.CommandOptions)
@click.argument("corpus")
@click.argument("ids", nargs=-1, required=True)
@_WHO_REMOVES
def topics(corpus: str, ids: tuple[str, ...], who: str) -> None:
    """Remove topics IDS, with their scores and assignments."""
    _remove(corpus, "topics", ids, who, ids=ids)


@command.command("documents", cls=options.CommandOptions)
@click.argument("corpus")
@click.argument("ids", nargs=-1, required=True)
@options.topic_option("Topic of the documents.", is_required=True)
@_WHO_REMOVES
def documents(corpus: str, ids: tuple[str, ...], topic: str, who: str) -> None:
    """Remove documents IDS of a topic, with the links and extract members that refer to them."""
    _remove(corpus, "documents", ids, who, topic_id=topic, ids=ids)


@command.command("abstracts", cls=options.CommandOptions)
@click.argument("corpus")
@click.argument("ids", nargs=-1, required=True)
@options.topic_option("Topic of the abstracts.", is_required=True)
@_WHO_REMOVES
def abstracts(corpus: str, ids: tuple[str, ...], topic: str, who: str) -> None:
    """Remove abstracts IDS of a topic, with everybody's alignments."""
    _remove(corpus, "abstracts", ids, who, topic_id=topic, ids=ids)


@command.command("systems", cls=options.CommandOptions)
@click.argument("corpus")
@click.argument("names", nargs=-1, required=True)
@_TOPICS
@_WHO_REMOVES
def systems(corpus: str, names: tuple[str, ...], topics: tuple[str, ...], who: str) -> None:
    """Remove all outputs of systems NAMES; their human scores stay."""
    _remove(corpus, "systems", names, who, systems=names, topic_ids=topics)


@command.command("alignments", cls=options.CommandOptions)
@click.argument("corpus")
@click.argument("annotator")
@_TOPICS
@click.option("--abstract", "abstracts", metavar="ID", multiple=True, help="Only of this abstract.")
@_WHO_REMOVES
def alignments(
    corpus: str,
    annotator: str,
    topics: tuple[str, ...],
    abstracts: tuple[str, ...],
    who: str,
) -> None:
    """Remove the alignments of ANNOTATOR, everywhere or where the options say."""
    _remove(
        corpus, "alignments", (annotator,), who,
        annotator=annotator, topic_ids=topics, abstract_ids=abstracts,
    )  # fmt: skip


@command.command("human-scores", cls=options.CommandOptions)
@click.argument("corpus")
@click.option("--measure", "measures", metavar="NAME", multiple=True, help="Of this measure.")
@options.systems_option("Of this system; repeatable.")
@click.option("--annotator", "annotators", metavar="NAME", multiple=True, help="By this person.")
@_TOPICS
@click.option("--all", "is_all", is_flag=True, help="All of them.")
@_WHO_REMOVES
def human_scores(
    corpus: str,
    measures: tuple[str, ...],
    systems: tuple[str, ...],
    annotators: tuple[str, ...],
    topics: tuple[str, ...],
    is_all: bool,
    who: str,
) -> None:
    """Remove the human scores that match all options given."""
    named = (*measures, *systems, *annotators, *topics)
    if bool(named) == is_all:
        raise click.UsageError("Choose the scores, or use --all.")
    _remove(
        corpus, "human_scores", named, who,
        measures=measures, systems=systems, annotators=annotators, topic_ids=topics,
    )  # fmt: skip


def _remove(location: str, what: str, names: tuple[str, ...], who: str, **chosen: object) -> None:
    """Removes by `content.without_…`, logged as `edits.REMOVE_…`; `chosen` goes to it."""
    # By their names: without_topics, without_documents, without_abstracts, without_systems,
    # without_alignments, without_human_scores.
    from awase.core.annotation import content
    from awase.core.records import edits

    change = partial(getattr(content, f"without_{what}"), **chosen)
    verb = getattr(edits, f"REMOVE_{what.upper()}")
    with opened_store(location, who=who) as store, ProgressBar("Removing") as bar:
        store.change(change, verb=verb, names=names, who=who, reporter=bar)
    removed = ", ".join(names) or "human scores"
    it = "it" if len(names) == 1 else "them"
    told = f"{location}: removed {removed}; awase undo {location} restores {it}."
    say(without_password(told), err=True)
