"""Metrics being chosen: what the Metrics dialog edits, without widgets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from awase.core.errors import InputError
from awase.core.metrics.kit.annotators import annotator_values
from awase.core.metrics.kit.options.option import ANNOTATORS, PARSERS, Option
from awase.core.metrics.kit.signature import MetricRequest, option_text
from awase.core.metrics.registry import (
    GROUPS,
    METRICS,
    defaults_of,
    options_of,
    requests_of,
    signature_of,
)
from awase.core.records.corpus import Corpus
from awase.core.records.topic import annotators_of
from awase.gui.kit.texts.i18n import problem_text, shows_codes, tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A metric or group with options that may still be wrong.

    Attributes:
        name: Of the metric or group.
        values: Option to value, where it differs from the default.
    """

    name: str
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_text(cls, text: str) -> "Draft | None":
        """Returns the draft of a metric as settings keep it; None when there is none any more."""
        try:
            requests_of([text])
        except InputError:
            return None
        request = MetricRequest.parse(text)
        return cls(name=request.name).with_values(dict(request.options))

    def with_values(self, values: Mapping[str, str]) -> "Draft":
        """Returns the draft with these options set; defaults are left out."""
        defaults = defaults_of(self.name)
        merged = {**self.values, **values}
        kept = {o: v for o, v in merged.items() if o in defaults and v != defaults[o]}
        return Draft(name=self.name, values=kept)

    def value(self, option: str) -> str:
        """Returns the value of an option, given or by default."""
        return self.values.get(option, defaults_of(self.name)[option])

    def text(self) -> str:
        """Returns the metric as the command line spells it."""
        options = ",".join(f"{o}={option_text(v.strip())}" for o, v in self.values.items())
        return f"{self.name}:{options}" if options else self.name

    def spelled(self) -> tuple[tuple[str, str], ...]:
        """Returns the options that are not at their defaults, and their values, for people."""
        if shows_codes():
            return tuple(self.values.items())
        # It brings the extractors, which English does without.
        from awase.gui.kit.texts.spelled_options import words_of

        options = {one.name: one for one in options_of(self.name)}
        return tuple(words_of(options[name], value, tr) for name, value in self.values.items())

    def check(self, corpus: Corpus) -> tuple[tuple[str, ...], str]:
        """Returns the signatures that the values will carry, and what is wrong or nothing."""
        try:
            requests = requests_of([self.text()])
            return tuple(signature_of(corpus, request) for request in requests), ""
        except InputError as error:
            return (), "\n".join(map(problem_text, error.problems))


def what_is(name: str) -> str:
    """Returns the line that describes a metric, in English; empty for a group."""
    return "" if name in GROUPS else METRICS[name].what


def names_for(option: Option[Any], corpus: Corpus, parsers: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the values that the corpus offers for an option.

    Args:
        option: A metric's or an extractor's.
        corpus: Whose annotators count.
        parsers: Models that parsed its sentences.
    """
    if option.of_corpus == PARSERS:
        return tuple(parsers)
    if option.of_corpus == ANNOTATORS:
        return tuple(value for _, value in annotator_values(annotators_of(corpus.topics)))
    return ()
