"""Schema of Awase JSON as a table, and validation by it.

The whole file is validated before any record is built, so that all wrong keys and types are
reported together, with paths; null = absent.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import Final, NamedTuple

from awase.core.errors import CorpusFormatError, FieldValue, Listing, Problem, shortened
from awase.core.formats.reading.records import NotFinite
from awase.core.records.abstract import AlignmentState, AssistOrigin, GoldOrigin

# Largest integer: every database column can store it, and sentence ids contain it.
LARGEST: Final = 999_999_999

_MOST_SUGGESTIONS: Final = 100  # suggestions cost time, and thousands are useless

Path = tuple["Path", str | int] | None  # a place in a file; spelled only where something is wrong
_CORRECT: Final = "Correct the value."


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Schema of a value."""

    # What is of this type, and of a type's values among these, needs no further look.
    plain: type | None = None
    among: Container[object] | None = None

    def check(self, value: object, at: Path, found: "StructureErrors") -> None:
        """Reports what is wrong in a value, which is not null."""
        raise NotImplementedError


class StructureErrors:
    """Collects what is wrong in the structure of a file."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Starts with known problems."""
        self.problems = [*problems]
        self._n_suggestions = 0

    def add(self, at: Path, *, what: str, hint: str, **fields: FieldValue) -> None:
        """Reports a problem."""
        self.problems.append(Problem(what=what, hint=hint, fields=fields, path=_spelled(at)))

    def wrong_type(self, value: object, wanted: str, at: Path, hint: str = _CORRECT) -> None:
        """Reports that a value is not `wanted`; numbers that JSON lacks are reported elsewhere."""
        if not isinstance(value, NotFinite):
            is_bare = wanted == "a string" and type(value) in (int, float)
            self.add(
                at,
                what="This must be {wanted}, not {found}.",
                hint='Write it in quotation marks: "{value}".' if is_bare else hint,
                wanted=wanted,
                found=_type_name(value),
                value=str(value)[:40],
            )

    def similar(self, name: str, known: Iterable[str]) -> str:
        """Returns a suggestion for a misspelled name; empty without any."""
        self._n_suggestions += 1
        if self._n_suggestions > _MOST_SUGGESTIONS:
            return ""
        close = get_close_matches(name.lower().replace(" ", "_"), [*known], n=1)
        return close[0] if close else ""


def _spelled(at: Path) -> str:
    steps: list[str] = []
    while at is not None:
        at, step = at
        if isinstance(step, int):
            steps.append(f"[{step}]")
        else:
            steps.append(f".{shortened(step)}")
    return "".join(reversed(steps)).removeprefix(".")


def _type_name(value: object) -> str:
    if type(value) in (int, float) and number_of(value) is None:
        return "one that is too large"
    names = {
        type(None): "null", bool: "true or false", str: "a string", int: "a number",
        float: "a number", list: "a list",
    }  # fmt: skip
    return names.get(type(value), "an object")


@dataclass(frozen=True, slots=True)
class Scalar(Shape):
    """A value without parts."""

    wanted: str
    fits: Callable[[object], bool]
    hint: str = _CORRECT

    def check(self, value: object, at: Path, found: StructureErrors) -> None:
        """Reports a value of another type."""
        if not self.fits(value):
            found.wrong_type(value, self.wanted, at, self.hint)


@dataclass(frozen=True, slots=True)
class Choice(Shape):
    """One of a few names."""

    key: str  # the name's in `what`
    known: tuple[str, ...]
    what: str

    def check(self, value: object, at: Path, found: StructureErrors) -> None:
        """Reports another name, with the one that may have been meant."""
        if not isinstance(value, str):
            found.wrong_type(value, "a string", at)
        elif value not in self.known:
            close = found.similar(value, self.known)
            found.add(
                at,
                what=self.what,
                hint="Did you mean “{close}”?" if close else "Use one of {known}.",
                close=close,
                known=Listing(self.known),
                **{self.key: value},
            )


@dataclass(frozen=True, slots=True)
class ListOf(Shape):
    """A list of values of one shape."""

    item: Shape
    hint: str = _CORRECT

    def check(self, value: object, at: Path, found: StructureErrors) -> None:
        """Reports what is no list, and what is wrong in its items."""
        if not isinstance(value, list):
            found.wrong_type(value, "a list", at, self.hint)
            return
        for index, item in enumerate(value):
            shape = self.item
            if type(item) is not shape.plain or not (shape.among is None or item in shape.among):
                shape.check(item, (at, index), found)


