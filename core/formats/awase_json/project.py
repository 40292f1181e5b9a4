"""Gold, persons, assignments and what copies know of each other, in Awase JSON."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial

from awase.core.formats.awase_json.alignments import Mentions, alternatives_in, state_in
from awase.core.formats.reading.findings import Place
from awase.core.formats.reading.json_fields import LARGEST, STAND_IN, Fields, JsonFindings
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.edits.ownership import EntryKey, EntryVersion, Ownership, Versions
from awase.core.records.encoding.json_values import Json
from awase.core.records.gold import Gold, GoldEntry, GoldOrigin, GoldSource
from awase.core.records.project import Assignment, Person

_GOLD = ("sentences",)
_DECISION = (
    "n", "state", "alternatives", "rank", "note", "decided_by", "at", "origin", "sources",
    "locked", "cause",
)  # fmt: skip
_SOURCE = ("annotator", "digest", "alternatives")
_PERSON = ("id", "name", "role")
_ASSIGNMENT = ("topic", "abstract", "person", "round", "order", "due")
_SYNC = ("corpus", "replica", "handed_to", "texts", "entries")
_SYNC_ENTRY = ("topic", "abstract", "annotator", "n", "versions")
_VERSION = ("revision", "digest", "at", "replica")
_ORIGINS = {origin.value: origin for origin in GoldOrigin}


def gold_in(parent: Fields, problems: JsonFindings, mentions: Mentions) -> Gold:
    """Returns the gold layer of an abstract."""
    fields = parent.part("gold", _GOLD)
    if fields is None:
        return ()
    return tuple(
        _decision(item, position, path, problems, mentions)
        for position, (item, path) in enumerate(fields.each("sentences"), start=1)
    )


def _decision(
    value: object, position: int, path: str, problems: JsonFindings, mentions: Mentions
) -> GoldEntry:
    stand_in = GoldEntry(entry=SentenceAlignment(n=LARGEST + position))
    fields = Fields.of(value, path, problems, _DECISION)
    if fields is None:
        return stand_in
    n = fields.integer("n") if fields.has("n") else position
    note, rank, cause = fields.text("note"), fields.text("rank"), fields.text("cause")
    decided_by, at = fields.text("decided_by"), fields.text("at")
    alternatives = alternatives_in(fields, problems, mentions)
    state = state_in(fields, problems)
    origin = fields.one_of("origin", _ORIGINS, what="“{origin}” is not an origin of a decision.")
    sources = _sources(fields, problems)
    locked = fields.truth("locked")
    if n is None or state is None:
        return stand_in

    def make() -> GoldEntry:
        entry = SentenceAlignment(n=n, state=state, alternatives=alternatives, note=note, rank=rank)
        return GoldEntry(
            entry=entry,
            origin=origin or GoldOrigin.EDITED,
            decided_by=decided_by,
            at=at,
            sources=sources,
            locked=locked,
            cause=cause,
        )

    return problems.build(make, path) or stand_in


def _sources(parent: Fields, problems: JsonFindings) -> tuple[GoldSource, ...]:
    sources = []
    for fields in parent.parts("sources", _SOURCE):
        is_whole = fields.required("annotator", "whose entry it was")
        is_whole = fields.required("digest", "of the entry then") and is_whole
        annotator, digest = fields.text("annotator"), fields.text("digest")
        numbers = fields.integers("alternatives")
        if not is_whole or annotator is None or digest is None:
            continue
        make = partial(GoldSource, annotator=annotator, digest=digest, alternatives=numbers)
        source = problems.build(make, fields.path)
        sources += [source] if source is not None else []
    return tuple(sources)


def person(value: object, path: str, problems: JsonFindings) -> Person:
    """Returns the person at `path`."""
    stand_in = Person(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _PERSON)
    if fields is None or not fields.required("id", "alignments are signed with it"):
        return stand_in
    person_id, name, role = fields.text("id"), fields.text("name"), fields.text("role")
    if person_id is None:
        return stand_in
    make = partial(Person, id=person_id, name=name, role=role or "annotator")
    return problems.build(make, path) or stand_in


def assignments_in(parent: Fields, problems: JsonFindings) -> tuple[Assignment, ...]:
    """Returns the assignments; one that is broken is told and left out."""
    found = []
    for fields in parent.parts("assignments", _ASSIGNMENT):
        is_whole = fields.required("topic", "what is to be aligned")
        is_whole = fields.required("person", "who is to align it") and is_whole
        topic, who = fields.text("topic"), fields.text("person")
        if not is_whole or topic is None or who is None:
            continue
        make = partial(
            Assignment,
            topic=topic,
            person=who,
            abstract=fields.text("abstract"),
            round=(fields.integer("round") if fields.has("round") else 1) or 0,
            order=fields.integer("order"),
            due=fields.text("due"),
        )
        assignment = problems.build(make, fields.path)
        found += [assignment] if assignment is not None else []
    return tuple(found)


def ownership_in(parent: Fields, problems: JsonFindings) -> Ownership | None:
    """Returns what the file says about copies and versions; None when it says nothing."""
    fields = parent.part("sync", _SYNC)
    if fields is None:
        return None
    fields.required("corpus", "which corpus this is a copy of")
    versions: dict[EntryKey, tuple[EntryVersion, ...]] = {}
    for entry in fields.parts("entries", _SYNC_ENTRY):
        read = _sync_entry(entry)
        if read is not None:
            if read[0] in versions:
                note_twice(read[0], entry.path, problems)
            versions[read[0]] = read[1]
    return Ownership(
        corpus=fields.text("corpus") or "",
        replica=fields.text("replica") or "",
        handed_to=fields.text("handed_to"),
        versions=versions,
    )


def note_twice(key: EntryKey, path: str, problems: JsonFindings) -> None:
    """Notes that what stands at a path is about an entry that stood in the file before."""
    problems.add(
        Place(path),
        what="The versions of sentence {n} of abstract “{abstract}”, topic “{topic}”, stand twice "
        "for one owner.",
        hint="Keep those of the newest copy.",
        n=key.n,
        abstract=key.abstract,
        topic=key.topic,
    )


def sync_entry(
    value: object, path: str, problems: JsonFindings
) -> tuple[EntryKey, tuple[EntryVersion, ...]] | None:
    """Returns an entry with its versions; None, and what is wrong noted, when it is none."""
    fields = Fields.of(value, path, problems, _SYNC_ENTRY)
    return None if fields is None else _sync_entry(fields)


def _sync_entry(fields: Fields) -> tuple[EntryKey, tuple[EntryVersion, ...]] | None:
    for key in ("topic", "abstract", "n"):
        fields.required(key, "which sentence it is about")
    topic, abstract, n = fields.text("topic"), fields.text("abstract"), fields.integer("n")
    annotator = fields.text("annotator")
    versions = []
    for one in fields.parts("versions", _VERSION):
        one.required("revision", "its number")
        one.required("digest", "of the value")
        versions.append(
            EntryVersion(
                revision=one.integer("revision") or 0,
                digest=one.text("digest") or "",
                at=one.text("at") or "",
                replica=one.text("replica") or "",
            )
        )
    if topic is None or abstract is None or n is None:
        return None
    return EntryKey(topic, abstract, annotator, n), tuple(versions)


# Writing


def present(value: Json) -> Json:
    """Returns the parts that are there."""
    return {key: part for key, part in value.items() if part is not None}


def gold_value(decisions: list[Json]) -> Json:
    """Returns the gold layer of decisions as the codec has them."""
    return {"sentences": [present({key: one.get(key) for key in _DECISION}) for one in decisions]}


class SyncEntries:
    """What is written of entries and their versions, made when it is written."""

    def __init__(self, versions: Versions, topics: Collection[str]) -> None:
        self._versions, self._topics = versions, topics

    def __bool__(self) -> bool:
        return any(key.topic in self._topics for key in self._versions)

    def __iter__(self) -> Iterator[Json]:
        for key, versions in self._versions.items():
            if key.topic in self._topics:
                yield present({**key._asdict(), "versions": [*map(asdict, versions)]})


def ownership_value(ownership: Ownership, topics: Sequence[str], texts: Mapping[str, str]) -> Json:
    """Returns what this copy knows about some topics' entries.

    Args:
        ownership: With these entries and maybe others.
        topics: Ids of the topics.
        texts: Digests of their texts by id, as far as anybody knows when this is written.
    """
    return present(
        {
            "corpus": ownership.corpus,
            "replica": ownership.replica,
            "handed_to": ownership.handed_to,
            "texts": texts,
            "entries": SyncEntries(ownership.versions, frozenset(topics)) or [],
        }
    )
