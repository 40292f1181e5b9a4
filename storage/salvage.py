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
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from awase.core.errors import AwaseError, Reporter
from awase.core.records.abstract import (
    USUAL_ASSISTANCE,
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    AssistSettings,
    GoldEntry,
    Limit,
    SentenceAlignment,
)
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus
from awase.core.records.digests import Ownership
from awase.core.records.json_values import output_of
from awase.core.records.source import (
    GIVEN,
    Document,
    SentenceRef,
    SourceSentence,
    free_id,
    is_split,
    is_usable_id,
)
from awase.core.records.topic import Extract, HumanScore, Output, Topic
from awase.core.team.handing_out import Copy
from awase.storage.inserting import ParsesByModel
from awase.storage.querying import VERSION_COLUMNS, entry_of_columns, versions_by_entry
from awase.storage.readable_rows import Losses, ReadableRows, Row, position_of, readable_rows
from awase.storage.rows.log import LogRow
from awase.storage.rows.reading import (
    ABSTRACT_SENTENCES,
    ASSIGNMENTS,
    HUMAN_SCORES,
    PERSONS,
    SOURCE_SENTENCES,
    gold_of_columns,
)

_Ranked = TypeVar("_Ranked", AbstractSentence, SentenceAlignment)
_Tell = Callable[..., None]  # takes a loss, as `Losses.note`


def with_sound_links(
    topic_id: str, abstract: Abstract, known: set[SentenceRef], tell: _Tell
) -> Abstract:
    """Returns the abstract without alternatives that refer to lost sentences."""

    def kept(entry: SentenceAlignment) -> SentenceAlignment:
        alternatives = tuple(one for one in entry.alternatives if known.issuperset(one.members))
        if len(alternatives) == len(entry.alternatives):
            return entry
        tell(
            what="Links of sentence {n} of abstract “{abstract}” of topic “{topic}” led to lost "
            "sentences; it has to be checked again.",
            n=entry.n,
            abstract=abstract.id,
            topic=topic_id,
        )
        state = AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO
        return replace(entry, alternatives=alternatives, state=state)

    return abstract.with_entries(kept)


def sound_outputs(
    topic_id: str, outputs: list[Output], known: set[SentenceRef], tell: _Tell
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


def with_sound_ranks(topic: Topic, weights: Mapping[str, float], tell: _Tell) -> Topic:
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
        replace(one.with_entries(sound), sentences=tuple(map(sound, one.sentences)))
        for one in topic.abstracts
    )
    return replace(topic, abstracts=abstracts)


_Record = TypeVar("_Record")
_Numbered = TypeVar("_Numbered", AbstractSentence, SentenceAlignment, SourceSentence, GoldEntry)
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


def _salvaged(rows: ReadableRows, losses: Losses) -> Salvage:
    head = next(rows.each("corpus"), {})
    weights = DEFAULT_RANK_WEIGHTS
    with suppress(*_UNSOUND):
        weights = tuple((rank, float(w)) for rank, w in json.loads(head["rank_weights"]))
    assist = USUAL_ASSISTANCE
    with suppress(*_UNSOUND):
        assist = AssistSettings(**json.loads(head["assist"]))  # NULL, or no column, is as usual
    topics = _topics(rows, losses, dict(weights))
    ids = {topic.id for topic in topics}

    def all_of(
        table: str, make: Callable[[Row], _Record], key: Callable[[_Record], object]
    ) -> tuple[_Record, ...]:
        def note_loss(_row: Row) -> None:
            losses.note(what="A row of table {table} is invalid.", table=table)

        return _sound(sorted(rows.each(table), key=position_of), make, key, note_loss)

    persons = all_of("person", PERSONS.of_row, lambda one: one.id)
    person_ids = {person.id for person in persons}
    corpus = Corpus(
        name=str(head.get("name") or ""),
        guidelines=str(head.get("guidelines") or ""),
        is_blind=bool(head.get("is_blind")),
        assist=assist,
        rank_weights=weights,
        topics=topics,
        human_scores=tuple(
            score
            for score in all_of("human_score", _score, lambda one: one.key)
            if score.topic is None or score.topic in ids
        ),
        persons=persons,
        assignments=tuple(
            one
            for one in all_of("assignment", ASSIGNMENTS.of_row, lambda one: one.key)
            if one.topic in ids and one.person in person_ids
        ),
    )
    n_runs, n_shown = map(rows.n_of, ("score_run", "suggestion"))
    if n_runs:
        losses.note(what="{n} {n:set|sets} of kept scores cannot be carried over.", n=n_runs)
    if n_shown:
        what = "{n} shown {n:suggestion|suggestions} cannot be carried over."
        losses.note(what=what, n=n_shown)
    return Salvage(
        copy=Copy(corpus=corpus, ownership=_ownership(rows, head)),
        log=(row for row in rows.each("operation") if _is_log_row(row)),
        parses=_parses(rows),
        losses=losses,
    )


