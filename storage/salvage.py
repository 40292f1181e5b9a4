"""Salvage: a corpus from the readable rows of a damaged file.

Nothing is guessed: references to lost records are dropped and reported. A topic or a document whose
own row is lost gets a name that says so.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Protocol, TypeVar

from awase.core.errors import AwaseError
from awase.core.progress import Reporter
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import Alignment, AlignmentState, GoldEntry, SentenceAlignment
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus
from awase.core.records.digests import EntryKey, EntryVersion, Ownership
from awase.core.records.identifiers import GIVEN, SentenceRef, is_split, is_usable_id
from awase.core.records.json_values import output_of
from awase.core.records.output import Extract, HumanScore, Output
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.core.team.handing_out import Copy
from awase.storage.new_corpus import ParsesByModel
from awase.storage.readable_rows import (
    KeptRows,
    Losses,
    Row,
    position_of,
    readable_rows,
)
from awase.storage.rows.log import LogRow
from awase.storage.rows.reading import entry_of_columns, gold_of_columns

_Ranked = TypeVar("_Ranked", AbstractSentence, SentenceAlignment)


class Tell(Protocol):
    """Receives losses."""

    def __call__(self, *, what: str, **fields: str | int) -> None:
        """Records one loss; `fields` fill the template `what`."""
        ...


def with_sound_links(
    topic_id: str, abstract: Abstract, known: set[SentenceRef], tell: Tell
) -> Abstract:
    """Returns the abstract without alternatives that refer to lost sentences."""

    def kept(entry: SentenceAlignment) -> SentenceAlignment:
        alternatives = tuple(one for one in entry.alternatives if known.issuperset(one.members))
        if len(alternatives) == len(entry.alternatives):
            return entry
        tell(
            what="Links of sentence {n} of abstract “{abstract}” of topic “{topic}” led to lost "
            "sentences; it has to be looked at again.",
            n=entry.n,
            abstract=abstract.id,
            topic=topic_id,
        )
        state = AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO
        return replace(entry, alternatives=alternatives, state=state)

    return replace(
        abstract,
        alignments=tuple(
            replace(one, sentences=tuple(map(kept, one.sentences))) for one in abstract.alignments
        ),
        gold=tuple(one.with_entry(kept(one.entry)) for one in abstract.gold),
    )


def sound_outputs(
    topic_id: str, outputs: list[Output], known: set[SentenceRef], tell: Tell
) -> Iterator[Output]:
    """Yields distinct outputs, without extracts that refer to lost sentences."""
    unique = {(one.system, one.length, type(one)): one for one in reversed(outputs)}
    for output in reversed(unique.values()):
        if isinstance(output, Extract) and not known.issuperset(output.sentences):
            tell(
                what="The extract of “{system}” for topic “{topic}” named lost sentences.",
                system=output.system,
                topic=topic_id,
            )
        else:
            yield output


def with_sound_ranks(topic: Topic, weights: Mapping[str, float], tell: Tell) -> Topic:
    """Returns the topic without ranks that have no weight."""
    ranks = {sentence.rank for one in topic.abstracts for sentence in one.sentences}
    ranks |= {entry.rank for one in topic.abstracts for entry, _ in one.entries() if entry.rank}
    unknown = {rank for rank in ranks if rank is not None and rank not in weights}
    if not unknown:
        return topic
    tell(what="Ranks without a weight in topic “{topic}” are lost.", topic=topic.id)

    def sound(one: _Ranked) -> _Ranked:
        return replace(one, rank=None) if one.rank in unknown else one

    abstracts = tuple(
        replace(
            abstract,
            sentences=tuple(map(sound, abstract.sentences)),
            alignments=tuple(
                replace(one, sentences=tuple(map(sound, one.sentences)))
                for one in abstract.alignments
            ),
            gold=tuple(one.with_entry(sound(one.entry)) for one in abstract.gold),
        )
        for abstract in topic.abstracts
    )
    return replace(topic, abstracts=abstracts)


_Record = TypeVar("_Record")
_UNSOUND = (ValueError, TypeError, KeyError, AttributeError, AwaseError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvage:
    """Readable contents of a damaged file, topics lazily."""

    copy: Copy
    log: Iterable[LogRow]
    parses: ParsesByModel
    losses: Losses  # what could not be read or had to go; of topics, of those that were read


@contextmanager
def salvage(path: Path, reporter: Reporter) -> Iterator[Salvage]:
    """Yields the salvaged contents of the file at `path`, which stays unchanged."""
    losses = Losses()
    with readable_rows(path, losses, reporter) as rows:
        yield _salvaged(rows, losses)


def _salvaged(rows: KeptRows, losses: Losses) -> Salvage:
    head = next(rows.each("corpus"), {})
    weights = DEFAULT_RANK_WEIGHTS
    with suppress(*_UNSOUND):
        weights = tuple((rank, float(w)) for rank, w in json.loads(head["rank_weights"]))
    topics = _topics(rows, losses, dict(weights))
    ids = {topic.id for topic in topics}
    records = _Records(rows, losses)
    persons = records.unique("person", _person, lambda one: one.id)
    person_ids = {person.id for person in persons}
    corpus = Corpus(
        name=str(head.get("name") or ""),
        guidelines=str(head.get("guidelines") or ""),
        is_blind=bool(head.get("is_blind")),
        rank_weights=weights,
        topics=topics,
        human_scores=tuple(
            score
            for score in records.unique("human_score", _score, lambda one: one.key)
            if score.topic is None or score.topic in ids
        ),
        persons=persons,
        assignments=tuple(
            one
            for one in records.unique("assignment", _assignment, lambda one: one.key)
            if one.topic in ids and one.person in person_ids
        ),
    )
    return Salvage(
        copy=Copy(corpus=corpus, ownership=_ownership(rows, head)),
        log=(row for row in rows.each("operation") if _is_log_row(row)),
        parses=_parses(rows),
        losses=losses,
    )


def _topics(rows: KeptRows, losses: Losses, weights: Mapping[str, float]) -> tuple[Topic, ...]:
    heads = sorted(
        (position_of(row), row["id"], _usable_id(row["key"]) or "") for row in rows.each("topic")
    )
    by_id: dict[str, int] = {}
    nameless: dict[int, None] = {}
    for _, row_id, key in heads:
        if not key or by_id.setdefault(key, row_id) != row_id:
            nameless[row_id] = None
    known = {row_id for _, row_id, _ in heads}
    owners = chain(rows.owners_of("document"), rows.owners_of("abstract"))
    nameless |= dict.fromkeys(owner for owner in owners if owner not in known)
    for row_id in nameless:
        # A salvaged file salvaged again may have such an id already.
        name = next(one for one in _names_for(row_id) if one not in by_id)
        by_id[name] = row_id
        losses.note(what="The id of a topic is lost; it is called “{topic}”.", topic=name)
    orphans = rows.n_orphans("source_sentence", "document")
    if orphans:
        losses.note(what="{n} documents whose topic is lost are gone.", n=orphans)

    made = Builder(rows, {row_id: one for one, row_id in by_id.items()}, losses).topics()
    return tuple([with_sound_ranks(topic, weights, losses.note) for topic in made])


def _names_for(row_id: object) -> Iterator[str]:
    known = f"rescued-{row_id}" if isinstance(row_id, int) else "rescued"
    yield known
    yield from (f"{known}-{number}" for number in count(2))


def _usable_id(value: object) -> str | None:
    return value if isinstance(value, str) and is_usable_id(value) else None


class _Records:
    """Tables of records that belong to no topic."""

    def __init__(self, rows: KeptRows, losses: Losses) -> None:
        self._rows = rows
        self._losses = losses

    def unique(
        self, table: str, make: Callable[[Row], _Record], key: Callable[[_Record], object]
    ) -> tuple[_Record, ...]:
        """Returns a table's records with distinct keys, the first of each."""
        found: dict[object, _Record] = {}
        for row in sorted(self._rows.each(table), key=position_of):
            try:
                record = make(row)
            except _UNSOUND:
                self._losses.note(what="A row of table {table} makes no sense.", table=table)
                continue
            found.setdefault(key(record), record)
        return tuple(found.values())


