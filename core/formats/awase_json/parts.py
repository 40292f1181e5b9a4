"""The parts of a topic from Awase JSON: documents, abstracts, alignments, outputs.

A part that is broken is replaced by a stand-in of the same index, so that the rest can be checked
with the right paths; what would only follow from the breakage is not told. A file with any problem
is refused as a whole, so that no stand-in leaves these modules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Generic, TypeVar

from awase.core.errors import CorpusFormatError, Listing, Problem
from awase.core.formats.reading.findings import FilePosition
from awase.core.formats.reading.json_fields import LARGEST, STAND_IN, Fields, JsonFindings
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import Alignment, AlignmentState, Alternative, SentenceAlignment
from awase.core.records.assist import AssistOrigin
from awase.core.records.gold import Gold, GoldEntry, GoldOrigin, GoldSource
from awase.core.records.identifiers import GIVEN, SentenceRef
from awase.core.records.output import Extract, Output, References, TextOutput
from awase.core.records.source import Document, SourceSentence, refs_by_name
from awase.core.records.topic import Topic

_ALIGNMENT = ("annotator", "sentences")
_SENTENCE_ALIGNMENT = ("n", "state", "alternatives", "note", "rank", "assist")
_STATES = {state.value: state for state in AlignmentState}
_ORIGINS = {origin.value: origin for origin in AssistOrigin}


class Mentions:
    """The source sentences that a topic's alternatives and extracts name.

    They are checked here rather than by the records, which know neither the paths of what was left
    out nor which documents were lost.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = tuple(documents)
        self._known = refs_by_name(documents)
        self._others: dict[str, SentenceRef] = {}
        self._lists: list[tuple[str, list[SentenceRef | None]]] = []

    def read(
        self, values: list[object], path: str, problems: JsonFindings
    ) -> list[SentenceRef | None]:
        """Returns the addresses in a JSON list; None, and a problem, for what is none."""
        refs = [self._known.get(value) if isinstance(value, str) else None for value in values]
        if None in refs:
            refs = [
                ref or self._parse(value, f"{path}[{index}]", problems)
                for index, (ref, value) in enumerate(zip(refs, values, strict=True))
            ]
            self._lists.append((path, refs))
        return refs

    def _parse(self, value: object, path: str, problems: JsonFindings) -> SentenceRef | None:
        if not isinstance(value, str):
            hint = "Write a sentence id as a string: <document id>:<n>."
            problems.wrong_type(value, "a sentence id", path, hint)
            return None
        ref = problems.build(lambda: SentenceRef.parse(value), path)
        if ref is not None and str(ref) not in self._known:
            self._others[str(ref)] = ref
        return ref

    def unknown(self, topic_id: str, lost: set[str | None]) -> Iterator[tuple[str, Problem]]:
        """Yields (path, problem) for each mention of a sentence that no document has.

        Args:
            lost: Ids of the documents that could not be read whole; None among them = one without
                an id, which could be any.
        """
        named = {document.id for document in self._documents}
        others = {
            ref
            for ref in self._others.values()
            if ref.document_id not in lost and (None not in lost or ref.document_id in named)
        }
        if not others:
            return
        for path, refs in self._lists:
            for index, ref in enumerate(refs):
                if ref in others:
                    told = _unknown(topic_id, self._documents, ref)
                    yield from ((f"{path}[{index}]", problem) for problem in told)


def _unknown(topic_id: str, documents: tuple[Document, ...], ref: SentenceRef) -> Iterator[Problem]:
    """Yields what a topic says to an extract of a sentence that it has not."""
    unique = tuple({document.id: document for document in documents}.values())
    try:
        Topic(id=topic_id, documents=unique, outputs=(Extract(system="probe", sentences=(ref,)),))
    except CorpusFormatError as error:
        for problem in error.problems:
            if problem.path.startswith("outputs["):
                yield problem


def alignment(value: object, path: str, problems: JsonFindings, mentions: Mentions) -> Alignment:
    """Returns the alignment at `path`."""
    stand_in = Alignment(annotator=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _ALIGNMENT)
    if fields is None:
        return stand_in
    annotator = fields.text("annotator") if fields.has("annotator") else "1"
    sentences = [
        _sentence_alignment(item, position, path, problems, mentions)
        for position, (item, path) in enumerate(fields.each("sentences"), start=1)
    ]
    if annotator is None:
        return stand_in
    record = problems.build(
        lambda: Alignment(annotator=annotator, sentences=tuple(sentences)),
        path,
        is_spurious=concerns_stand_in,
    )
    return record or stand_in


