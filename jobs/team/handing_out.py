"""Handing work out to one person, as a file of their own."""

from dataclasses import dataclass
from pathlib import Path

from awase.core.progress import Reporter
from awase.storage.opening.new_corpus import create_copy
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
    create_copy(target, copy, who=who, reporter=reporter)
    topics = copy.corpus.topics
    n_sentences = sum(len(part.sentences) for topic in topics for part in topic.abstracts)
    return HandedOut(path=target, n_topics=len(topics), n_sentences=n_sentences)
