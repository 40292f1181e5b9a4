"""Ids, the address of a source sentence, and documents, the input of summarisation."""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from itertools import chain, count, repeat
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

from awase.core.errors import CorpusFormatError, Problem, raise_if_any

_UNSAFE_IN_ID = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNSAFE_IN_TEXT = re.compile(r"[\x00\ud800-\udfff]")
_REF = re.compile(r"(?P<document>.+):(?P<n>[0-9]{1,9})", re.DOTALL)


# Split of texts that came as sentences, or in an unknown way.
GIVEN: Final = "given"
# Of one way in which texts become sentences: as lists, by lines, not at all, by a splitter.
SPLIT_PATTERN: Final = r"(?:given|lines|one|[a-z]{2,3}-[0-9]{1,3})"
_SPLITS = re.compile(rf"{SPLIT_PATTERN}(?:\+{SPLIT_PATTERN})*")


_Value = TypeVar("_Value", bound=Hashable)


class SentenceRef(NamedTuple):
    """The address of a source sentence within its topic; stable under edits of the text.

    Attributes:
        document_id: Id of the document, which may itself contain colons.
        n: Number of the sentence in its document, from 1.
    """

    document_id: str
    n: int

    def __str__(self) -> str:
        return f"{self.document_id}:{self.n}"

    @classmethod
    def parse(cls, text: str) -> "SentenceRef":
        """Parses `"<document id>:<n>"`; the last colon separates."""
        match = _REF.fullmatch(text)
        if match is None or int(match["n"]) < 1:
            raise CorpusFormatError.of(
                "“{text}” is not a sentence id.",
                "Write it as <document id>:<n>, with n counted from 1.",
                text=text,
            )
        return cls(match["document"], int(match["n"]))


def sentence_place(topic_id: str, abstract_id: str, n: int) -> str:
    """Returns an abstract sentence's address as shown to users, with the topic if the id lacks it.

    >>> sentence_place("E30", "E30-short", 6), sentence_place("E30", "summary", 6)
    ('E30-short · 6', 'E30 · summary · 6')
    """
    place, rest = f"{abstract_id} · {n}", abstract_id.removeprefix(topic_id)
    tells_topic = rest != abstract_id and not rest[:1].isalnum()
    return place if tells_topic else f"{topic_id} · {place}"


def id_problems(value: str, path: str) -> Iterator[Problem]:
    """Yields why `value` is no id: empty, surrounding blanks, control characters."""
    if not value:
        yield Problem(what="The id is empty.", hint="Give it a name.", path=path)
    elif value != value.strip() or _UNSAFE_IN_ID.search(value):
        yield Problem(
            what="The id {id} has a blank at its end, a line break or a control character.",
            hint="Remove it.",
            fields={"id": repr(value)},
            path=path,
        )


@lru_cache(maxsize=4096)
def is_usable_id(value: str) -> bool:
    """Returns whether `id_problems` is empty; cached, as names of systems repeat."""
    return next(id_problems(value, ""), None) is None


def free_id(first: str, taken: set[str] | Mapping[str, object]) -> str:
    """Returns `first`, or the first of first-2, first-3, … that is not taken."""
    further = (f"{first}-{number}" for number in count(2))
    return next(one for one in chain([first], further) if one not in taken)


def join_splits(splits: Iterable[str]) -> str:
    """Merges splitter names into one sorted `split=` value; `given` when empty.

    >>> join_splits(["lines", "en-2", "en-2+given"])
    'en-2+given+lines'
    """
    different = {*splits}
    if len(different) == 1:
        return different.pop()
    return "+".join(sorted({one for split in different for one in split.split("+")})) or GIVEN


@lru_cache(maxsize=256)
def is_split(value: str) -> bool:
    """Returns whether `split_problems` is empty."""
    return _SPLITS.fullmatch(value) is not None


def split_problems(value: str) -> Iterator[Problem]:
    """Yields why `value` is no `split=` value."""
    if not is_split(value):
        yield Problem(
            what="“{value}” is not a way to split texts into sentences.",
            hint="Write given, lines, one or a splitter such as en-2; join several with +.",
            fields={"value": value},
            path="split",
        )


def is_storable(text: str) -> bool:
    """Returns whether `text_problems` is empty, at less cost."""
    if text.isascii():  # quick, as is its only invalid letter
        return "\0" not in text
    return _UNSAFE_IN_TEXT.search(text) is None


def text_problems(value: str, path: str) -> Iterator[Problem]:
    """Yields why `value` cannot be stored as text: NUL and lone surrogates."""
    match = _UNSAFE_IN_TEXT.search(value)
    if match is not None:
        yield Problem(
            what="The text has a character that cannot be stored (U+{code} at offset {offset}).",
            hint="The file was probably damaged by a conversion; remove or restore the character.",
            fields={"code": f"{ord(match[0]):04X}", "offset": match.start()},
            path=path,
        )


def field_problems(
    record: object, **checks: Callable[[str, str], Iterator[Problem]]
) -> Iterator[Problem]:
    """Yields what is wrong with a record's ids and texts, by the check of each.

    None is absent where the field has a default, else wrong.

    >>> [problem.path for problem in field_problems(Problem(what=""), what=id_problems)]
    ['what']
    """
    for name, check in checks.items():
        value = getattr(record, name)
        if value is not None or name in _required(record):
            yield from check(value, name)


def _required(record: object) -> list[str]:
    known = fields(record)  # type: ignore[arg-type]  # of a record
    return [one.name for one in known if one.default is MISSING]


def repeated(values: Iterable[_Value]) -> Iterator[tuple[int, _Value]]:
    """Yields (index, value) of every value that occurred earlier in `values`."""
    seen: set[_Value] = set()
    for index, value in enumerate(values):
        if value in seen:
            yield index, value
        seen.add(value)


