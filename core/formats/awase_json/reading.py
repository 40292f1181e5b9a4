"""Records from structurally valid Awase JSON, with all broken invariants.

A record is built when all of its parts were; otherwise the problems of all parts are raised
together, with paths.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.awase_json.structure import check_structure
from awase.core.formats.reading.json_text import load
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import (
    USUAL_ASSISTANCE,
    Alignment,
    AlignmentState,
    Alternative,
    AssistOrigin,
    AssistSettings,
    GoldEntry,
    GoldOrigin,
    GoldSource,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus, RankWeights
from awase.core.records.digests import EntryKey, EntryVersion, Ownership
from awase.core.records.identifiers import GIVEN, SentenceRef
from awase.core.records.output import Extract, HumanScore, Output, References, TextOutput
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document, SourceSentence, refs_by_name
from awase.core.records.topic import Topic

VERSION: Final = 1

_Json = Mapping[str, Any]  # an object with checked structure; null = absent
_Record = TypeVar("_Record")

_NOT_OURS: Final = Problem(
    what="The file is not an Awase JSON corpus.",
    hint='Such a file is an object that begins with "awase": 1 and has "topics".',
)


class _Parts:
    """Makes the parts of a record, and collects what their invariants refuse."""

    def __init__(self, value: _Json) -> None:
        self._value = value
        self._problems: list[Problem] = []

    def each(self, key: str, make: Callable[[Any, int], _Record]) -> tuple[_Record, ...]:
        """Returns the record of each item of a list; `make` gets it with its place, from 1."""
        made = []
        for position, item in enumerate(self._value.get(key) or (), start=1):
            try:
                made.append(make(item, position))
            except CorpusFormatError as error:
                self._collect(error, f"{key}[{position - 1}]")
        return tuple(made)

    @contextmanager
    def below(self, path: str) -> Iterator[None]:
        """Collects what is refused within, its path below `path`."""
        try:
            yield
        except CorpusFormatError as error:
            self._collect(error, path)

    def _collect(self, error: CorpusFormatError, path: str) -> None:
        self._problems += [problem.below(path) for problem in error.problems]

    def refuse_if_any(self) -> None:
        if self._problems:
            raise CorpusFormatError(self._problems)


def read_corpus(text: str, default_weights: RankWeights) -> tuple[Corpus, Ownership | None, _Json]:
    """Returns the corpus, its ids and versions, and the file's value.

    Args:
        default_weights: For a file without weights.
    """
    value, oddities = load(text)
    if not isinstance(value, dict) or not value.keys() & {"awase", "topics"}:
        raise CorpusFormatError([_NOT_OURS])
    _check_version(value.get("awase"))
    check_structure(value, oddities)
    parts = _Parts(value)
    topics = parts.each("topics", lambda one, _: _topic(one))
    scores = parts.each("human_scores", lambda one, _: _human_score(one))
    persons = parts.each("persons", lambda one, _: Person(**{"role": "annotator", **_present(one)}))
    assignments = parts.each("assignments", lambda one, _: Assignment(**_present(one)))
    assist = USUAL_ASSISTANCE
    with parts.below(""):  # its problems have their whole paths
        assist = AssistSettings(**_present(value.get("assist") or {}))
    ownership = _ownership(value.get("sync"), parts)
    parts.refuse_if_any()
    weights = value.get("rank_weights")
    corpus = Corpus(
        name=value.get("name") or "",
        guidelines=value.get("guidelines") or "",
        rank_weights=default_weights if weights is None else _weights_of(weights),
        topics=topics,
        human_scores=scores,
        persons=persons,
        assignments=assignments,
        is_blind=value.get("blind") or False,
        assist=assist,
    )
    return corpus, ownership, value


def _weights_of(value: _Json) -> RankWeights:
    return tuple((rank, float(weight)) for rank, weight in value.items())


def _check_version(version: object) -> None:
    if version is None or (type(version) is int and version == VERSION):
        return
    if type(version) is int and version > VERSION:
        raise CorpusFormatError.of(
            "The file is Awase JSON version {version}, made by a newer version of this program.",
            "Install the newest version, or export the corpus again as version 1.",
            path="awase",
            version=version,
        )
    raise CorpusFormatError.of(
        "The version of Awase JSON must be the number 1.", 'Write "awase": 1.', path="awase"
    )


def _present(value: _Json) -> dict[str, Any]:
    return {key: one for key, one in value.items() if one is not None}


def _human_score(value: _Json) -> HumanScore:
    return HumanScore(**{**_present(value), "value": float(value["value"])})


def _topic(value: _Json) -> Topic:
    parts = _Parts(value)
    documents = parts.each("documents", lambda one, _: _document(one))
    refs = refs_by_name(documents)
    default_ids = _default_ids(value)
    abstracts = parts.each(
        "abstracts", lambda one, position: _abstract(one, default_ids[position - 1], refs)
    )
    outputs = parts.each("outputs", lambda one, _: _output(one, refs))
    parts.refuse_if_any()
    return Topic(
        id=value["id"],
        documents=documents,
        abstracts=abstracts,
        outputs=outputs,
        title=value.get("title"),
        language=value.get("language"),
    )


def _default_ids(topic: _Json) -> list[str]:
    """Returns default ids of abstracts: from topic and length, made unique."""
    abstracts = topic.get("abstracts") or ()
    taken = {one.get("id") for one in abstracts}
    ids = []
    for one in abstracts:
        first = f"{topic['id']}-{one.get('length') or 'abstract'}"
        own, number = first, 2
        while own in taken:
            own, number = f"{first}-{number}", number + 1
        if one.get("id") is None:
            taken.add(own)
        ids.append(own)
    return ids


def _rows(value: _Json, extra: str) -> list[tuple[int, str, Any]]:
    """Returns number, text and further values of each sentence."""
    rows = []
    for position, one in enumerate(value.get("sentences") or (), start=1):
        if isinstance(one, str):
            rows.append((position, one, None))
        else:
            n = one.get("n")
            rows.append((position if n is None else n, one["text"], one.get(extra)))
    return rows


def _document(value: _Json) -> Document:
    rows = _rows(value, "paragraph")
    try:
        sentences = SourceSentence.all_of(rows)
    except CorpusFormatError:
        _refuse_sentences(rows, lambda row: SourceSentence(n=row[0], text=row[1], paragraph=row[2]))
        raise
    return Document(
        id=value["id"],
        sentences=sentences,
        source=value.get("source"),
        date=value.get("date"),
        title=value.get("title"),
        split=value.get("split") or GIVEN,
    )


def _refuse_sentences(rows: list[tuple[int, str, Any]], make: Callable[[Any], object]) -> None:
    parts = _Parts({"sentences": rows})
    parts.each("sentences", lambda row, _: make(row))
    parts.refuse_if_any()


def _abstract(value: _Json, default_id: str, refs: Mapping[str, SentenceRef]) -> Abstract:
    parts = _Parts({**value, "sentences": _rows(value, "rank")})
    sentences = parts.each(
        "sentences", lambda row, _: AbstractSentence(n=row[0], text=row[1], rank=row[2])
    )
    alignments = parts.each("alignments", lambda one, _: _alignment(one, refs))
    gold: tuple[GoldEntry, ...] = ()
    limit = None
    with parts.below("gold"):
        layer = _Parts(value.get("gold") or {})
        gold = layer.each("sentences", lambda one, position: _decision(one, position, refs))
        layer.refuse_if_any()
    with parts.below("limit"):
        limit = Limit(**value["limit"]) if value.get("limit") else None
    parts.refuse_if_any()
    own_id = value.get("id")
    return Abstract(
        id=default_id if own_id is None else own_id,
        sentences=sentences,
        length=value.get("length"),
        author=value.get("author"),
        limit=limit,
        alignments=alignments,
        gold=gold,
        split=value.get("split") or GIVEN,
    )


def _alignment(value: _Json, refs: Mapping[str, SentenceRef]) -> Alignment:
    parts = _Parts(value)
    sentences = parts.each("sentences", lambda one, position: _entry(one, position, refs))
    parts.refuse_if_any()
    annotator = value.get("annotator")
    return Alignment(annotator="1" if annotator is None else annotator, sentences=sentences)


def _entry(value: _Json, position: int, refs: Mapping[str, SentenceRef]) -> SentenceAlignment:
    parts = _Parts(value)
    alternatives = parts.each("alternatives", lambda names, _: Alternative(_refs(names, refs)))
    parts.refuse_if_any()
    n, state, assist = value.get("n"), value.get("state"), value.get("assist")
    default = AlignmentState.CONFIRMED if alternatives else AlignmentState.TODO
    return SentenceAlignment(
        n=position if n is None else n,
        state=default if state is None else AlignmentState(state),
        alternatives=alternatives,
        note=value.get("note"),
        rank=value.get("rank"),
        assist=None if assist is None else AssistOrigin(assist),
    )


def _refs(names: list[str], known: Mapping[str, SentenceRef]) -> tuple[SentenceRef, ...]:
    """Parses addresses; those of the topic's own sentences are looked up."""
    try:
        return tuple([known[name] for name in names])
    except KeyError:
        parts = _Parts({"": names})
        refs = parts.each("", lambda name, _: known.get(name) or SentenceRef.parse(name))
        parts.refuse_if_any()
        return refs


