"""What is asked of the BE metric, with every option understood and checked."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.metrics.kit.option_values import alpha_of, choice_of, plain_decimal
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.parses import parser_of
from awase.core.metrics.registry import metric_by_name
from awase.core.metrics.rouge.basic_elements import BeMode
from awase.core.metrics.rouge.references import REFERENCES, References
from awase.core.parsing.basic_elements import BasicElementOptions, Labels

_MODES = {mode.value.lower(): mode for mode in BeMode}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeRequest:
    """The metric with its options understood; equal to itself only.

    Attributes:
        metric: `be`.
        mode: Which parts of which elements are compared.
        elements: How elements are made of parses.
        stem: Whether heads and modifiers are stemmed as in ROUGE.
        references: How several references make one score.
        alpha: Towards 1, F favours precision.
        averages_as_perl: Whether means are those of bootstrap resamples.
        spelled: Every option as signatures spell it.
    """

    metric: str
    mode: BeMode
    elements: BasicElementOptions
    stem: bool
    references: References
    alpha: float
    averages_as_perl: bool
    spelled: Mapping[str, str]

    @property
    def signature(self) -> str:
        """Returns the signature of its values."""
        return signature_text(self.metric, self.spelled)


def understood(request: MetricRequest, parses: str) -> BeRequest:
    """Returns the request with its options read and checked.

    Args:
        request: As typed.
        parses: Label of the parses that scores will rest on; empty = there are none.

    Raises:
        InputError: An option or its value does not exist, or it asks for other parses.
    """
    defaults = metric_by_name(request.name).defaults
    chosen = request.chosen(defaults)
    chosen["mode"] = chosen["mode"].lower()
    chosen["alpha"] = plain_decimal("alpha", chosen["alpha"])
    chosen["parser"] = parser_of(chosen["parser"], parses)
    return BeRequest(
        metric=request.name,
        mode=_MODES[choice_of(chosen, "mode", *_MODES)],
        elements=BasicElementOptions(
            lemma=choice_of(chosen, "words", "form", "lemma") == "lemma",
            labels=Labels(choice_of(chosen, "labels", *(labels.value for labels in Labels))),
        ),
        stem=choice_of(chosen, "stem", "no", "yes") == "yes",
        references=REFERENCES[choice_of(chosen, "refs", *REFERENCES)],
        alpha=alpha_of(chosen["alpha"]),
        averages_as_perl=choice_of(chosen, "average", "plain", "perl") == "perl",
        spelled={option: chosen[option] for option in defaults},
    )
