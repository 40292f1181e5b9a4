"""Hand-out: the copy with one person's work and nobody else's."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from awase.core.errors import InputError, Listing
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Assignment, Corpus, is_shared_out, is_work_of, reader_of
from awase.core.records.digests import EntryKey, Ownership
from awase.core.records.topic import Topic, annotators_of, ids_of, map_topics, select_topics

RankPlace = tuple[str, str, int]  # topic, abstract, and number of the abstract sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class RankStep:
    """An edit of a rank, its undoing or redoing, as the log has it."""

    row: int
    who: str
    place: RankPlace
    old: str | None = None
    new: str | None = None
    # The row of the undone edit; None = an edit or a redo.
    undoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A corpus with its ids and versions as a copy."""

    corpus: Corpus
    ownership: Ownership


def is_of(owner: str | None, person: str) -> bool:
    """Returns whether `owner` is the person or a second copy of theirs (`A2~2`)."""
    name, _, number = (owner or "").partition("~")
    return owner == person or (name == person and number.isdigit())


def handed_out(main: Copy, person: str, ranks: Iterable[RankStep] = ()) -> Copy:
    """Returns the copy for `person`: their topics, their alignments, the guidelines.

    For a second reading (`A1#2`) the topics of that round, if assigned, without the first reading.
    Without assignments every topic. Others' alignments, the gold and human scores are excluded, and
    in a blind project systems' outputs and other annotators' ranks (`ranks` of the log), too.
    """
    corpus = main.corpus
    known = {one.id for one in corpus.persons}
    reader = person if person in known else reader_of(person)[0]
    topics = map_topics(topics_for(corpus, person), partial(_own_part, person))
    if corpus.is_blind:
        others = {one.id for one in corpus.persons if one.role == "annotator"} - {reader}
        topics = map_topics(topics, partial(_blinded, _ranks_without(others, ranks)))
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
    """Returns the topics assigned to `person`, unchanged."""
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


def _blinded(ranks: Mapping[RankPlace, str | None], topic: Topic) -> Topic:
    abstracts = []
    for abstract in topic.abstracts:
        places = [(topic.id, abstract.id, one.n) for one in abstract.sentences]
        sentences = tuple(
            replace(one, rank=ranks.get(place, one.rank))
            for place, one in zip(places, abstract.sentences, strict=True)
        )
        abstracts.append(replace(abstract, sentences=sentences))
    return replace(topic, abstracts=tuple(abstracts), outputs=())


def _ranks_without(others: set[str], steps: Iterable[RankStep]) -> dict[RankPlace, str | None]:
    """Returns the ranks as they were before `others` ranked."""
    seen: dict[RankPlace, str | None] = {}
    before: dict[int, str | None] = {}
    ranked: set[RankPlace] = set()
    for step in steps:
        rank = seen.setdefault(step.place, step.old)
        before[step.row] = rank
        if reader_of(step.who)[0] in others:
            ranked.add(step.place)
        elif step.undoes is None:
            seen[step.place] = step.new
        else:
            seen[step.place] = before.get(step.undoes, rank)
    return {place: seen[place] for place in ranked}


def is_own_key(key: EntryKey, person: str) -> bool:
    """Returns whether an entry is a person's, in a copy that is theirs."""
    return key.annotator is not None and is_of(key.annotator, person)


def only_work_of(corpus: Corpus, annotator: str) -> Corpus:
    """Returns the corpus with one annotator's work only, without the gold."""
    known = [
        *(one.id for one in corpus.persons),
        *annotators_of(corpus.topics),
        *(score.annotator for score in corpus.human_scores if score.annotator is not None),
    ]
    if annotator not in known:
        raise InputError.of(
            "Nobody called “{annotator}” is in this corpus.",
            "Those who are: {known}.",
            annotator=annotator,
            known=Listing(dict.fromkeys(known)),
        )

    def own(abstract: Abstract) -> Abstract:
        alignments = tuple(one for one in abstract.alignments if one.annotator == annotator)
        return replace(abstract, alignments=alignments, gold=())

    reader = reader_of(annotator)[0]
    return replace(
        corpus,
        topics=map_topics(
            corpus.topics,
            lambda topic: replace(topic, abstracts=tuple(map(own, topic.abstracts))),
        ),
        human_scores=tuple(one for one in corpus.human_scores if one.annotator == annotator),
        persons=tuple(one for one in corpus.persons if one.id in (annotator, reader)),
        assignments=tuple(one for one in corpus.assignments if is_work_of(one, annotator)),
    )
