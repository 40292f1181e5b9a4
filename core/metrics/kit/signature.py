"""Requests of metrics, and signatures of values.

A request is `name[:option=value,…]`; a signature is the same string with every option spelled out,
facts about the data, and the program's version at the end. Both are stored, so names and spellings
are for ever. A comma in a value is spelled `%2C`, but within brackets, as in
`annotator=all(A1,A2)`; a percent sign is `%25`.

On the same corpus, values with equal signatures are equal, whatever else was scored with them.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from math import lcm
from typing import Final
from urllib.parse import unquote

from awase.core.errors import InputError, Listing
from awase.core.packages import VERSION, version_of_code
from awase.core.records.source import SPLIT_PATTERN
from awase.core.records.topic import Topic

_NAMED = r"[0-9]+@[0-9a-f]{8}"
# Patterns of facts about the data (`records.score.DATA_FACTS`); requests ignore them.
FACTS: Final[Mapping[str, str]] = {
    "no_source": "[0-9]+", "nrefs": "[0-9]+|var",
    "split": rf"{SPLIT_PATTERN}(?:\+{SPLIT_PATTERN})*", "systems": _NAMED, "whose": "[0-9a-f]{8}",
    "topics": _NAMED, "assist": "[0-9]+%",
}  # fmt: skip
# Key under which signatures name the package that adds the metric, with its version.
BY: Final = "by"
DIGITS_OF_NAMES = 8
_BRACKETED = re.compile(r"[^(),]*\([^()]*\)[^(),]*")
_PART = re.compile(r"(?:[^,(]|\([^()]*\)|\()+")
_REQUEST = re.compile(r"(?P<name>[a-z][a-z0-9-]*)(?::(?P<options>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRequest:
    """A metric with the options of a request.

    Attributes:
        options: (option, value) in the order given; the others have their defaults.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "MetricRequest":
        """Returns the request that `text` spells; a signature is a request, too."""
        match = _REQUEST.fullmatch(text.strip())
        if match is None:
            raise _no_metric(text)
        parts: list[str] = _PART.findall(match["options"] or "")
        options = tuple(_parse_option(part, text) for part in parts)
        return cls(name=match["name"], options=options)

    def chosen(self, defaults: Mapping[str, str]) -> dict[str, str]:
        """Returns every option of `defaults`, overridden by the request."""
        chosen = dict(defaults)
        seen: set[str] = set()
        for option, value in self.options:
            if option == "version":
                _check_version(self.name, value)
            if option == "version" or re.fullmatch(FACTS.get(option, r"(?!)"), value):
                continue
            if option not in defaults:
                self._refuse(option, defaults)
            if option in seen:
                raise InputError.of(
                    "Option “{option}” of {metric} is given twice.",
                    "Give it once.",
                    option=option,
                    metric=self.name,
                )
            seen.add(option)
            chosen[option] = value
        return chosen

    def _refuse(self, option: str, defaults: Mapping[str, str]) -> None:
        close = get_close_matches(option, defaults, n=1)
        raise InputError.of(
            "{metric} has no option “{option}”.",
            "Did you mean “{close}”?"
            if close
            else "It has: {known}."
            if defaults
            else "It has none.",
            metric=self.name,
            option=option,
            close=close[0] if close else "",
            known=Listing(defaults),
        )


def _check_version(metric: str, version_asked: str) -> None:
    if version_asked.partition("+")[0] != VERSION:  # the commit identifies code, not the request
        raise InputError.of(
            "The signature of {metric} is from Awase {asked}; this is {own}.",
            "Leave version out to score with this version; the number may differ.",
            metric=metric,
            asked=version_asked,
            own=version_of_code(),
        )


def _parse_option(part: str, text: str) -> tuple[str, str]:
    option, equals, value = part.partition("=")
    if not equals or not option.strip() or not value.strip():
        raise InputError.of(
            "“{part}” in “{text}” is not an option.", "Write option=value.", part=part, text=text
        )
    return option.strip(), unquote(value.strip())


def _no_metric(text: str) -> InputError:
    """Returns the error for an invalid request, with suggestions."""
    names = [name.strip().lower().replace("_", "-") for name in text.split(",")]
    if ":" not in text and len(names) > 1 and all(map(_REQUEST.fullmatch, names)):
        return InputError.of(
            "“{text}” is not a metric.", "Name metrics one by one: {names}.",
            text=text, names=Listing(f"“{name}”" for name in names),
        )  # fmt: skip
    name, colon, options = text.partition(":")
    close = f"{name.strip().lower().replace('_', '-')}{colon}{options}"
    if close != text and _REQUEST.fullmatch(close):
        return InputError.of(
            "“{text}” is not a metric.", "Did you mean “{close}”?", text=text, close=close
        )
    return InputError.of(
        "“{text}” is not a metric.", "Write name or name:option=value,….", text=text
    )