class Builder:
    """Rows of some topics on their way to records."""

    def __init__(self, rows: KeptRows, topics: Mapping[int, str], losses: Losses) -> None:
        self._rows = rows
        self._ids = topics
        self._note_loss = losses.note

    def topics(self) -> Iterator[Topic]:
        """Yields the topics' remaining contents, and records losses."""
        documents, abstracts, outputs = self._documents(), self._abstracts(), self._outputs()
        nameless = {"title": None, "language": None}
        heads = {row["id"]: row for row in self._rows.with_ids("topic", [*self._ids])}
        for row_id, topic_id in self._ids.items():
            row = heads.get(row_id, nameless)
            of_topic = tuple(_by_id(documents[row_id]))
            known = {ref for document in of_topic for ref in document.refs()}
            yield Topic(
                id=topic_id,
                title=row["title"],
                language=_usable_id(row["language"]),
                documents=of_topic,
                abstracts=tuple(
                    with_sound_links(topic_id, one, known, self._note_loss)
                    for one in _by_id(abstracts[row_id])
                ),
                outputs=tuple(sound_outputs(topic_id, outputs[row_id], known, self._note_loss)),
            )

    def _id_of(self, row: Row, table: str) -> str:
        known = _usable_id(row["key"])
        if known is not None:
            return known
        name = next(_names_for(row["id"]))
        self._note_loss(
            what="An id in table {table} is lost; it is called “{id}”.", table=table, id=name
        )
        return name

    def _owned(self, table: str, rows: Sequence[Row], owner: str) -> dict[int, list[Row]]:
        """Groups a table's rows by owner."""
        by_owner: dict[int, list[Row]] = defaultdict(list)
        for row in self._rows.among(table, [one["id"] for one in rows]):
            by_owner[row[owner]].append(row)
        return by_owner

    def _documents(self) -> dict[int, list[Document]]:
        rows = self._rows.among("document", [*self._ids])
        sentences = self._owned("source_sentence", rows, "document_id")
        found: dict[int, list[Document]] = defaultdict(list)
        for row in rows:
            found[row["topic_id"]].append(self._document(row, sentences[row["id"]]))
        return found

    def _document(self, row: Row, sentences: list[Row]) -> Document:
        by_n: dict[int, SourceSentence] = {}
        for one in sentences:
            try:
                sentence = SourceSentence(n=one["n"], text=one["text"], paragraph=one["paragraph"])
            except _UNSOUND:
                self._note_loss(
                    what="A sentence of document “{id}” makes no sense.", id=str(row["key"])
                )
                continue
            by_n.setdefault(sentence.n, sentence)
        return Document(
            id=self._id_of(row, "document"),
            source=row["source"],
            date=row["date"],
            title=row["title"],
            split=_split_of(row),
            sentences=tuple(by_n.values()),
        )

    def _abstracts(self) -> dict[int, list[Abstract]]:
        rows = self._rows.among("abstract", [*self._ids])
        sentences = self._owned("abstract_sentence", rows, "abstract_id")
        alignments = self._owned("alignment", rows, "abstract_id")
        entries = self._owned("sentence_alignment", [*chain(*alignments.values())], "alignment_id")
        gold = self._owned("gold_entry", rows, "abstract_id")
        found: dict[int, list[Abstract]] = defaultdict(list)
        for row in rows:
            bare = self._abstract(row, sentences[row["id"]])
            abstract_id = bare.id
            numbers = {sentence.n for sentence in bare.sentences}
            aligned: dict[str, Alignment] = {}
            for alignment in alignments[row["id"]]:
                mine = self._entries(abstract_id, entries[alignment["id"]], numbers)
                with suppress(*_UNSOUND):
                    made = Alignment(annotator=alignment["annotator"], sentences=mine)
                    aligned.setdefault(made.annotator, made)
            decided = self._decisions(abstract_id, gold[row["id"]], numbers)
            found[row["topic_id"]].append(
                replace(bare, alignments=tuple(aligned.values()), gold=decided)
            )
        return found

    def _abstract(self, row: Row, sentences: list[Row]) -> Abstract:
        by_n: dict[int, AbstractSentence] = {}
        for one in sentences:
            try:
                sentence = AbstractSentence(n=one["n"], text=one["text"], rank=one["rank"])
            except _UNSOUND:
                self._note_loss(
                    what="A sentence of abstract “{id}” makes no sense.", id=str(row["key"])
                )
                continue
            by_n.setdefault(sentence.n, sentence)
        limit = None
        with suppress(*_UNSOUND):
            limit = Limit(unit=row["limit_unit"], size=row["limit_size"])
        return Abstract(
            id=self._id_of(row, "abstract"),
            length=_usable_id(row["length"]),
            author=row["author"],
            split=_split_of(row),
            limit=limit,
            sentences=tuple(by_n.values()),
        )

    def _entries(
        self, abstract_id: str, rows: list[Row], numbers: set[int]
    ) -> tuple[SentenceAlignment, ...]:
        found: dict[int, SentenceAlignment] = {}
        for row in rows:
            try:
                entry = entry_of_columns(_entry_columns(row))
            except _UNSOUND:
                entry = None
            if entry is None or entry.n not in numbers:
                self._note_loss(what="An entry for abstract “{id}” is lost.", id=abstract_id)
            else:
                found.setdefault(entry.n, entry)
        return tuple(found.values())

    def _decisions(
        self, abstract_id: str, rows: list[Row], numbers: set[int]
    ) -> tuple[GoldEntry, ...]:
        found: dict[int, GoldEntry] = {}
        for row in rows:
            more = ("decided_by", "at", "origin", "sources", "locked", "cause")
            try:
                decided = gold_of_columns([*_entry_columns(row), *(row[key] for key in more)])
            except _UNSOUND:
                decided = None
            if decided is None or decided.n not in numbers:
                self._note_loss(what="A decision about abstract “{id}” is lost.", id=abstract_id)
            else:
                found.setdefault(decided.n, replace(decided, locked=bool(decided.locked)))
        return tuple(found.values())

    def _outputs(self) -> dict[int, list[Output]]:
        found: dict[int, list[Output]] = defaultdict(list)
        for row in self._rows.among("output", [*self._ids]):
            try:
                references = row["reference_texts"]
                value = {
                    **row,
                    "split": _split_of(row),
                    "sentences": json.loads(row["sentences"]),
                    "references": None if references is None else json.loads(references),
                }
                found[row["topic_id"]].append(output_of(value))
            except _UNSOUND:
                self._note_loss(
                    what="An output of system “{system}” is lost.", system=str(row.get("system"))
                )
        return found


