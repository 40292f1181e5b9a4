"""What is asked of a metric, and what its values say about how they were made.

A request is `name[:option=value,…]`; a signature is the same string with every option spelled out
and the program's version at the end. Both are stored, so names and spellings are for ever.
A comma in a value is spelled `%2C`, and a percent sign `%25`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version
from urllib.parse import unquote

from awase.core.errors import InputError

_REQUEST = re.compile(r"(?P<name>[a-z][a-z0-9-]*)(?::(?P<options>.*))?", re.DOTALL)


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
            InputError: An option that the metric does not have, the same one twice, or the version
                of another Awase.
        """
        chosen = dict(defaults)
        seen: set[str] = set()
        for option, value in self.options:
            if option == "version":
                _check_version(self.name, value)
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
            "Did you mean “{close}”?"
            if close
            else "It has: {known}."
            if defaults
            else "It has none.",
            metric=self.name,
            option=option,
            close=close[0] if close else "",
            known=", ".join(defaults),
        )


def _check_version(metric: str, version_asked: str) -> None:
    if version_asked != program_version():
        raise InputError.of(
            "The signature of {metric} is of Awase {asked}; this is {own}.",
            "Leave version out to score with this version; the number may differ.",
            metric=metric,
            asked=version_asked,
            own=program_version(),
        )


def _parse_option(part: str, text: str) -> tuple[str, str]:
    option, equals, value = part.partition("=")
    if not equals or not option.strip() or not value.strip():
        raise InputError.of(
            "“{part}” in “{text}” is not an option.", "Write option=value.", part=part, text=text
        )
    return option.strip(), unquote(value.strip())


def option_text(value: str) -> str:
    """Returns an option's value as requests spell it; `MetricRequest.parse` reads it back."""
    return value.replace("%", "%25").replace(",", "%2C")


def signature_text(name: str, options: Mapping[str, str]) -> str:
    """Returns the signature of a value of metric `name` made with these options."""
    spelled = {**options, "version": program_version()}
    return f"{name}:{','.join(f'{key}={option_text(value)}' for key, value in spelled.items())}"
