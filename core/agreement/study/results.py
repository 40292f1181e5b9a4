"""Results of an agreement study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from awase.core.agreement.measures.distances import SetDistance
from awase.core.agreement.measures.kinds import Kind
from awase.core.agreement.study.effects import Effects
from awase.core.agreement.study.request import AgreementRequest
from awase.core.errors import Problem
from awase.core.statistics.bootstraps import BootstrapInterval


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicAgreement:
    """The agreement within one topic."""

    topic: str
    n_items: int
    observed: float | None  # mean distance within items; None without items or where undefined
    expected: float | None  # mean distance within the topic; likewise
    alpha: float | None  # 1 - observed / expected; None where undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """How far some annotators agree on one level."""

    annotators: tuple[str, ...]
    distance: SetDistance
    length: str | None
    n_items: int
    n_topics: int
    observed: float | None  # mean distance within items, 0..1 but for ranks; None where undefined
    expected: float | None  # mean distance expected by chance within topics; likewise
    # 1 - observed / expected, Krippendorff's; Cohen's kappa for links. 1 = full agreement, 0 =
    # chance; None where undefined.
    alpha: float | None
    interval: BootstrapInterval | None  # 95 % over topics; None where undefined
    reason: Problem | None  # why `alpha`, or else `interval`, is None; None when both are defined
    signature: str
    precision: float | None = None  # links only: share of the second one's links that the first has
    recall: float | None = None  # links only: share of the first one's links that the second has
    f1: float | None = None  # links only: their harmonic mean
    # Annotator to the alpha of the first candidate alone against that annotator, on what the
    # annotator settled; empty where the level does not ask for sentences.
    robot: Mapping[str, float | None]
    # Annotator to the alpha of the gold against that annotator; empty without a gold.
    gold: Mapping[str, float | None]
    by_topic: Sequence[TopicAgreement]  # the same within each topic that has an item


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementDifference:
    """How much more some annotators agree than others, over the topics that both have."""

    distance: SetDistance
    first: tuple[str, ...]
    second: tuple[str, ...]
    # Of the first and the second over these topics; None where undefined.
    alphas: tuple[float | None, float | None]
    n_topics: int
    # Of the difference, over topics, by the same resamples; None where undefined.
    interval: BootstrapInterval | None
    reason: Problem | None  # why there is no difference or no interval; None when there is

    @property
    def value(self) -> float | None:
        """The first less the second; above 0 the first agree more."""
        one, other = self.alphas
        return None if one is None or other is None else one - other


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceAgreement:
    """Two annotators' settled entries of an abstract sentence."""

    topic: str
    abstract: str
    n: int
    annotators: tuple[str, str]
    kind: Kind
    distances: Mapping[SetDistance, float | None]  # of families: from 0 to 1, None = undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFacts:
    """How two annotators differ, over all that both settled."""

    annotators: tuple[str, str]
    kinds: Mapping[Kind, int]  # how often each kind occurs; kinds that do not occur are left out
    # Mean of P(first satisfied) - P(second satisfied) when each source sentence is extracted with
    # probability 1/2: above 0 the first accepts more. None where undefined.
    bias: float | None
    n_different: int  # sentences on which they do not say the same, both with a source
    # Of these, how many would be the same if near-duplicates stood for each other.
    n_near_duplicates: int
    # (rank by the first, rank by the second) to how often; own ranks only.
    ranks: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """All results."""

    annotators: tuple[str, ...]  # in the order of the request
    length: str | None
    n_sentences: int
    # For each level: each pair, then everybody where there are three or more.
    rows: tuple[AgreementRow, ...]
    sentences: Sequence[SentenceAgreement]  # for each pair and each sentence that both settled
    pairs: tuple[PairFacts, ...]
    warnings: tuple[Problem, ...]
    # For each level, of the choices that were to be compared.
    differences: tuple[AgreementDifference, ...] = ()

    def row(self, annotators: tuple[str, ...], distance: SetDistance) -> AgreementRow | None:
        """Returns the row of these annotators and level; None when it was not requested."""
        for row in self.rows:
            if row.annotators == annotators and row.distance is distance:
                return row
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementStudy:
    """Agreement, and what the disagreement does."""

    request: AgreementRequest
    agreement: Agreement
    effects: tuple[Effects, ...]  # what the disagreement of each pair does