def _sentence_alignment(
    value: object, position: int, path: str, problems: JsonFindings, mentions: Mentions
) -> SentenceAlignment:
    stand_in = SentenceAlignment(n=LARGEST + position)
    fields = Fields.of(value, path, problems, _SENTENCE_ALIGNMENT)
    if fields is None:
        return stand_in
    n = fields.integer("n") if fields.has("n") else position
    note, rank = fields.text("note"), fields.text("rank")
    assist = fields.one_of(
        "assist", _ORIGINS, what="“{assist}” is not what can become of a suggestion."
    )
    alternatives = alternatives_in(fields, problems, mentions)
    state = state_in(fields, problems)
    if n is None or state is None:
        return stand_in
    record = problems.build(
        lambda: SentenceAlignment(
            n=n, state=state, alternatives=alternatives, note=note, rank=rank, assist=assist
        ),
        path,
    )
    return record or stand_in


def state_in(fields: Fields, problems: JsonFindings) -> AlignmentState | None:
    """Returns the state of an entry; None, and a problem noted, when it is none."""
    if not fields.has("state"):
        has_alternatives = fields.raw("alternatives") not in (None, [])
        return AlignmentState.CONFIRMED if has_alternatives else AlignmentState.TODO
    name = fields.text("state")
    if name is None or name in _STATES:
        return _STATES[name] if name is not None else None
    close = next(iter(get_close_matches(name.lower().replace(" ", "_"), _STATES, n=1)), "")
    problems.add(
        FilePosition(fields.at("state")),
        what="“{state}” is not a state.",
        hint="Did you mean “{close}”?" if close else "Use one of {known}.",
        state=name,
        close=close,
        known=Listing(_STATES),
    )
    return None


def alternatives_in(
    fields: Fields, problems: JsonFindings, mentions: Mentions
) -> tuple[Alternative, ...]:
    """Returns the alternatives of an entry, without what is none."""
    found = []
    for value, path in fields.each("alternatives"):
        if not isinstance(value, list):
            hint = "An alternative is a list of sentence ids, even when it has only one."
            problems.wrong_type(value, "a list", path, hint)
            continue
        members = mentions.read(value, path, problems)
        sound = tuple(ref for ref in members if ref is not None)
        if sound or not members:
            alternative = problems.build(partial(Alternative, sound), path)
            found += [alternative] if alternative is not None else []
    return tuple(found)


def concerns_stand_in(problem: Problem) -> bool:
    """Whether a problem is about the number of a sentence that could not be read."""
    n = problem.fields.get("n", 0)
    return isinstance(n, int) and n > LARGEST


_Record = TypeVar("_Record")
_Extra = TypeVar("_Extra")

_DOCUMENT = ("id", "source", "date", "title", "sentences", "split")
_ABSTRACT = ("id", "length", "author", "limit", "sentences", "alignments", "gold", "split")
LIMIT_KEYS = ("unit", "size")
_OUTPUT = ("system", "length", "extract", "text", "references", "split")


@dataclass(frozen=True, slots=True)
class ReadPart(Generic[_Record]):
    """A record, or a stand-in for one that could not be read whole.

    Attributes:
        id: The id the file gives, even where the record could not be made.
    """

    record: _Record
    is_whole: bool
    id: str | None = None


def document(value: object, path: str, problems: JsonFindings) -> ReadPart[Document]:
    """Returns the document at `path`."""
    stand_in = Document(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _DOCUMENT)
    if fields is None:
        return ReadPart(stand_in, False)
    has_id = fields.required("id", "sentences are named by it")
    document_id = fields.text("id") if has_id else None
    plain = _plain_sentences(fields.raw("sentences"))
    sentences = plain or _sentences(fields, _SOURCE_SENTENCE, problems)
    source, date, title = fields.text("source"), fields.text("date"), fields.text("title")
    split = fields.text("split") or GIVEN
    record = problems.build(
        lambda: Document(
            id=stand_in.id if document_id is None else document_id,
            sentences=tuple(sentence for sentence, _ in sentences),
            source=source,
            date=date,
            title=title,
            split=split,
        ),
        path,
    )
    is_whole = fields.is_sound and all(whole for _, whole in sentences)
    return ReadPart(record or stand_in, is_whole and record is not None, document_id)


