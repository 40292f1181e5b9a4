"""People and assignments of a corpus."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.identifiers import field_problems, id_problems, repeated, text_problems

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
                what="A person cannot be called “{id}”: the word has a meaning in signatures.",
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
        what="A person cannot be called “{id}”: behind “#” stands the number of a reading.",
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


def person_problems(persons: Iterable[Person]) -> Iterator[Problem]:
    """Yields a problem for each repeated id."""
    for index, person_id in repeated(person.id for person in persons):
        yield Problem(
            what="Person “{id}” stands twice.",
            hint="Remove one of the two or rename it.",
            fields={"id": person_id},
            path=f"persons[{index}].id",
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
