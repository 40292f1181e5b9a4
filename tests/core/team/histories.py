"""Copies of a small corpus in memory, and everything that can happen to them."""

from dataclasses import replace

from tests import building

from awase.core.annotation.actions import topic_after
from awase.core.records.abstract import SentenceAlignment
from awase.core.records.corpus import Corpus, Person
from awase.core.records.digests import Ownership, changed_entries, next_version
from awase.core.records.edits import AlignmentEdit
from awase.core.records.topic import Topic
from awase.core.team.handing_out import Copy, handed_out
from awase.core.team.merging import MergePlan, plan_merge

REFS = building.refs(1, 2, 3)
PEOPLE = ("A1", "A2", "A3")


def main_copy() -> Copy:
    abstract = building.abstract("a", texts=["x1", "x2"])
    topics = tuple(
        building.topic(name, docs=["s1", "s2", "s3"], abstracts=[abstract]) for name in ("t1", "t2")
    )
    persons = tuple(Person(id=name) for name in PEOPLE)
    return Copy(
        corpus=Corpus(topics=topics, persons=persons),
        ownership=Ownership(corpus="c", replica="main"),
    )


def out(main: Copy, person: str, replica: str) -> Copy:
    """Returns what is handed out, as its file has it."""
    copy = handed_out(main, person)
    return replace(copy, ownership=replace(copy.ownership, replica=replica))


def entry_of(copy: Copy, topic: str, who: str, n: int) -> SentenceAlignment:
    abstract = next(one for one in copy.corpus.topics if one.id == topic).abstracts[0]
    alignment = abstract.alignment_by(who)
    return alignment.of_sentence(n) if alignment else SentenceAlignment(n=n)


def value(n: int, choice: int) -> SentenceAlignment:
    """Returns one of some values of an entry; 0 says nothing."""
    return building.entry(n, ("", "-", "s1", "s1&s2", "s1&s2&s3")[choice])


def with_topic(copy: Copy, new: Topic, at: str) -> Copy:
    """Returns the copy with a topic in another state, each changed entry with a new version."""
    old = next(topic for topic in copy.corpus.topics if topic.id == new.id)
    versions = dict(copy.ownership.versions)
    for key, digest in changed_entries(old, new):
        known = versions.get(key, ())
        version = next_version(known, digest, at=at, replica=copy.ownership.replica)
        versions[key] = (*known, version)
    topics = tuple(new if topic is old else topic for topic in copy.corpus.topics)
    return Copy(
        corpus=replace(copy.corpus, topics=topics),
        ownership=replace(copy.ownership, versions=versions),
    )


def edited(copy: Copy, topic: str, who: str, n: int, choice: int, at: str) -> Copy:
    """Returns the copy after somebody gave an entry a value."""
    old = next((one for one in copy.corpus.topics if one.id == topic), None)
    if old is None:
        return copy
    before = entry_of(copy, topic, who, n)
    edit = AlignmentEdit(
        verb="link", topic=topic, abstract="a", annotator=who, old=before, new=value(n, choice)
    )
    return with_topic(copy, topic_after(old, edit), at)


def plan(main: Copy, *copies: Copy, at: str = "later") -> MergePlan:
    named = [(f"{copy.ownership.handed_to}.awase", copy) for copy in copies]
    return plan_merge(main, named, at=at, names={})


def merged(main: Copy, *copies: Copy, at: str = "later") -> Copy:
    """Returns the main file after the copies were joined to it."""
    found = plan(main, *copies, at=at)
    versions = dict(main.ownership.versions)
    for of_topic in found.versions.values():
        for key, more in of_topic.items():
            versions[key] = (*versions.get(key, ()), *more)
    return Copy(corpus=found.corpus, ownership=replace(main.ownership, versions=versions))
