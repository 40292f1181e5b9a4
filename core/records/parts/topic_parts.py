"""The parts in which two states of a topic differ, so that an edit holds these and nothing else."""

from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from awase.core.records.abstract import Abstract
from awase.core.records.output import Output
from awase.core.records.source import Document
from awase.core.records.topic import Topic

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Generic[_Part]):
    """Neighbouring parts of one kind.

    Attributes:
        at: Position of the first one among the topic's, from 0.
        parts: In their order; may be empty, where parts are to be put in or were taken out.
    """

    at: int = 0
    parts: tuple[_Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicParts:
    """What an edit of a topic replaces, or puts in its place.

    Attributes:
        title: The topic's title.
        language: The topic's language.
        documents: From the first one that differs to the last.
        abstracts: Likewise, with their alignments.
        outputs: Likewise.
    """

    title: str | None = None
    language: str | None = None
    documents: Run[Document] = field(default_factory=Run)
    abstracts: Run[Abstract] = field(default_factory=Run)
    outputs: Run[Output] = field(default_factory=Run)


def difference(old: Topic, new: Topic) -> tuple[TopicParts, TopicParts]:
    """Returns the parts of `old` that `new` has not, and those of `new` in their places."""
    old_documents, new_documents = runs(old.documents, new.documents)
    old_abstracts, new_abstracts = runs(old.abstracts, new.abstracts)
    old_outputs, new_outputs = runs(old.outputs, new.outputs)
    return (
        TopicParts(
            title=old.title,
            language=old.language,
            documents=old_documents,
            abstracts=old_abstracts,
            outputs=old_outputs,
        ),
        TopicParts(
            title=new.title,
            language=new.language,
            documents=new_documents,
            abstracts=new_abstracts,
            outputs=new_outputs,
        ),
    )


def runs(old: tuple[_Part, ...], new: tuple[_Part, ...]) -> tuple[Run[_Part], Run[_Part]]:
    """Returns the runs in which two rows of parts differ; empty ones where they are equal."""
    if old == new:
        return Run(), Run()
    shortest = min(len(old), len(new))
    at = 0
    while at < shortest and old[at] == new[at]:
        at += 1
    n_after = 0
    while n_after < shortest - at and old[-1 - n_after] == new[-1 - n_after]:
        n_after += 1
    return (
        Run(at=at, parts=old[at : len(old) - n_after]),
        Run(at=at, parts=new[at : len(new) - n_after]),
    )


def has_parts(topic: Topic, parts: TopicParts) -> bool:
    """Returns whether `parts` stand in `topic` where they say."""
    return (
        (topic.title, topic.language) == (parts.title, parts.language)
        and has_run(topic.documents, parts.documents)
        and has_run(topic.abstracts, parts.abstracts)
        and has_run(topic.outputs, parts.outputs)
    )


def has_run(present: tuple[_Part, ...], run: Run[_Part]) -> bool:
    """Returns whether the run stands in `present` where it says."""
    return present[run.at : run.at + len(run.parts)] == run.parts


def with_parts(topic: Topic, old: TopicParts, new: TopicParts) -> Topic:
    """Returns `topic` with `new` in the place of `old`.

    Raises:
        CorpusFormatError: What came out breaks the rules of a topic: a link to a sentence that is
            gone, an id that stands twice.
    """
    return replace(
        topic,
        title=new.title,
        language=new.language,
        documents=with_run(topic.documents, old.documents, new.documents),
        abstracts=with_run(topic.abstracts, old.abstracts, new.abstracts),
        outputs=with_run(topic.outputs, old.outputs, new.outputs),
    )


def with_run(present: tuple[_Part, ...], old: Run[_Part], new: Run[_Part]) -> tuple[_Part, ...]:
    """Returns `present` with one run in the place of the other."""
    if not old.parts and not new.parts:
        return present  # the same object: views see by it that nothing changed
    return present[: old.at] + new.parts + present[old.at + len(old.parts) :]