_new_ref = tuple.__new__  # makes an address in half the time of calling its class
_Record = TypeVar("_Record")


def build_all(kind: type[_Record], first: Sized, **columns: Iterable[object]) -> list[_Record]:
    """Builds frozen records from columns that were checked, as many as `first` has values."""
    made = [*map(object.__new__, repeat(kind, len(first)))]
    for name, values in columns.items():
        deque(map(getattr(kind, name).__set__, made, values), maxlen=0)
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSentence:
    """A sentence of a document.

    Attributes:
        n: Its number in the document, from 1; it stays when the text is edited.
        paragraph: Number of its paragraph, from 1; None when unknown.
    """

    n: int
    text: str
    paragraph: int | None = None

    def __post_init__(self) -> None:
        # Nearly all records of a corpus are these: look first, and collect only what is wrong.
        is_numbered = self.n >= 1 and (self.paragraph is None or self.paragraph >= 1)
        if not is_numbered or not is_storable(self.text):
            raise_if_any(self._problems())

    @classmethod
    def all_of(cls, rows: Sequence[tuple[int, str, int | None]]) -> "tuple[SourceSentence, ...]":
        """Builds a document's sentences from (number, text, paragraph) rows, checked in bulk.

        A quarter of the time of building them one by one.
        """
        if not rows:
            return ()
        numbers, texts, paragraphs = zip(*rows, strict=True)
        least = min([1 if paragraph is None else paragraph for paragraph in paragraphs])
        if min(numbers) < 1 or least < 1 or not is_storable("".join(texts)):
            return tuple([cls(n=n, text=text, paragraph=place) for n, text, place in rows])
        return _made(numbers, texts, paragraphs)

    def _problems(self) -> Iterator[Problem]:
        for name, value in (("n", self.n), ("paragraph", self.paragraph)):
            if value is not None and value < 1:
                yield below_one(name, value)
        yield from text_problems(self.text, "text")


_row_of = attrgetter("n", "text", "paragraph")
_Columns = tuple[Sequence[int], Sequence[str], Sequence[int | None]]


def _made(*columns: *_Columns) -> tuple[SourceSentence, ...]:
    """Builds sentences from columns that were checked."""
    numbers, texts, paragraphs = columns
    return tuple(build_all(SourceSentence, numbers, n=numbers, text=texts, paragraph=paragraphs))


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """An article of a topic, in the order of its sentences.

    Attributes:
        sentences: In reading order; their numbers need not be consecutive.
        date: As the source writes it; ISO 8601 sorts.
        split: How it was split into sentences (`split=` in signatures).
    """

    id: str
    sentences: tuple[SourceSentence, ...] = ()
    source: str | None = None
    date: str | None = None
    title: str | None = None
    split: str = GIVEN

    def __post_init__(self) -> None:
        numbers = {sentence.n for sentence in self.sentences}
        rest = f"{self.source or ''}{self.date or ''}{self.title or ''}"
        is_named = is_usable_id(self.id) and is_split(self.split)
        if len(numbers) < len(self.sentences) or not is_named or not is_storable(rest):
            raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from field_problems(
            self, id=id_problems, source=text_problems, date=text_problems, title=text_problems
        )
        yield from split_problems(self.split)
        yield from repeated_numbers([sentence.n for sentence in self.sentences])

    def __reduce__(self) -> tuple[Callable[..., "Document"], tuple[object, ...]]:
        # Sentences are most of what is cached or sent to workers; one by one they take 4 times as
        # long to pickle, and 2 to unpickle.
        columns = tuple(zip(*map(_row_of, self.sentences), strict=True))
        return _document, (self.id, columns, self.source, self.date, self.title, self.split)

    def refs(self) -> Iterator[SentenceRef]:
        """Yields the address of each sentence, in reading order."""
        for sentence in self.sentences:
            yield SentenceRef(self.id, sentence.n)


def _document(
    id_: str, columns: _Columns | tuple[()], source: str | None, date: str | None,
    title: str | None, split: str,
) -> Document:  # fmt: skip
    sentences = _made(*columns) if columns else ()
    return Document(id=id_, sentences=sentences, source=source, date=date, title=title, split=split)


def refs_by_name(documents: Iterable[Document]) -> Mapping[str, SentenceRef]:
    """Returns the addresses of all sentences by their text form."""
    found: dict[str, SentenceRef] = {}
    for document in documents:
        name = document.id
        for sentence in document.sentences:
            n = sentence.n
            found[f"{name}:{n}"] = _new_ref(SentenceRef, (name, n))
    return found


def below_one(name: str, value: int) -> Problem:
    """Returns the problem that the count `name` is below 1."""
    return Problem(
        what="{name} is {value}.",
        hint="Numbers count from 1.",
        fields={"name": name, "value": value},
        path=name,
    )


def repeated_ids(ids: Iterable[str], parts: str, *, what: str, **fields: str) -> Iterator[Problem]:
    """Yields a problem for each repeated id of the parts at this path."""
    for index, id_ in repeated(ids):
        yield Problem(
            what=what,
            hint="Remove one of the two or rename it.",
            fields={"id": id_, **fields},
            path=f"{parts}[{index}].id",
        )


def repeated_numbers(numbers: list[int]) -> Iterator[Problem]:
    """Yields a problem for each repeated number."""
    for index, n in repeated(numbers):
        yield Problem(
            what="Sentence number {n} appears twice.",
            hint="Give each sentence a number of its own.",
            fields={"n": n},
            path=f"sentences[{index}].n",
        )