def option_text(value: str) -> str:
    """Returns an option's value as requests spell it; `MetricRequest.parse` reads it back."""
    spelled = value.replace("%", "%25")
    if _BRACKETED.fullmatch(spelled):
        return spelled
    return spelled.replace(",", "%2C").replace("(", "%28")


def signature_text(name: str, options: Mapping[str, str]) -> str:
    """Returns the signature of a value of metric `name` with these options."""
    spelled = {**options, "version": version_of_code()}
    return f"{name}:{','.join(_told(key, value) for key, value in spelled.items())}"


def with_facts(signature: str, facts: Mapping[str, str]) -> str:
    """Returns a signature with these facts before the version.

    >>> with_facts("x:a=1,version=9", {"topics": "3@0f"})
    'x:a=1,topics=3@0f,version=9'
    """
    head, mark, version = signature.rpartition("version=")
    told = "".join(f"{_told(key, value)}," for key, value in facts.items())
    return f"{head}{told}{mark}{version}"


def _told(key: str, value: str) -> str:
    """Formats an option for signatures, escaped; facts need no escapes."""
    return f"{key}={value if key in FACTS else option_text(value)}"


def digest_of_names(names: Iterable[object]) -> str:
    """Returns an order-independent digest of names."""
    listed = repr(sorted(map(repr, names)))
    return hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS_OF_NAMES]


def named(names: Iterable[str]) -> str:
    """Returns a signature's reference to topics or systems: number and digest."""
    known = {*names}
    return f"{len(known)}@{digest_of_names(known)}"


MeanFacts = Mapping[str | None, Mapping[str, str]]


def facts_of_means(topics: Iterable[Topic]) -> MeanFacts:
    """Returns the signature facts of means by length class.

    They name the topics with something to compare with, whichever systems are scored.
    """
    found: dict[str | None, dict[str, None]] = {}
    for topic in topics:
        for abstract in topic.abstracts:
            found.setdefault(abstract.length, {})[topic.id] = None
        for output in topic.outputs:
            if output.references is not None:
                found.setdefault(output.length, {})[topic.id] = None
    return {length: {"topics": named(names)} for length, names in found.items()}


_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_RATIO = re.compile(r"[0-9]+:[0-9]+")
_DIGITS_OF_A_ROUNDED_WEIGHT = 4
_MOST_DIGITS = 17
_LARGEST_ROUNDED_DENOMINATOR = 12


def exact_weight(value: float) -> Fraction:
    """Returns the fraction behind a file's number: .3333333333333333 is 1/3.

    Where no denominator up to 1,000 gives this very number, as `weight_of` its text.
    """
    simple = Fraction(value).limit_denominator(1000)
    return simple if float(simple) == value else weight_of(f"{Decimal(repr(float(value))):f}")


def weight_text(weight: Fraction) -> str:
    """Returns a weight from 0 as signatures spell it; `weight_of` reads it back exactly."""
    for digits in range(_DIGITS_OF_A_ROUNDED_WEIGHT, _MOST_DIGITS + 1):
        whole, decimals = divmod(round(weight * 10**digits), 10**digits)
        text = f"{whole}.{decimals:0{digits}}".rstrip("0").rstrip(".")
        if weight_of(text) == weight:
            return text
    return f"{weight.numerator}:{weight.denominator}"


def weight_of(text: str) -> Fraction:
    """Parses an exact weight: `0.5`, or `1:7` for 1/7.

    A decimal of four digits or more that is the rounding of a fraction with a denominator of at
    most 12 is that fraction: 0.3333 is 1/3. Every other decimal is exact. ValueError for anything
    but finite numbers from 0.
    """
    if _RATIO.fullmatch(text):
        numerator, denominator = (int(part) for part in text.split(":"))
        if denominator:
            return Fraction(numerator, denominator)
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a weight")
    exact = Fraction(text)
    digits = len(text.partition(".")[2])
    if digits >= _DIGITS_OF_A_ROUNDED_WEIGHT:
        simple = exact.limit_denominator(_LARGEST_ROUNDED_DENOMINATOR)
        if abs(simple - exact) * 10**digits * 2 <= 1:
            return simple
    return exact


def mean(values: Sequence[Fraction]) -> Fraction:
    """Returns the exact mean of at least one value."""
    if len(values) == 1:
        return values[0]
    common = lcm(*{value.denominator for value in values})
    total = sum([value.numerator * (common // value.denominator) for value in values])
    return Fraction(total, common * len(values))


class ExactMean:
    """Exact streaming mean."""

    def __init__(self) -> None:
        self.n = 0
        self._numerators: dict[int, int] = defaultdict(int)

    def add(self, value: Fraction) -> None:
        """Adds a value."""
        self.n += 1
        self._numerators[value.denominator] += value.numerator

    def value(self) -> Fraction | None:
        """Returns the mean; None of no value."""
        total = sum(
            (Fraction(numerator, own) for own, numerator in self._numerators.items()), Fraction(0)
        )
        return total / self.n if self.n else None
