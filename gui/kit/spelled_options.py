"""Options in messages, translated from command line syntax to the form's words."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from awase.core.analysis.extractors import EXTRACTORS
from awase.core.errors import FieldValue, filled
from awase.core.metrics.kit.metric import Option
from awase.core.metrics.registry import METRICS, options_of

_SPELLED: Final = re.compile(
    r" ?(?<![\w:])(?P<option>\{option\}|[a-z]+)=(?P<value>\{\w+\}|[\w*.+-]*[\w*]) ?"
)
_ASIDE: Final = re.compile("[：（。]")
_Options = Mapping[str, Option[Any]]


def in_words(
    template: str, whole: str, fields: Mapping[str, FieldValue], tr: Callable[..., str]
) -> str:
    """Fills a translated template, with the options of metrics and extractors in words."""
    # One option may be of several metrics; the whole text of the problem tells which one is meant.
    options = _meant([_pair(match, fields) for match in _SPELLED.finditer(whole)])
    parts, end = [], 0
    for match in _SPELLED.finditer(template):
        name, value = _pair(match, fields)
        if name in options:
            parts.append(filled(template[end : match.start()], fields))
            option, worded = words_of(options[name], value, tr)
            parts.append(tr("“{option}: {value}”", option=option, value=worded))
            end = match.end()
    return "".join((*parts, filled(template[end:], fields)))


def _pair(match: "re.Match[str]", fields: Mapping[str, FieldValue]) -> tuple[str, str]:
    return filled(match["option"], fields), filled(match["value"], fields)


def _meant(spelled: Sequence[tuple[str, str]]) -> _Options:
    """Returns the options of the metric or extractor that matches most names."""
    of_metrics = ({one.name: one for one in options_of(name)} for name in METRICS)
    of_extractors = ({one.name: one for one in each.options} for each in EXTRACTORS.values())

    def known(options: _Options) -> tuple[int, int]:
        values = [
            value in {choice.value for choice in options[name].choices}
            for name, value in spelled
            if name in options
        ]
        return len(values), sum(values)

    return max((*of_metrics, *of_extractors), key=known) if spelled else {}


def words_of(option: Option[Any], value: str, tr: Callable[..., str]) -> tuple[str, str]:
    named = next((tr(choice.what) for choice in option.choices if choice.value == value), value)
    return _ASIDE.split(tr(option.what))[0], named
