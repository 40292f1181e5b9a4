"""What is asked of a metric, and what its values say about how they were made.

A request is `name[:option=value,…]`; a signature is the same string with every option spelled out
and the program's version at the end. Both are stored, so names and spellings are for ever.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib.metadata import version

from awase.core.errors import InputError

_REQUEST = re.compile(r"(?P<name>[a-z][a-z0-9-]*)(?::(?P<options>.*))?", re.DOTALL)
_DIGITS_OF_A_ROUNDED_WEIGHT = 4


@cache
def program_version() -> str:
    """Returns the version of the installed program."""
    return version("awase")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRequest:
    """A metric with the options that the user gave.

    Attributes:
        name: Metric name as on the command line.
        options: (option, value) in the order given; options left out take their defaults.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "MetricRequest":
        """Returns the request that `text` spells; a signature is a request, too.

        Raises:
            InputError: The text does not have the form `name[:option=value,…]`.
        """
        match = _REQUEST.fullmatch(text.strip())
        if match is None:
            raise InputError.of(
                "“{text}” is not a metric.", "Write name or name:option=value,….", text=text
            )
        options = tuple(
            _parse_option(part, text) for part in (match["options"] or "").split(",") if part
        )
        return cls(name=match["name"], options=options)

    def chosen(self, defaults: Mapping[str, str], facts: tuple[str, ...] = ()) -> dict[str, str]:
        """Returns every option of `defaults` with the value given, or else its default.

        Args:
            defaults: Option name to default value: all the options that the metric has.
            facts: Further keys that signatures carry and requests ignore.

        Raises:
            InputError: An option that the metric does not have, or the same one twice.
        """
        chosen = dict(defaults)
        seen: set[str] = set()
        for option, value in self.options:
            if option in facts or option == "version":
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
            "Did you mean “{close}”?" if close else "It has: {known}.",
            metric=self.name,
            option=option,
            close=close[0] if close else "",
            known=", ".join(defaults) or "none",
        )


def _parse_option(part: str, text: str) -> tuple[str, str]:
    option, equals, value = part.partition("=")
    if not equals or not option.strip() or not value.strip():
        raise InputError.of(
            "“{part}” in “{text}” is not an option.", "Write option=value.", part=part, text=text
        )
    return option.strip(), value.strip()


def signature_text(name: str, options: Mapping[str, str]) -> str:
    """Returns the signature of a value of metric `name` made with these options."""
    spelled = [f"{option}={value}" for option, value in options.items()]
    return f"{name}:{','.join([*spelled, f'version={program_version()}'])}"


def weight_text(weight: Fraction) -> str:
    """Returns a weight as signatures spell it; `weight_of` reads it back exactly."""
    for digits in range(_DIGITS_OF_A_ROUNDED_WEIGHT, 18):
        text = f"{float(weight):.{digits}f}".rstrip("0").rstrip(".") or "0"
        if weight_of(text) == weight:
            return text
    return f"{weight.numerator}:{weight.denominator}"


def weight_of(text: str) -> Fraction:
    """Returns the exact weight that `text` spells.

    A decimal of four digits or more that is the rounding of a fraction with a denominator of at
    most 12 stands for that fraction: 0.3333 is 1/3. Every other decimal is taken as written.

    Raises:
        ValueError: `text` is not a number.
    """
    numerator, colon, denominator = text.partition(":")
    if colon:
        return Fraction(int(numerator), int(denominator))
    exact = Fraction(text)
    digits = len(text.partition(".")[2])
    if digits >= _DIGITS_OF_A_ROUNDED_WEIGHT:
        simple = exact.limit_denominator(12)
        if abs(simple - exact) * 10**digits * 2 <= 1:
            return simple
    return exact
