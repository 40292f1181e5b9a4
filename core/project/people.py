"""Members of a project, and the parts that a corpus has."""

from dataclasses import replace
from typing import Final

from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.records.project import Person, name_of_reading

LEAD: Final = "lead"
ANNOTATOR: Final = "annotator"


def with_person(corpus: Corpus, person: Person) -> Corpus:
    """Adds the person, or replaces the one with the same id."""
    if "#" in person.id and all(one.id != person.id for one in corpus.persons):
        raise InputError((name_of_reading(person.id),))
    if any(one.id == person.id for one in corpus.persons):
        kept = tuple(person if one.id == person.id else one for one in corpus.persons)
        return replace(corpus, persons=kept)
    return replace(corpus, persons=(*corpus.persons, person))


def without_person(corpus: Corpus, person: str) -> Corpus:
    """Returns the corpus without this person and their assignments; their alignments stay."""
    if all(one.id != person for one in corpus.persons):
        raise InputError.of("“{person}” is not of this project.", person=person)
    return replace(
        corpus,
        persons=tuple(one for one in corpus.persons if one.id != person),
        assignments=tuple(one for one in corpus.assignments if one.person != person),
    )


def role_of(corpus: Corpus, who: str) -> str | None:
    """Returns the role of a person; None = not a member, so unrestricted."""
    return next((one.role for one in corpus.persons if one.id == who), None)


def may_lead(corpus: Corpus, who: str) -> bool:
    """Returns whether `who` may see everybody's progress: anybody but annotators."""
    return role_of(corpus, who) != ANNOTATOR


def annotators_in(corpus: Corpus) -> tuple[str, ...]:
    """Returns the ids of members with the role of annotator."""
    return tuple(one.id for one in corpus.persons if one.role == ANNOTATOR)
