"""What is asked of the pseudo-pyramid metric, with every option understood and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.parses import ANY_PARSER, parser_of
from awase.core.metrics.oracles.requests import OracleOptions, oracle_options
from awase.core.metrics.pseudo_pyramid.entry import MERGE, METRICS, SIM, TAU, TIES
from awase.core.oracles.extractive import OracleEffort
from awase.core.oracles.units import PARSES

MAX_OPTIMA = 100
"""Equally good oracles of a reference that count under ties=all."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PyramidRequest:
    """The metric with its options understood; equal to itself only.

    Attributes:
        is_exact: Whether only the same tokens match.
        merges: Whether oracle units with equal tokens are one.
    """

    oracle: OracleOptions
    counts_ties: bool
    is_exact: bool
    threshold: Fraction
    merges: bool
    spelled: Mapping[str, str]

    @property
    def effort(self) -> OracleEffort:
        """How much work each oracle may cost."""
        return OracleEffort(max_optima=MAX_OPTIMA if self.counts_ties else 1)

    @property
    def uses_parses(self) -> bool:
        """Whether the values rest on parses."""
        return self.oracle.n is None or self.oracle.unit == PARSES

    def signature(self, tokens: str, unit: str, parses: str, oracles: str) -> str:
        """Returns the signature of values.

        Args:
            tokens: The tokeniser that `auto` came to.
            parses: Label of the parses; empty = there are none.
            oracles: Label of the oracles found before; empty = there are none.
        """
        parser = parser_of(self.spelled["parser"], parses) if self.uses_parses else ANY_PARSER
        known = {"tokens": tokens, "unit": unit, "parser": parser, "oracles": oracles}
        return signature_text("pseudo-pyramid", {**self.spelled, **known})


def understood(request: MetricRequest) -> PyramidRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of(request, METRICS[0].options)
    return PyramidRequest(
        oracle=oracle_options(chosen),
        counts_ties=chosen[TIES] == "all",
        is_exact=chosen[SIM] == "exact",
        threshold=chosen[TAU],
        merges=chosen[MERGE],
        spelled=chosen.spelled,
    )