@dataclass(frozen=True, slots=True)
class _Kind(Generic[_Record, _Extra]):
    """What is special to the sentences of documents or of abstracts.

    Attributes:
        extra: Reads what the other kind has not.
    """

    keys: tuple[str, ...]
    extra: Callable[[Fields], _Extra | None]
    make: Callable[[int, str, _Extra | None], _Record]


_SOURCE_SENTENCE = _Kind(
    ("n", "text", "paragraph"),
    lambda fields: fields.integer("paragraph"),
    lambda n, text, paragraph: SourceSentence(n=n, text=text, paragraph=paragraph),
)
_ABSTRACT_SENTENCE = _Kind(
    ("n", "text", "rank"),
    lambda fields: fields.text("rank"),
    lambda n, text, rank: AbstractSentence(n=n, text=text, rank=rank),
)


_PLAIN_KEYS = frozenset(_SOURCE_SENTENCE.keys)


def _plain_sentences(values: object) -> list[tuple[SourceSentence, bool]]:
    """Returns the sentences of a document in which nothing is unusual; else none of them.

    Nearly all that is read are these: a look at each takes a sixth of the time of `_sentence`.
    """
    rows: list[tuple[int, str, int | None]] = []
    for position, value in enumerate(values if isinstance(values, list) else (), start=1):
        if isinstance(value, str):
            rows.append((position, value, None))
            continue
        if type(value) is not dict or not value.keys() <= _PLAIN_KEYS:
            return []
        n, text, paragraph = value.get("n", position), value.get("text"), value.get("paragraph")
        if not (type(n) is int and type(text) is str and 1 <= n <= LARGEST):
            return []
        if not (paragraph is None or (type(paragraph) is int and 1 <= paragraph <= LARGEST)):
            return []
        rows.append((n, text, paragraph))
    try:
        return [(sentence, True) for sentence in SourceSentence.all_of(rows)]
    except CorpusFormatError:
        return []


def _sentences(
    parent: Fields, kind: _Kind[_Record, _Extra], problems: JsonFindings
) -> list[tuple[_Record, bool]]:
    """Returns (sentence or stand-in, whether it is whole) of each sentence."""
    return [
        _sentence(value, position, path, kind, problems)
        for position, (value, path) in enumerate(parent.each("sentences"), start=1)
    ]


def _sentence(
    value: object, position: int, path: str, kind: _Kind[_Record, _Extra], problems: JsonFindings
) -> tuple[_Record, bool]:
    n: int | None = position
    text: str | None = None
    extra: _Extra | None = None
    fields = None
    if isinstance(value, str):
        text = value
    elif (fields := Fields.of(value, path, problems, kind.keys)) is not None:
        text = fields.text("text") if fields.required("text", "the sentence") else None
        n = fields.integer("n") if fields.has("n") else position
        extra = kind.extra(fields)
    if text is not None and n is not None:
        record = problems.build(partial(kind.make, n, text, extra), path)
        if record is not None:
            return record, fields is None or fields.is_sound
    return kind.make(LARGEST + position, "", None), False


def abstract(
    value: object, path: str, problems: JsonFindings, mentions: Mentions, default_id: str
) -> ReadPart[Abstract]:
    """Returns the abstract at `path`; `default_id` names it when the file does not."""
    stand_in = Abstract(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _ABSTRACT)
    if fields is None:
        return ReadPart(stand_in, False)
    abstract_id = fields.text("id") if fields.has("id") else default_id
    length, author = fields.text("length"), fields.text("author")
    split = fields.text("split") or GIVEN
    limit = _limit(fields, problems)
    sentences = _sentences(fields, _ABSTRACT_SENTENCE, problems)
    has_lost_sentences = not all(whole for _, whole in sentences)
    alignments = [alignment(item, at, problems, mentions) for item, at in fields.each("alignments")]

    gold = gold_in(fields, problems, mentions)

    def only_follows(problem: Problem) -> bool:
        is_about_entry = problem.path.startswith(("alignments[", "gold."))
        is_unknown_number = is_about_entry and problem.path.endswith(".n")
        return (has_lost_sentences and is_unknown_number) or concerns_stand_in(problem)

    record = problems.build(
        lambda: Abstract(
            id=stand_in.id if abstract_id is None else abstract_id,
            sentences=tuple(sentence for sentence, _ in sentences),
            length=length,
            author=author,
            limit=limit,
            alignments=tuple(alignments),
            gold=gold,
            split=split,
        ),
        path,
        is_spurious=only_follows,
    )
    return ReadPart(record or stand_in, record is not None and fields.is_sound, abstract_id)