@dataclass(frozen=True, slots=True)
class ByName(Shape):
    """An object whose keys are anybody's names, with values of one shape."""

    item: Shape
    hint: str = _CORRECT

    def check(self, value: object, at: Path, found: StructureErrors) -> None:
        """Reports what is no object, and what is wrong in its values."""
        if not isinstance(value, dict):
            found.wrong_type(value, "an object", at, self.hint)
            return
        for key, item in value.items():
            self.item.check(item, (at, key), found)


class ExactlyOne(NamedTuple):
    """Two keys of which a record has one, and what is said of another."""

    keys: tuple[str, str]
    what: str
    hint: str


@dataclass(frozen=True, slots=True)
class Record(Shape):
    """An object of known keys."""

    keys: Mapping[str, Shape]
    required: Mapping[str, str] = field(default_factory=dict)  # key to what it is for
    exactly_one: ExactlyOne | None = None

    def check(self, value: object, at: Path, found: StructureErrors) -> None:
        """Reports unknown and missing keys, and what is wrong in the values."""
        if type(value) is self.plain:
            return
        if not isinstance(value, dict):
            found.wrong_type(value, "an object", at)
            return
        if not value.keys() <= self.keys.keys():
            self._report_unknown(value, at, found)
        for key, why in self.required.items():
            if value.get(key) is None:
                what = "The key “{key}” is missing."
                found.add(at, what=what, hint="Add it: {why}.", key=key, why=why)
        for key, shape in self.keys.items():
            item = value.get(key)
            if item is None or (
                type(item) is shape.plain and (shape.among is None or item in shape.among)
            ):
                continue
            shape.check(item, (at, key), found)
        if self.exactly_one is not None:
            keys, what, hint = self.exactly_one
            first, second = value.get(keys[0]) is not None, value.get(keys[1]) is not None
            if first is second:
                found.add(at, what=what, hint=hint, found="both" if first else "neither")

    def _report_unknown(
        self, value: Mapping[str, object], at: Path, found: StructureErrors
    ) -> None:
        for key in value:
            if key not in self.keys:
                close = found.similar(key, self.keys)
                found.add(
                    (at, key),
                    what="The key “{key}” is not known here.",
                    hint="Did you mean “{close}”?"
                    if close
                    else "Remove it, or use one of {known}.",
                    key=key,
                    close=close,
                    known=Listing(self.keys),
                )


def number_of(value: object) -> float | None:
    """Returns a JSON number as a float; None when it is none or too large."""
    if isinstance(value, bool | NotFinite) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _choice(key: str, kind: type[Enum], *, what: str) -> Choice:
    known = tuple(one.value for one in kind)
    return Choice(key, known, what, plain=str, among=known)


# The table

TEXT: Final = Scalar("a string", _is_text, plain=str)
WHOLE: Final = Scalar(
    f"a whole number up to {LARGEST}",
    lambda value: False,
    plain=int,
    among=range(-LARGEST, LARGEST + 1),
)
NUMBER: Final = Scalar("a number", lambda value: number_of(value) is not None, plain=float)
TRUTH: Final = Scalar("true or false", lambda value: False, plain=bool)
ANYTHING: Final = Scalar("a value", lambda value: True)

_MEMBER: Final = Scalar(
    "a sentence id",
    _is_text,
    "Write a sentence id as a string: <document id>:<n>.",
    plain=str,
)
_ALTERNATIVES: Final = ListOf(
    ListOf(_MEMBER, "An alternative is a list of sentence ids, even when it has only one.")
)
_ENTRY: Final[Mapping[str, Shape]] = {
    "n": WHOLE,
    "state": _choice("state", AlignmentState, what="“{state}” is not a state."),
    "alternatives": _ALTERNATIVES,
    "rank": TEXT,
    "note": TEXT,
}
_ASSIST_ORIGIN: Final = _choice(
    "assist", AssistOrigin, what="“{assist}” is not an outcome of a suggestion."
)
_ALIGNMENT: Final = Record(
    {"annotator": TEXT, "sentences": ListOf(Record({**_ENTRY, "assist": _ASSIST_ORIGIN}))}
)
_SOURCE: Final = Record(
    {"annotator": TEXT, "digest": TEXT, "alternatives": ListOf(WHOLE)},
    required={"annotator": "whose entry it was", "digest": "of the entry then"},
)
DECISION: Final = Record(
    {
        **_ENTRY,
        "decided_by": TEXT,
        "at": TEXT,
        "origin": _choice("origin", GoldOrigin, what="“{origin}” is not an origin of a decision."),
        "sources": ListOf(_SOURCE),
        "locked": TRUTH,
        "cause": TEXT,
    }
)
LIMIT: Final = Record(
    {"unit": TEXT, "size": WHOLE},
    required={"unit": "what is counted", "size": "how many are allowed"},
)


