"""People and assignments, and the corpus record."""

import math
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.abstract import USUAL_ASSISTANCE, AssistSettings
from awase.core.records.source import (
    field_problems,
    id_problems,
    repeated,
    repeated_ids,
    text_problems,
)
from awase.core.records.topic import HumanScore, Topic, ids_of

ROLES = ("lead", "annotator", "adjudicator")
# Words of `annotator=` in signatures, so that no new person may be called so.
RESERVED_NAMES = ("first", "gold", "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A member of the project."""

    id: str
    name: str | None = None  # what people call them; None = as the id
    role: str = "annotator"  # one of `ROLES`; a courtesy in a file, not a protection

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(self, id=id_problems, name=text_problems)
        if self.id in RESERVED_NAMES:
            yield Problem(
                what="A person cannot be called “{id}”: the word is reserved in signatures.",
                hint="Choose another id.",
                fields={"id": self.id},
                path="id",
            )
        if "#" in self.id and reader_of(self.id)[1] == 1:
            yield name_of_reading(self.id)
        if self.role not in ROLES:
            yield Problem(
                what="“{role}” is not a role.",
                hint="Use one of {roles}.",
                fields={"role": self.role, "roles": Listing(ROLES)},
                path="role",
            )


def name_of_reading(person: str) -> Problem:
    """Returns the problem that a person's id looks like a later reading's (`A1#2`)."""
    return Problem(
        what="A person cannot be called “{id}”: “#” is reserved for the number of a reading.",
        hint="Choose another id.",
        fields={"id": person},
        path="id",
    )


AssignmentKey = tuple[str, str | None, str, int]  # (topic, abstract or None, person, round)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """A topic or abstract assigned to a person."""

    topic: str
    person: str
    abstract: str | None = None  # id of the abstract; None = all of the topic
    round: int = 1  # 1, or 2 for the same work done again later, and so on
    # Position among the person's assignments, from 1; None = in the order of topics.
    order: int | None = None
    due: str | None = None  # when it is to be done, ISO 8601; None = no date

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    @property
    def key(self) -> AssignmentKey:
        """Unique in a corpus."""
        return (self.topic, self.abstract, self.person, self.round)

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(
            self, topic=id_problems, person=id_problems, abstract=id_problems, due=id_problems
        )
        for name, number in (("round", self.round), ("order", self.order)):
            if number is not None and number < 1:
                yield Problem(
                    what="{name} is {value}.",
                    hint="Numbers count from 1.",
                    fields={"name": name, "value": number},
                    path=name,
                )


def reader_of(owner: str) -> tuple[str, int]:
    """Returns the annotator and number of a reading: `A1#2` is A1's second, `A1` the first."""
    person, mark, number = owner.rpartition("#")
    is_later = bool(mark and person) and number.isdecimal()
    return (person, int(number)) if is_later else (owner, 1)


def is_shared_out(assignments: Iterable[Assignment]) -> bool:
    """Returns whether people have work of their own, later readings aside."""
    return any(one.round == 1 for one in assignments)


def is_work_of(assignment: Assignment, owner: str) -> bool:
    """Returns whether an assignment is for alignments of `owner`.

    A1's assignments of round 2 are for `A1#2`; that reader's own file has them under this name.
    """
    reader, number = reader_of(owner)
    if number == 1:
        return assignment.person == owner and assignment.round == 1
    return assignment.person == owner or (
        assignment.person == reader and assignment.round == number
    )


def assignment_problems(
    assignments: Iterable[Assignment],
    persons: Iterable[Person],
    topic_ids: set[str],
) -> Iterator[Problem]:
    """Yields unknown persons and topics and repeated keys; a deleted abstract is no problem."""
    known = {person.id for person in persons}
    seen: set[AssignmentKey] = set()
    for index, one in enumerate(assignments):
        path = f"assignments[{index}]"
        if one.person not in known:
            yield Problem(
                what="The corpus has no person “{person}”.",
                hint="Correct the person of the assignment or add the person.",
                fields={"person": one.person},
                path=f"{path}.person",
            )
        if one.topic not in topic_ids:
            yield Problem(
                what="The corpus has no topic “{topic}”.",
                hint="Correct the topic of the assignment or add the topic.",
                fields={"topic": one.topic},
                path=f"{path}.topic",
            )
        if one.key in seen:
            yield Problem(
                what="“{person}” has the same work in topic “{topic}” twice.",
                hint="Remove one of the two assignments.",
                fields={"person": one.person, "topic": one.topic},
                path=path,
            )
        seen.add(one.key)


RankWeights = tuple[tuple[str, float], ...]

# 1 / rank position, as in the TSC-3 paper (section 3.4, footnote 7).
DEFAULT_RANK_WEIGHTS: RankWeights = (("A", 1.0), ("B", 1 / 2), ("C", 1 / 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A whole corpus.

    Attributes:
        rank_weights: (rank, weight) in order of importance; weights are finite and not negative.
        topics: In the order in which they are shown.
        human_scores: About this corpus's topics, each key once.
        guidelines: For annotators, in Markdown; may be empty.
        persons: Members of the project; empty = anybody may do everything.
        assignments: Work assigned to people; each key once.
        is_blind: Whether annotators may not see each other's work until the lead allows it.
    """

    name: str = ""
    rank_weights: RankWeights = DEFAULT_RANK_WEIGHTS
    topics: tuple[Topic, ...] = ()
    human_scores: tuple[HumanScore, ...] = ()
    guidelines: str = ""
    persons: tuple[Person, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    is_blind: bool = False
    assist: AssistSettings = USUAL_ASSISTANCE

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from text_problems(self.name, "name")
        yield from text_problems(self.guidelines, "guidelines")
        yield from self._weight_problems()
        yield from repeated_ids(ids_of(self.topics), "topics", what="Topic “{id}” appears twice.")
        yield from rank_problems(self.rank_weights, enumerate(self.topics))
        yield from self._human_score_problems()
        persons = [person.id for person in self.persons]
        yield from repeated_ids(persons, "persons", what="Person “{id}” appears twice.")
        topic_ids = {*ids_of(self.topics)} if self.assignments else set()
        yield from assignment_problems(self.assignments, self.persons, topic_ids)

    def _weight_problems(self) -> Iterator[Problem]:
        for rank, weight in self.rank_weights:
            yield from id_problems(rank, "rank_weights")
            if not math.isfinite(weight) or weight < 0:
                yield Problem(
                    what="The weight of rank “{rank}” is {weight}.",
                    hint="Weights are finite numbers from 0.",
                    fields={"rank": rank, "weight": weight},
                    path=f"rank_weights.{rank}",
                )
        for _, rank in repeated([rank for rank, _ in self.rank_weights]):
            yield Problem(
                what="Rank “{rank}” has two weights.",
                hint="Keep one.",
                fields={"rank": rank},
                path=f"rank_weights.{rank}",
            )

    def _human_score_problems(self) -> Iterator[Problem]:
        topics = {*ids_of(self.topics)} if self.human_scores else set()
        seen: set[tuple[str | None, str, str, str | None]] = set()
        for index, score in enumerate(self.human_scores):
            if score.topic is not None and score.topic not in topics:
                yield Problem(
                    what="The corpus has no topic “{topic}”.",
                    hint="Correct the topic of the score or add the topic.",
                    fields={"topic": score.topic},
                    path=f"human_scores[{index}].topic",
                )
            key = score.key
            if key in seen:
                yield Problem(
                    what="The same annotator scored “{system}” twice for “{measure}”.",
                    hint="Remove one of the two scores.",
                    fields={"system": score.system, "measure": score.measure},
                    path=f"human_scores[{index}]",
                )
            seen.add(key)

    def with_topics(self, topics: tuple[Topic, ...]) -> "Corpus":
        """Returns a copy with other topics of the same ids."""
        # Only new topics are checked, so that editing one of thousands does not revalidate them
        # all.
        if ids_of(topics) != ids_of(self.topics):
            return replace(self, topics=topics)
        known = set(map(id, self.topics))
        changed = tuple(topic for topic in topics if id(topic) not in known)
        Corpus(rank_weights=self.rank_weights, topics=changed)  # the check
        made = copy(self)
        object.__setattr__(made, "topics", topics)
        return made

    def topic(self, topic_id: str) -> Topic | None:
        """Returns the topic with this id, None when there is none."""
        return next((topic for topic in self.topics if topic.id == topic_id), None)


def rank_problems(
    rank_weights: RankWeights, topics: Iterable[tuple[int, Topic]]
) -> Iterator[Problem]:
    """Yields the unweighted ranks in (index, topic), with paths."""
    ranks = {rank for rank, _ in rank_weights}
    for topic_idx, topic in topics:
        for abstract_idx, abstract in enumerate(topic.abstracts):
            at = f"topics[{topic_idx}].abstracts[{abstract_idx}]"
            for sent_idx, sentence in enumerate(abstract.sentences):
                if sentence.rank is not None and sentence.rank not in ranks:
                    yield unweighted(sentence.rank, ranks, f"{at}.sentences[{sent_idx}].rank")
            for entry, path in abstract.entries():
                if entry.rank is not None and entry.rank not in ranks:
                    yield unweighted(entry.rank, ranks, f"{at}.{path}.rank")


def unweighted(rank: str, ranks: set[str], path: str = "") -> Problem:
    """Returns that none of `ranks`, those with a weight, is `rank`."""
    return Problem(
        what="Rank “{rank}” has no weight.",
        hint="Add it to rank_weights or use one of {ranks}."
        if ranks
        else "Add it to rank_weights: the corpus has no ranks yet.",
        fields={"rank": rank, "ranks": Listing(sorted(ranks))},
        path=path,
    )
