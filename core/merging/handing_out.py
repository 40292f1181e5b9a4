"""The copy of a corpus that one person takes along: their work and nobody else's."""

from dataclasses import dataclass, replace
from functools import partial

from awase.core.errors import InputError, Listing
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import EntryKey, Ownership
from awase.core.records.project import Assignment, is_shared_out, is_work_of, reader_of
from awase.core.records.topic import Topic
from awase.core.records.topics import ids_of, map_topics, select_topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A corpus, and what this copy of it knows of itself."""

    corpus: Corpus
    ownership: Ownership


def is_of(owner: str | None, person: str) -> bool:
    """Returns whether entries of `owner` are a person's: their own, or a second opinion's.

    Work that one person did in two places at once is kept as `A2` and `A2~2`.
    """
    name, _, number = (owner or "").partition("~")
    return owner == person or (name == person and number.isdigit())


def handed_out(main: Copy, person: str) -> Copy:
    """Returns what `person` is given: their topics, their alignments, the guidelines.

    For a second reading (`A1#2`) that is the person's topics, those of that round where some are
    assigned to it, without what the person said the first time.

    Without assignments it is every topic. Others' alignments, the gold and people's scores of
    systems are not in it, so that nobody has to promise not to look.

    Raises:
        InputError: The person is not of the project, has no work, or the corpus has no uid.
    """
    corpus = main.corpus
    topics = map_topics(topics_for(corpus, person), partial(_own_part, person))
    known = {one.id for one in corpus.persons}
    reader = person if person in known else reader_of(person)[0]
    ids = {*ids_of(topics)}
    own = replace(
        corpus,
        topics=topics,
        human_scores=(),
        persons=tuple(replace(one, id=person) for one in corpus.persons if one.id == reader),
        assignments=tuple(
            replace(part, person=person) for part in _work_of(corpus, person) if part.topic in ids
        ),
    )
    versions = {
        key: known
        for key, known in main.ownership.versions.items()
        if key.topic in ids and is_own_key(key, person)
    }
    return Copy(
        corpus=own,
        ownership=Ownership(corpus=main.ownership.corpus, handed_to=person, versions=versions),
    )


def topics_for(corpus: Corpus, person: str) -> tuple[Topic, ...]:
    """Returns the topics that `person` is given, as they are.

    Raises:
        InputError: As `handed_out` does.
    """
    _check_person(corpus, person)
    return _topics_of(corpus, person)


def _check_person(corpus: Corpus, person: str) -> None:
    known = [one.id for one in corpus.persons]
    if known and person not in known and reader_of(person)[0] not in known:
        raise InputError.of(
            "“{person}” is not of this project.",
            "Its people are: {known}.",
            person=person,
            known=Listing(known),
        )
    if not person or person != person.strip():
        raise InputError.of("A file is handed out to a person.", "Name one.")


def _topics_of(corpus: Corpus, person: str) -> tuple[Topic, ...]:
    mine = {part.topic for part in _work_of(corpus, person)}
    if mine:
        return select_topics(corpus.topics, mine)
    if is_shared_out(corpus.assignments):
        raise InputError.of(
            "“{person}” has no work in this project.", "Assign topics first.", person=person
        )
    return corpus.topics


def _work_of(corpus: Corpus, person: str) -> tuple[Assignment, ...]:
    asked = tuple(part for part in corpus.assignments if is_work_of(part, person))
    reader, number = reader_of(person)
    if asked or number == 1:
        return asked
    # Nothing in particular is to be read again: all of it is.
    return tuple(part for part in corpus.assignments if is_work_of(part, reader))


def _own_part(person: str, topic: Topic) -> Topic:
    def own(abstract: Abstract) -> Abstract:
        kept = tuple(one for one in abstract.alignments if is_of(one.annotator, person))
        return replace(abstract, alignments=kept, gold=())

    return replace(topic, abstracts=tuple(map(own, topic.abstracts)))


def is_own_key(key: EntryKey, person: str) -> bool:
    """Returns whether an entry is a person's, in a copy that is theirs."""
    return key.annotator is not None and is_of(key.annotator, person)