def _limit(parent: Fields, problems: JsonFindings) -> Limit | None:
    fields = parent.part("limit", LIMIT_KEYS)
    if fields is None:
        return None
    has_both = fields.required("unit", "what is counted")
    has_both = fields.required("size", "how many are allowed") and has_both
    unit, size = fields.text("unit"), fields.integer("size")
    if not has_both or unit is None or size is None:
        return None
    return problems.build(lambda: Limit(unit=unit, size=size), fields.path)


def output(
    value: object, path: str, problems: JsonFindings, mentions: Mentions
) -> ReadPart[Output]:
    """Returns the output at `path`."""
    stand_in = TextOutput(system=f"{STAND_IN}{path}", sentences=())
    fields = Fields.of(value, path, problems, _OUTPUT)
    if fields is None:
        return ReadPart(stand_in, False)
    has_system = fields.required("system", "the name of the system")
    system, length = fields.text("system"), fields.text("length")
    split = fields.text("split") or GIVEN
    own = _references(fields, problems)
    if fields.has("extract") == fields.has("text"):
        problems.add(
            FilePosition(path),
            what="An output is either an extract or a text; this has {found}.",
            hint="Keep exactly one of “extract” and “text”.",
            found="both" if fields.has("text") else "neither",
        )
        return ReadPart(stand_in, False)
    n_before = len(problems.found)
    extract = mentions.read(fields.items("extract"), fields.at("extract"), problems)
    texts = _texts(fields.each("text"), problems)
    is_whole = has_system and fields.is_sound and len(problems.found) == n_before

    def make() -> Output:
        name = stand_in.system if system is None else system
        if fields.has("extract"):
            refs = tuple(ref for ref in extract if ref is not None)
            return Extract(system=name, sentences=refs, length=length, references=own, split=split)
        return TextOutput(system=name, sentences=texts, length=length, references=own, split=split)

    record = problems.build(make, path)
    return ReadPart(record or stand_in, is_whole and record is not None)


def _texts(values: Iterable[tuple[object, str]], problems: JsonFindings) -> tuple[str, ...]:
    found = []
    for value, path in values:
        if isinstance(value, str):
            found.append(value)
        else:
            problems.wrong_type(value, "a string", path)
    return tuple(found)


def _references(fields: Fields, problems: JsonFindings) -> References | None:
    if not fields.has("references"):
        return None
    references = []
    for value, path in fields.each("references"):
        if isinstance(value, list):
            texts = ((text, f"{path}[{index}]") for index, text in enumerate(value))
            references.append(_texts(texts, problems))
        else:
            hint = "A reference is a list of sentences."
            problems.wrong_type(value, "a list", path, hint)
    return tuple(references)


_GOLD = ("sentences",)
DECISION = (
    "n", "state", "alternatives", "rank", "note", "decided_by", "at", "origin", "sources",
    "locked", "cause",
)  # fmt: skip
_SOURCE = ("annotator", "digest", "alternatives")
_GOLD_ORIGINS = {origin.value: origin for origin in GoldOrigin}


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
    fields = Fields.of(value, path, problems, DECISION)
    if fields is None:
        return stand_in
    n = fields.integer("n") if fields.has("n") else position
    note, rank, cause = fields.text("note"), fields.text("rank"), fields.text("cause")
    decided_by, at = fields.text("decided_by"), fields.text("at")
    alternatives = alternatives_in(fields, problems, mentions)
    state = state_in(fields, problems)
    origin = fields.one_of(
        "origin", _GOLD_ORIGINS, what="“{origin}” is not an origin of a decision."
    )
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