def _topics(rows: ReadableRows, losses: Losses, weights: Mapping[str, float]) -> tuple[Topic, ...]:
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
        name = free_id(_name_for(row_id), by_id)
        by_id[name] = row_id
        losses.note(what="The id of a topic is lost; it is called “{topic}”.", topic=name)
    orphans = rows.n_orphans("source_sentence", "document")
    if orphans:
        what = "{n} {n:document whose topic is lost is|documents whose topic is lost are} gone."
        losses.note(what=what, n=orphans)

    made = Builder(rows, {row_id: one for one, row_id in by_id.items()}, losses).topics()
    return tuple([with_sound_ranks(topic, weights, losses.note) for topic in made])


def _name_for(row_id: object) -> str:
    return f"rescued-{row_id}" if isinstance(row_id, int) else "rescued"


def _usable_id(value: object) -> str | None:
    return value if isinstance(value, str) and is_usable_id(value) else None


def _sound(
    rows: Iterable[Row],
    make: Callable[[Row], _Record],
    key: Callable[[_Record], object],
    note_loss: Callable[[Row], None],
) -> tuple[_Record, ...]:
    """Returns the records of sound rows with distinct keys, the first of each."""
    found: dict[object, _Record] = {}
    for row in rows:
        try:
            record = make(row)
        except _UNSOUND:
            note_loss(row)
        else:
            found.setdefault(key(record), record)
    return tuple(found.values())


