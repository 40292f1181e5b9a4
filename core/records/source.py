"""Documents and their source sentences, the input of summarisation."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import attrgetter
from typing import Any

from awase.core.errors import Problem, raise_if_any
from awase.core.records.identifiers import (
    GIVEN,
    SentenceRef,
    field_problems,
    id_problems,
    is_split,
    is_storable,
    is_usable_id,
    repeated,
    split_problems,
    text_problems,
)

_new_ref = tuple.__new__  # makes an address in half the time of calling its class
# Sets a slot of a validated frozen record under construction.
Setter = Callable[[Any, Any], None]  # Any: a slot of any record


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


_new: Callable[[type[SourceSentence]], SourceSentence] = SourceSentence.__new__
_set_n: Setter = SourceSentence.__dict__["n"].__set__
_set_text: Setter = SourceSentence.__dict__["text"].__set__
_set_paragraph: Setter = SourceSentence.__dict__["paragraph"].__set__
_row_of = attrgetter("n", "text", "paragraph")
_Columns = tuple[Sequence[int], Sequence[str], Sequence[int | None]]


def _made(*columns: *_Columns) -> tuple[SourceSentence, ...]:
    """Builds sentences from columns that were checked."""
    made = tuple(map(_new, repeat(SourceSentence, len(columns[0]))))
    for setter, values in zip((_set_n, _set_text, _set_paragraph), columns, strict=True):
        deque(map(setter, made, values), maxlen=0)
    return made


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


def repeated_numbers(numbers: list[int]) -> Iterator[Problem]:
    """Yields a problem for each repeated number."""
    for index, n in repeated(numbers):
        yield Problem(
            what="Sentence number {n} stands twice.",
            hint="Give each sentence a number of its own.",
            fields={"n": n},
            path=f"sentences[{index}].n",
        )
