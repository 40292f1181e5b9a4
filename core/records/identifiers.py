"""Ids, and the address of a source sentence."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import MISSING, fields
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from awase.core.errors import CorpusFormatError, Problem

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
            what="“{value}” is no way to split texts into sentences.",
            hint="Write given, lines, one or a splitter such as en-2, several with + between them.",
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