class Builder:
    """Rows of some topics on their way to records."""

    def __init__(self, rows: ReadableRows, topics: Mapping[int, str], losses: Losses) -> None:
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
        name = _name_for(row["id"])
        self._note_loss(
            what="An id in table {table} is lost; it is called “{id}”.", table=table, id=name
        )
        return name

    def _owned(self, table: str, rows: Sequence[Row], owner: str) -> dict[int, list[Row]]:
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
        return Document(
            id=self._id_of(row, "document"),
            source=row["source"],
            date=row["date"],
            title=row["title"],
            split=_split_of(row),
            sentences=self._parts(
                SOURCE_SENTENCES.of_row,
                sentences,
                str(row["key"]),
                what="A sentence of document “{id}” is invalid.",
            ),
        )

    def _parts(
        self, make: Callable[[Row], _Numbered], rows: list[Row], owner: str, *, what: str
    ) -> tuple[_Numbered, ...]:
        """Returns numbered parts of a document or abstract, of each number the first."""
        return _sound(rows, make, attrgetter("n"), lambda _: self._note_loss(what=what, id=owner))

    def _abstracts(self) -> dict[int, list[Abstract]]:
        rows = self._rows.among("abstract", [*self._ids])
        sentences = self._owned("abstract_sentence", rows, "abstract_id")
        alignments = self._owned("alignment", rows, "abstract_id")
        entries = self._owned("sentence_alignment", [*chain(*alignments.values())], "alignment_id")
        gold = self._owned("gold_entry", rows, "abstract_id")
        found: dict[int, list[Abstract]] = defaultdict(list)
        for row in rows:
            bare = self._abstract(row, sentences[row["id"]])
            numbers = {sentence.n for sentence in bare.sentences}
            aligned: dict[str, Alignment] = {}
            for alignment in alignments[row["id"]]:
                mine = self._parts(
                    partial(_entry, numbers),
                    entries[alignment["id"]],
                    bare.id,
                    what="An entry for abstract “{id}” is lost.",
                )
                with suppress(*_UNSOUND):
                    made = Alignment(annotator=alignment["annotator"], sentences=mine)
                    aligned.setdefault(made.annotator, made)
            decided = self._parts(
                partial(_decision, numbers),
                gold[row["id"]],
                bare.id,
                what="A decision about abstract “{id}” is lost.",
            )
            found[row["topic_id"]].append(
                replace(bare, alignments=tuple(aligned.values()), gold=decided)
            )
        return found

    def _abstract(self, row: Row, sentences: list[Row]) -> Abstract:
        limit = None
        with suppress(*_UNSOUND):
            limit = Limit(unit=row["limit_unit"], size=row["limit_size"])
        return Abstract(
            id=self._id_of(row, "abstract"),
            length=_usable_id(row["length"]),
            author=row["author"],
            split=_split_of(row),
            limit=limit,
            sentences=self._parts(
                ABSTRACT_SENTENCES.of_row,
                sentences,
                str(row["key"]),
                what="A sentence of abstract “{id}” is invalid.",
            ),
        )

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


def _entry(numbers: set[int], row: Row) -> SentenceAlignment:
    entry = entry_of_columns(_entry_columns(row))
    if entry.n not in numbers:
        raise ValueError(entry.n)
    return entry


def _decision(numbers: set[int], row: Row) -> GoldEntry:
    more = ("decided_by", "at", "origin", "sources", "locked", "cause")
    decided = gold_of_columns([*_entry_columns(row), *(row[key] for key in more)])
    if decided.n not in numbers:
        raise ValueError(decided.n)
    return replace(decided, locked=bool(decided.locked))


def _split_of(row: Row) -> str:
    """Returns a text's split; unknown in files before format 1.4."""
    split = row.get("split")
    return split if isinstance(split, str) and is_split(split) else GIVEN


def _ownership(rows: ReadableRows, head: Row) -> Ownership:
    known = (row for row in rows.each("entry_version") if row.get("is_known"))
    return Ownership(
        corpus=str(head.get("uid") or ""),
        replica=str(head.get("replica") or ""),
        handed_to=head.get("handed_to"),
        versions=versions_by_entry(
            tuple(row[name] for name in VERSION_COLUMNS) for row in known if _is_version(row)
        ),
    )


def _parses(rows: ReadableRows) -> ParsesByModel:
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


def _score(row: Row) -> HumanScore:
    return HUMAN_SCORES.of_row({**row, "value": float(row["value"])})


def _entry_columns(row: Row) -> list[object]:
    named = (row[name] for name in ("n", "state", "alternatives", "note"))
    return [*named, row.get("rank"), row.get("assist")]


def _by_id(parts: list[_Record]) -> list[_Record]:
    """Drops parts with the id of an earlier one."""
    return [*{getattr(part, "id", None): part for part in reversed(parts)}.values()][::-1]


def _is_version(row: Row) -> bool:
    texts = map(row.get, ("topic", "abstract", "digest", "at", "replica"))
    numbers = map(row.get, ("n", "revision"))
    return (
        all(isinstance(one, str) for one in texts)
        and all(isinstance(one, int) for one in numbers)
        and "annotator" in row
    )


def _is_log_row(row: Row) -> bool:
    texts = map(row.get, ("at", "who", "kind", "verb", "subject"))
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