def _split_of(row: Row) -> str:
    """Returns a text's split; unknown in files before format 1.4."""
    split = row.get("split")
    return split if isinstance(split, str) and is_split(split) else GIVEN


def _ownership(rows: KeptRows, head: Row) -> Ownership:
    versions: dict[EntryKey, list[EntryVersion]] = defaultdict(list)
    for row in rows.each("entry_version"):
        with suppress(*_UNSOUND):
            if row["is_known"] and _is_version(row):
                key = EntryKey(row["topic"], row["abstract"], row["annotator"], row["n"])
                versions[key].append(
                    EntryVersion(
                        revision=row["revision"],
                        digest=row["digest"],
                        at=row["at"],
                        replica=row["replica"],
                    )
                )
    return Ownership(
        corpus=str(head.get("uid") or ""),
        replica=str(head.get("replica") or ""),
        handed_to=head.get("handed_to"),
        versions={key: tuple(known) for key, known in versions.items()},
    )


def _parses(rows: KeptRows) -> ParsesByModel:
    def sound() -> Iterator[tuple[str, str]]:
        for row in rows.each("parse"):
            model, conllu = row["model"], row["conllu"]
            if isinstance(model, str) and str(conllu).startswith("# text = "):
                yield model, conllu

    def of_model(wanted: str) -> Iterator[tuple[str, str]]:
        for model, conllu in sound():
            if model == wanted:
                yield conllu.partition("\n")[0].removeprefix("# text = "), conllu

    models = dict.fromkeys(model for model, _ in sound())
    return [(model, of_model(model)) for model in models]


