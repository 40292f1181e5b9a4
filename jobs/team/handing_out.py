"""Handing work out to one person, as a file of their own."""

from dataclasses import dataclass, replace
from pathlib import Path

from awase.core.progress import Reporter
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import each_of
from awase.storage.new_corpus import create_copy
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
    n_sentences = 0

    def counted(topic: Topic) -> Topic:
        nonlocal n_sentences
        n_sentences += sum(len(abstract.sentences) for abstract in topic.abstracts)
        return topic

    with store.copy_for(person) as copy:
        topics = copy.corpus.topics
        corpus = copy.corpus.with_topics(each_of(topics, counted))
        create_copy(target, replace(copy, corpus=corpus), who=who, reporter=reporter)
    return HandedOut(path=target, n_topics=len(topics), n_sentences=n_sentences)
