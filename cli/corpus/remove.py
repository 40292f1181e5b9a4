"""`awase remove`: removes parts of a corpus with references to them, undoably."""

from functools import partial

import click

from awase.cli.corpora import opened_store
from awase.cli.options import (
    CommandOptions,
    systems_option,
    topic_option,
    topics_option,
    who_option,
)
from awase.cli.output.messages import say
from awase.storage.addresses import without_password

_EXAMPLES = """\b
Examples:
  awase remove topics tsc3.awase 0310 0320
  awase remove documents tsc3.awase 980101001 --topic 0310
  awase remove systems tsc3.awase lead
  awase remove alignments tsc3.awase A2 --topic 0310
  awase remove human-scores tsc3.awase --measure readability
"""

_WHO = who_option("removes")
_TOPICS = topics_option("Only in this topic; repeatable.")


@click.group("remove", epilog=_EXAMPLES)
def command() -> None:
    """Remove parts of a corpus, with everything that refers to them.

    Each is one act in the corpus's log: awase undo, or Ctrl+Z in the window, takes it back.
    """


@command.command("topics", cls=CommandOptions)
@click.argument("corpus")
@click.argument("ids", nargs=-1, required=True)
@_WHO
def topics(corpus: str, ids: tuple[str, ...], who: str) -> None:
    """Remove topics IDS, with their scores and assignments."""
    _remove(corpus, "topics", ids, who, ids=ids)


@command.command("documents", cls=CommandOptions)
@click.argument("corpus")
@click.argument("ids", nargs=-1, required=True)
@topic_option("Topic of the documents.", is_required=True)
@_WHO
def documents(corpus: str, ids: tuple[str, ...], topic: str, who: str) -> None:
    """Remove documents IDS of a topic, with the links and extract members that lead to them."""
    _remove(corpus, "documents", ids, who, topic_id=topic, ids=ids)


@command.command("abstracts", cls=CommandOptions)
@click.argument("corpus")
@click.argument("ids", nargs=-1, required=True)
@topic_option("Topic of the abstracts.", is_required=True)
@_WHO
def abstracts(corpus: str, ids: tuple[str, ...], topic: str, who: str) -> None:
    """Remove abstracts IDS of a topic, with everybody's alignments."""
    _remove(corpus, "abstracts", ids, who, topic_id=topic, ids=ids)


@command.command("systems", cls=CommandOptions)
@click.argument("corpus")
@click.argument("names", nargs=-1, required=True)
@_TOPICS
@_WHO
def systems(corpus: str, names: tuple[str, ...], topics: tuple[str, ...], who: str) -> None:
    """Remove everything that systems NAMES made; what people said of them stays."""
    _remove(corpus, "systems", names, who, systems=names, topic_ids=topics)


@command.command("alignments", cls=CommandOptions)
@click.argument("corpus")
@click.argument("annotator")
@_TOPICS
@click.option("--abstract", "abstracts", metavar="ID", multiple=True, help="Only of this abstract.")
@_WHO
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


@command.command("human-scores", cls=CommandOptions)
@click.argument("corpus")
@click.option("--measure", "measures", metavar="NAME", multiple=True, help="Of this measure.")
@systems_option("Of this system; repeatable.")
@click.option("--annotator", "annotators", metavar="NAME", multiple=True, help="By this person.")
@_TOPICS
@click.option("--all", "is_all", is_flag=True, help="All of them.")
@_WHO
def human_scores(
    corpus: str,
    measures: tuple[str, ...],
    systems: tuple[str, ...],
    annotators: tuple[str, ...],
    topics: tuple[str, ...],
    is_all: bool,
    who: str,
) -> None:
    """Remove the human scores that fit every option given."""
    named = (*measures, *systems, *annotators, *topics)
    if bool(named) == is_all:
        raise click.UsageError("Say which scores, or --all.")
    _remove(
        corpus, "human_scores", named, who,
        measures=measures, systems=systems, annotators=annotators, topic_ids=topics,
    )  # fmt: skip


def _remove(location: str, what: str, names: tuple[str, ...], who: str, **chosen: object) -> None:
    """Removes by `corpus_edits.without_…`, logged as `verbs.REMOVE_…`; `chosen` goes to it."""
    from awase.cli.output.progress import ProgressBar
    from awase.core.annotation import corpus_edits, verbs

    change = partial(getattr(corpus_edits, f"without_{what}"), **chosen)
    verb = getattr(verbs, f"REMOVE_{what.upper()}")
    with opened_store(location, who=who) as store, ProgressBar("Removing") as bar:
        store.change(change, verb=verb, names=names, who=who, reporter=bar)
    removed = ", ".join(names) or "human scores"
    told = f"{location}: removed {removed}; awase undo {location} brings it back."
    say(without_password(told), err=True)