def _person(row: Row) -> Person:
    return Person(id=row["key"], name=row["name"], role=row["role"])


def _assignment(row: Row) -> Assignment:
    return Assignment(
        topic=row["topic"],
        abstract=row["abstract"],
        person=row["person"],
        round=row["round"],
        order=row["place"],
        due=row["due"],
    )


def _score(row: Row) -> HumanScore:
    return HumanScore(
        topic=row["topic"],
        system=row["system"],
        measure=row["measure"],
        value=float(row["value"]),
        annotator=row["annotator"],
    )


def _entry_columns(row: Row) -> list[object]:
    return [
        row["n"],
        row["state"],
        row["alternatives"],
        row["note"],
        row.get("rank"),
        row.get("assist"),
    ]


def _by_id(parts: list[_Record]) -> list[_Record]:
    """Drops parts with the id of an earlier one."""
    return [*{getattr(part, "id", None): part for part in reversed(parts)}.values()][::-1]


def _is_version(row: Row) -> bool:
    texts = (row["topic"], row["abstract"], row["digest"], row["at"], row["replica"])
    numbers = (row["n"], row["revision"])
    return all(isinstance(one, str) for one in texts) and all(
        isinstance(one, int) for one in numbers
    )


def _is_log_row(row: Row) -> bool:
    texts = (row.get("at"), row.get("who"), row.get("kind"), row.get("verb"), row.get("subject"))
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(row.get("active_ms"), int)
        and _is_moment(row["at"])
    )


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
