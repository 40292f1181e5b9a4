"""The parts of a topic from Awase JSON: documents, abstracts, alignments, outputs.

A part that is broken is replaced by a stand-in of the same index, so that the rest can be checked
with the right paths; what would only follow from the breakage is not told. A file with any problem
is refused as a whole, so that no stand-in leaves these modules.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.awase_json.alignments import Mentions, alignment, concerns_stand_in
from awase.core.formats.awase_json.project import gold_in
from awase.core.formats.reading.findings import Place
from awase.core.formats.reading.json_fields import LARGEST, STAND_IN, Fields, JsonFindings
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.identifiers import GIVEN
from awase.core.records.output import Extract, Output, References, TextOutput
from awase.core.records.source import Document, SourceSentence

_Record = TypeVar("_Record")
_Extra = TypeVar("_Extra")

_DOCUMENT = ("id", "source", "date", "title", "sentences", "split")
_ABSTRACT = ("id", "length", "author", "limit", "sentences", "alignments", "gold", "split")
LIMIT_KEYS = ("unit", "size")
_OUTPUT = ("system", "length", "extract", "text", "references", "split")


@dataclass(frozen=True, slots=True)
class Part(Generic[_Record]):
    """A record, or a stand-in for one that could not be read whole.

    Attributes:
        record: The record.
        is_whole: Whether it is what the file says.
        id: The id the file gives, even where the record could not be made.
    """

    record: _Record
    is_whole: bool
    id: str | None = None


def document(value: object, path: str, problems: JsonFindings) -> Part[Document]:
    """Returns the document at `path`."""
    stand_in = Document(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _DOCUMENT)
    if fields is None:
        return Part(stand_in, False)
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
    return Part(record or stand_in, is_whole and record is not None, document_id)


@dataclass(frozen=True, slots=True)
class _Kind(Generic[_Record, _Extra]):
    """What is special to the sentences of documents or of abstracts.

    Attributes:
        keys: Of a sentence written as an object.
        extra: Reads what the other kind has not.
        make: From number, text and extra.
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
) -> Part[Abstract]:
    """Returns the abstract at `path`; `default_id` names it when the file does not."""
    stand_in = Abstract(id=f"{STAND_IN}{path}")
    fields = Fields.of(value, path, problems, _ABSTRACT)
    if fields is None:
        return Part(stand_in, False)
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
    return Part(record or stand_in, record is not None and fields.is_sound, abstract_id)


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


def output(value: object, path: str, problems: JsonFindings, mentions: Mentions) -> Part[Output]:
    """Returns the output at `path`."""
    stand_in = TextOutput(system=f"{STAND_IN}{path}", sentences=())
    fields = Fields.of(value, path, problems, _OUTPUT)
    if fields is None:
        return Part(stand_in, False)
    has_system = fields.required("system", "the name of the system")
    system, length = fields.text("system"), fields.text("length")
    split = fields.text("split") or GIVEN
    own = _references(fields, problems)
    if fields.has("extract") == fields.has("text"):
        problems.add(
            Place(path),
            what="An output is either an extract or a text; this has {found}.",
            hint="Keep exactly one of “extract” and “text”.",
            found="both" if fields.has("text") else "neither",
        )
        return Part(stand_in, False)
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
    return Part(record or stand_in, is_whole and record is not None)


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
