"""What is asked of the pseudo-pyramid metric, with every option understood and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from awase.core.metrics.kit.options.option import Chosen
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies.parses import ANY_PARSER, parser_of
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.oracles.requests import OracleOptions, oracle_options
from awase.core.metrics.pseudo_pyramid.entry import MERGE, METRICS, SIM, TAU, TIES
from awase.core.oracles.extractive import OracleEffort
from awase.core.records.corpus import Corpus

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

    def signature(self, corpus: Corpus, supplies: Supplies, oracles: str) -> str:
        """Returns the signature of values.

        Args:
            oracles: Label of the oracles found before; empty = there are none.
        """
        asked = self.spelled["parser"]
        known = {
            **self.oracle.settled_in(corpus, supplies, self.spelled["unit"]),
            "parser": parser_of(asked, supplies.parse_label)
            if self.oracle.uses_parses
            else ANY_PARSER,
            "oracles": oracles,
        }
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
