"""What can still be read of a damaged corpus file, row by row, and the corpus that it makes.

Nothing is guessed: what refers to something that is gone goes, too, and is told. A topic or a
document whose own row is gone keeps its texts under a name that says so.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from awase.core.errors import AwaseError, Problem
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus
from awase.core.records.edits.ownership import EntryKey, EntryVersion, Ownership
from awase.core.records.encoding.json_values import output_of
from awase.core.records.gold import GoldEntry
from awase.core.records.human_score import HumanScore
from awase.core.records.output import Output
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.storage.log.joining import LogRow
from awase.storage.recovery.lost_references import (
    sound_outputs,
    with_sound_links,
    with_sound_ranks,
)
from awase.storage.recovery.readable_rows import Row, readable_rows
from awase.storage.rows.reading import entry_of_columns, gold_of_columns

_Record = TypeVar("_Record")
_UNSOUND = (ValueError, TypeError, KeyError, AttributeError, AwaseError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvage:
    """What was read of a damaged file.

    Attributes:
        corpus: Sound.
        ownership: Which corpus it is a copy of, and the versions of its entries.
        log: The rows of its log.
        parses: By model, text digest to CoNLL-U as stored.
        lost: What could not be read or had to go, each once.
    """

    corpus: Corpus
    ownership: Ownership
    log: tuple[LogRow, ...] = ()
    parses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    lost: tuple[Problem, ...] = ()


def salvage(path: Path) -> Salvage:
    """Returns what can be read of the corpus file at `path`, which stays as it is.

    Raises:
        EnvironmentProblem: Nothing can be read.
    """
    lost: list[Problem] = []
    rows = readable_rows(path, lost)
    return _Builder(rows, lost).salvage()


class _Builder:
    """Rows of all tables on their way to a corpus."""

    def __init__(self, rows: dict[str, list[Row]], lost: list[Problem]) -> None:
        self._rows = rows
        self._lost = lost

    def salvage(self) -> Salvage:
        head = next(iter(self._rows["corpus"]), {})
        topics = tuple(self._topics())
        weights = DEFAULT_RANK_WEIGHTS
        with suppress(*_UNSOUND):
            weights = tuple((rank, float(w)) for rank, w in json.loads(head["rank_weights"]))
        known = dict(weights)
        ids = {topic.id for topic in topics}
        persons = self._unique("person", self._person, lambda one: one.id)
        person_ids = {person.id for person in persons}
        corpus = Corpus(
            name=str(head.get("name") or ""),
            guidelines=str(head.get("guidelines") or ""),
            is_blind=bool(head.get("is_blind")),
            rank_weights=weights,
            topics=tuple(with_sound_ranks(topic, known, self._note_loss) for topic in topics),
            human_scores=tuple(
                score
                for score in self._unique("human_score", self._score, lambda one: one.key)
                if score.topic is None or score.topic in ids
            ),
            persons=persons,
            assignments=tuple(
                one
                for one in self._unique("assignment", self._assignment, lambda one: one.key)
                if one.topic in ids and one.person in person_ids
            ),
        )
        return Salvage(
            corpus=corpus,
            ownership=self._ownership(head),
            log=tuple(row for row in self._rows["operation"] if _is_log_row(row)),
            parses=self._parses(),
            lost=tuple({str(problem): problem for problem in self._lost}.values()),
        )

    def _note_loss(self, *, what: str, **fields: str | int) -> None:
        self._lost.append(Problem(what=what, fields=fields))

    def _unique(
        self, table: str, make: Callable[[Row], _Record], key: Callable[[_Record], object]
    ) -> tuple[_Record, ...]:
        found: dict[object, _Record] = {}
        for row in sorted(self._rows[table], key=_position):
            try:
                record = make(row)
            except _UNSOUND:
                self._note_loss(what="A row of table {table} makes no sense.", table=table)
                continue
            found.setdefault(key(record), record)
        return tuple(found.values())

    def _owned(self, table: str, owner: str) -> dict[int, list[Row]]:
        by_owner: dict[int, list[Row]] = defaultdict(list)
        for row in sorted(self._rows[table], key=_position):
            by_owner[row[owner]].append(row)
        return by_owner

    def _topics(self) -> Iterator[Topic]:
        documents, abstracts, outputs = self._documents(), self._abstracts(), self._outputs()
        heads = {row["id"]: row for row in sorted(self._rows["topic"], key=_position)}
        for row_id in dict.fromkeys([*heads, *documents, *abstracts]):
            row = heads.get(row_id)
            if row is None:
                row = {"key": f"rescued-{row_id}", "title": None, "language": None}
                self._note_loss(
                    what="The id of a topic is lost; it is called “{topic}”.", topic=row["key"]
                )
            topic_id = str(row["key"])
            of_topic = tuple(_by_id(documents[row_id]))
            known = {ref for document in of_topic for ref in document.refs()}
            yield Topic(
                id=topic_id,
                title=row["title"],
                language=row["language"],
                documents=of_topic,
                abstracts=tuple(
                    with_sound_links(topic_id, one, known, self._note_loss)
                    for one in _by_id(abstracts[row_id])
                ),
                outputs=tuple(sound_outputs(topic_id, outputs[row_id], known, self._note_loss)),
            )

    def _documents(self) -> dict[int, list[Document]]:
        sentences = self._owned("source_sentence", "document_id")
        heads = {row["id"]: row for row in self._rows["document"]}
        found: dict[int, list[Document]] = defaultdict(list)
        orphans = [key for key in sentences if key not in heads]
        for row in sorted(heads.values(), key=_position):
            found[row["topic_id"]].append(self._document(row, sentences[row["id"]]))
        if orphans:
            self._note_loss(what="{n} documents whose topic is lost are gone.", n=len(orphans))
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
            id=str(row["key"]),
            source=row["source"],
            date=row["date"],
            title=row["title"],
            sentences=tuple(by_n.values()),
        )

    def _abstracts(self) -> dict[int, list[Abstract]]:
        sentences = self._owned("abstract_sentence", "abstract_id")
        alignments = self._owned("alignment", "abstract_id")
        entries = self._owned("sentence_alignment", "alignment_id")
        gold = self._owned("gold_entry", "abstract_id")
        found: dict[int, list[Abstract]] = defaultdict(list)
        for row in sorted(self._rows["abstract"], key=_position):
            abstract_id = str(row["key"])
            bare = self._abstract(row, sentences[row["id"]])
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
            id=str(row["key"]),
            length=row["length"],
            author=row["author"],
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
        for row in sorted(self._rows["output"], key=_position):
            try:
                references = row["reference_texts"]
                value = {
                    **row,
                    "sentences": json.loads(row["sentences"]),
                    "references": None if references is None else json.loads(references),
                }
                found[row["topic_id"]].append(output_of(value))
            except _UNSOUND:
                self._note_loss(
                    what="An output of system “{system}” is lost.", system=str(row.get("system"))
                )
        return found

    def _ownership(self, head: Row) -> Ownership:
        versions: dict[EntryKey, list[EntryVersion]] = defaultdict(list)
        for row in sorted(self._rows["entry_version"], key=lambda one: int(one["id"])):
            with suppress(*_UNSOUND):
                if row["is_known"]:
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

    def _parses(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for row in self._rows["parse"]:
            conllu = str(row["conllu"])
            text = conllu.partition("\n")[0].removeprefix("# text = ")
            if conllu.startswith("# text = "):
                found[str(row["model"])][text] = conllu
        return found

    @staticmethod
    def _person(row: Row) -> Person:
        return Person(id=row["key"], name=row["name"], role=row["role"])

    @staticmethod
    def _assignment(row: Row) -> Assignment:
        return Assignment(
            topic=row["topic"],
            abstract=row["abstract"],
            person=row["person"],
            round=row["round"],
            order=row["place"],
            due=row["due"],
        )

    @staticmethod
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


def _position(row: Row) -> tuple[int, int]:
    place, key = row.get("position"), row.get("id")
    return (place if isinstance(place, int) else 0, key if isinstance(key, int) else 0)


def _by_id(parts: list[_Record]) -> list[_Record]:
    """Returns the parts without those whose id an earlier one has."""
    return [*{getattr(part, "id", None): part for part in reversed(parts)}.values()][::-1]


def _is_log_row(row: Row) -> bool:
    texts = (row.get("at"), row.get("who"), row.get("kind"), row.get("verb"), row.get("subject"))
    return all(isinstance(text, str) for text in texts) and isinstance(row.get("active_ms"), int)