def _sentences(extra: str, shape: Shape) -> ListOf:
    keys = {"n": WHOLE, "text": TEXT, extra: shape}
    return ListOf(Record(keys, required={"text": "the sentence"}, plain=str))


_ABSTRACT: Final = Record(
    {
        "id": TEXT,
        "length": TEXT,
        "author": TEXT,
        "limit": LIMIT,
        "sentences": _sentences("rank", TEXT),
        "alignments": ListOf(_ALIGNMENT),
        "gold": Record({"sentences": ListOf(DECISION)}),
        "split": TEXT,
    }
)
_DOCUMENT: Final = Record(
    {
        "id": TEXT,
        "source": TEXT,
        "date": TEXT,
        "title": TEXT,
        "sentences": _sentences("paragraph", WHOLE),
        "split": TEXT,
    },
    required={"id": "sentences are named by it"},
)
_OUTPUT: Final = Record(
    {
        "system": TEXT,
        "length": TEXT,
        "extract": ListOf(_MEMBER),
        "text": ListOf(TEXT),
        "references": ListOf(ListOf(TEXT, "A reference is a list of sentences.")),
        "split": TEXT,
    },
    required={"system": "the name of the system"},
    exactly_one=ExactlyOne(
        ("extract", "text"),
        what="An output is either an extract or a text; this has {found}.",
        hint="Keep exactly one of “extract” and “text”.",
    ),
)
_TOPIC: Final = Record(
    {
        "id": TEXT,
        "title": TEXT,
        "language": TEXT,
        "documents": ListOf(_DOCUMENT),
        "abstracts": ListOf(_ABSTRACT),
        "outputs": ListOf(_OUTPUT),
    },
    required={
        "id": "a topic is known by it",
        "documents": "the list of the topic's documents, which may be empty",
    },
)
_HUMAN_SCORE: Final = Record(
    {"topic": TEXT, "system": TEXT, "measure": TEXT, "value": NUMBER, "annotator": TEXT},
    required={"system": "the system judged", "measure": "what was judged", "value": "the score"},
)
_PERSON: Final = Record(
    {"id": TEXT, "name": TEXT, "role": TEXT}, required={"id": "alignments are signed with it"}
)
_ASSIGNMENT: Final = Record(
    {"topic": TEXT, "abstract": TEXT, "person": TEXT, "round": WHOLE, "order": WHOLE, "due": TEXT},
    required={"topic": "what is to be aligned", "person": "who is to align it"},
)
_VERSION: Final = Record(
    {"revision": WHOLE, "digest": TEXT, "at": TEXT, "replica": TEXT},
    required={"revision": "its number", "digest": "of the value"},
)
_ABOUT: Final = "which sentence it is about"
_SYNC_ENTRY: Final = Record(
    {"topic": TEXT, "abstract": TEXT, "annotator": TEXT, "n": WHOLE, "versions": ListOf(_VERSION)},
    required={"topic": _ABOUT, "abstract": _ABOUT, "n": _ABOUT},
)
_SYNC: Final = Record(
    {
        "corpus": TEXT,
        "replica": TEXT,
        "handed_to": TEXT,
        "texts": ANYTHING,
        "entries": ListOf(_SYNC_ENTRY),
    },
    required={"corpus": "which corpus this is a copy of"},
)
_ASSIST: Final = Record(
    {
        "level": WHOLE,
        "control_percent": WHOLE,
        "seed": WHOLE,
        "decoy_percent": WHOLE,
        "weights": TEXT,
    }
)
_CORPUS: Final = Record(
    {
        "awase": ANYTHING,
        "name": TEXT,
        "guidelines": TEXT,
        "rank_weights": ByName(NUMBER, "Write it as an object of ranks and weights."),
        "blind": TRUTH,
        "assist": _ASSIST,
        "persons": ListOf(_PERSON),
        "assignments": ListOf(_ASSIGNMENT),
        "topics": ListOf(_TOPIC),
        "human_scores": ListOf(_HUMAN_SCORE),
        "sync": _SYNC,
    }
)


def check_structure(value: object, oddities: Iterable[Problem]) -> None:
    """Raises CorpusFormatError with `oddities` and all violations of the schema, if any."""
    found = StructureErrors(oddities)
    _CORPUS.check(value, None, found)
    if found.problems:
        raise CorpusFormatError(found.problems)