def _decision(value: _Json, position: int, refs: Mapping[str, SentenceRef]) -> GoldEntry:
    parts = _Parts(value)
    sources = parts.each(
        "sources",
        lambda one, _: GoldSource(**{**one, "alternatives": tuple(one.get("alternatives") or ())}),
    )
    with parts.below(""):
        entry = _entry(value, position, refs)
    parts.refuse_if_any()
    origin = value.get("origin")
    return GoldEntry(
        entry=entry,
        origin=GoldOrigin.EDITED if origin is None else GoldOrigin(origin),
        decided_by=value.get("decided_by"),
        at=value.get("at"),
        sources=sources,
        locked=value.get("locked") or False,
        cause=value.get("cause"),
    )


def _output(value: _Json, refs: Mapping[str, SentenceRef]) -> Output:
    system, length, split = value["system"], value.get("length"), value.get("split") or GIVEN
    own: References | None = None
    if value.get("references") is not None:
        own = tuple(map(tuple, value["references"]))
    if value.get("text") is not None:
        texts = tuple(value["text"])
        return TextOutput(
            system=system, sentences=texts, length=length, references=own, split=split
        )
    parts = _Parts(value)
    with parts.below("extract"):
        chosen = _refs(value["extract"], refs)
    parts.refuse_if_any()
    return Extract(system=system, sentences=chosen, length=length, references=own, split=split)


def _ownership(value: _Json | None, parts: _Parts) -> Ownership | None:
    """Returns the copy's ids and versions; None without any."""
    if value is None:
        return None
    versions: dict[EntryKey, tuple[EntryVersion, ...]] = {}
    for index, one in enumerate(value.get("entries") or ()):
        key = EntryKey(one["topic"], one["abstract"], one.get("annotator"), one["n"])
        with parts.below(f"sync.entries[{index}]"):
            if key in versions:
                raise CorpusFormatError.of(
                    "The versions of sentence {n} of abstract “{abstract}”, topic “{topic}”, stand "
                    "twice for one owner.",
                    "Keep those of the newest copy.",
                    n=key.n,
                    abstract=key.abstract,
                    topic=key.topic,
                )
            versions[key] = tuple(EntryVersion(**_present(v)) for v in one.get("versions") or ())
    return Ownership(
        corpus=value["corpus"],
        replica=value.get("replica") or "",
        handed_to=value.get("handed_to"),
        versions=versions,
    )
