"""What is asked of the BE metric, with every option understood and checked."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.metrics.be.entry import METRICS, MODE
from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.options.shared import (
    ALPHA,
    AVERAGE,
    LABELS,
    PARSER,
    REFS,
    STEM,
    WORDS,
)
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.parses import parser_of
from awase.core.metrics.rouge.basic_elements import BeMode
from awase.core.metrics.rouge.tally import REFERENCES, References
from awase.core.parsing.basic_elements import BasicElementOptions, Labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BeRequest:
    """The metric with its options understood; equal to itself only.

    Attributes:
        alpha: Towards 1, F favours precision.
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
        parses: Label of the parses that scores will rest on; empty = there are none.
    """
    chosen = Chosen.of(request, METRICS[0].options)
    return BeRequest(
        metric=request.name,
        mode=BeMode(chosen[MODE].upper()),
        elements=BasicElementOptions(
            lemma=chosen[WORDS] == "lemma",
            labels=Labels(chosen[LABELS]),
        ),
        stem=chosen[STEM],
        references=REFERENCES[chosen[REFS]],
        alpha=float(chosen[ALPHA]),
        averages_as_perl=chosen[AVERAGE] == "perl",
        spelled={**chosen.spelled, PARSER.name: parser_of(chosen[PARSER], parses)},
    )
