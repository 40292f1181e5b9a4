"""Settings of an agreement study, and their description."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from awase.core.agreement.measures.distances import SetDistance
from awase.core.metrics.kit.signature import named, signature_text
from awase.core.metrics.significance import Resampling
from awase.core.solvers.masks import MOST_STATES

_JOIN: Final = "+"


def _resampling() -> Resampling:
    return Resampling(n_resamples=9_999, seed=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRequest:
    """Settings of an agreement study."""

    annotators: tuple[str, ...] = ()  # in the order in which they are shown; empty = everybody
    length: str | None = None  # length class of the abstracts; None = all together
    distances: tuple[SetDistance, ...] = tuple(SetDistance)
    resampling: Resampling = field(default_factory=_resampling)
    most_states: int = MOST_STATES  # of a function of sentences; one with more has no distance
    compares_texts: bool = True
    compares: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()

    def signature(
        self,
        distance: SetDistance,
        annotators: tuple[str, ...],
        n_items: int,
        topics: Iterable[str],
    ) -> str:
        """Returns everything that a value depends on."""
        length = {} if self.length is None else {"length": self.length}
        return signature_text(
            "agreement",
            {
                "distance": distance.value,
                "expected": "corpus" if distance is SetDistance.LINKS else "topic",
                "absorb": "yes",
                "annotators": spelled_annotators(annotators),
                **length,
                "states": "settled",
                "items": str(n_items),
                "topics": named(topics),
                "resample": "topics",
                "n": str(self.resampling.n_resamples),
                "seed": str(self.resampling.seed),
                "confidence": f"{self.resampling.level:g}",
            },
        )


def spelled_annotators(annotators: Iterable[str]) -> str:
    """Returns annotators as signatures name them."""
    return _JOIN.join(who.replace(_JOIN, "%2B") for who in annotators)
