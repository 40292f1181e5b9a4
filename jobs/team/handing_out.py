"""Handing work out to one person, as a file of their own."""

from dataclasses import dataclass, replace
from pathlib import Path

from awase.core.progress import Reporter
from awase.core.records.edits.addition import addition_of
from awase.storage.new_corpus import create_corpus
from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOut:
    """A file that was handed out.

    Attributes:
        path: The file.
        n_topics: Topics in it.
        n_sentences: Abstract sentences to align.
    """

    path: Path
    n_topics: int
    n_sentences: int


def hand_out(
    store: CorpusStore, person: str, target: Path, *, who: str, reporter: Reporter
) -> HandedOut:
    """Writes a person's topics and their own alignments into a new file.

    Others' alignments, the gold, human scores and the log are not in it.

    Args:
        store: The main file.
        person: Id of the person.
        target: The new file.
        who: Who hands out, for the new file's log.
        reporter: Told of each topic.

    Raises:
        InputError: The person is not of the project, or has no work.
        EnvironmentProblem: `target` exists or cannot be written.
        Cancelled: The reporter asked to stop.
    """
    copy = store.copy_for(person)
    addition = replace(addition_of(copy.corpus), ownership=copy.ownership)
    create_corpus(
        target,
        name=copy.corpus.name,
        who=who,
        addition=addition,
        source="",
        reporter=reporter,
    )
    n_sentences = sum(
        len(abstract.sentences) for topic in copy.corpus.topics for abstract in topic.abstracts
    )
    return HandedOut(path=target, n_topics=len(copy.corpus.topics), n_sentences=n_sentences)
