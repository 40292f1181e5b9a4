"""What an agreement study found, as values."""

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
    """The agreement within one topic.

    Attributes:
        observed: Mean distance within items; None without items or where undefined.
        expected: Mean distance within the topic; likewise.
        alpha: 1 - observed / expected; None where undefined.
    """

    topic: str
    n_items: int
    observed: float | None
    expected: float | None
    alpha: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementRow:
    """How far some annotators agree on one level.

    Attributes:
        observed: Mean distance within items, 0..1 but for ranks; None where undefined.
        expected: Mean distance expected by chance within topics; likewise.
        alpha: 1 - observed / expected, Krippendorff's; Cohen's kappa for links. 1 = full agreement,
            0 = chance; None where undefined.
        interval: 95 % over topics; None where undefined.
        reason: Why `alpha`, or else `interval`, is None; None when both are defined.
        precision: Links only: share of the second one's links that the first has.
        recall: Links only: share of the first one's links that the second has.
        f1: Links only: their harmonic mean.
        robot: Annotator to the alpha of the first candidate alone against that annotator, on what
            the annotator settled; empty where the level does not ask for sentences.
        gold: Annotator to the alpha of the gold against that annotator; empty without a gold.
        by_topic: The same within each topic that has an item.
    """

    annotators: tuple[str, ...]
    distance: SetDistance
    length: str | None
    n_items: int
    n_topics: int
    observed: float | None
    expected: float | None
    alpha: float | None
    interval: BootstrapInterval | None
    reason: Problem | None
    signature: str
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    robot: Mapping[str, float | None]
    gold: Mapping[str, float | None]
    by_topic: Sequence[TopicAgreement]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementDifference:
    """How much more some annotators agree than others, over the topics that both have.

    Attributes:
        alphas: Of the first and the second over these topics; None where undefined.
        interval: Of the difference, over topics, by the same resamples; None where undefined.
        reason: Why there is no difference or no interval; None when there is.
    """

    distance: SetDistance
    first: tuple[str, ...]
    second: tuple[str, ...]
    alphas: tuple[float | None, float | None]
    n_topics: int
    interval: BootstrapInterval | None
    reason: Problem | None

    @property
    def value(self) -> float | None:
        """The first less the second; above 0 the first agree more."""
        one, other = self.alphas
        return None if one is None or other is None else one - other


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceAgreement:
    """What two annotators who settled an abstract sentence said of it.

    Attributes:
        distances: Of families: from 0 to 1, None = undefined.
    """

    topic: str
    abstract: str
    n: int
    annotators: tuple[str, str]
    kind: Kind
    distances: Mapping[SetDistance, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFacts:
    """How two annotators differ, over all that both settled.

    Attributes:
        kinds: How often each kind occurs; kinds that do not occur are left out.
        bias: Mean of P(first satisfied) - P(second satisfied) when each source sentence is
            extracted with probability 1/2: above 0 the first accepts more. None where undefined.
        n_different: Sentences on which they do not say the same, both with a source.
        n_near_duplicates: Of these, how many would be the same if near-duplicates stood for each
            other.
        ranks: (rank by the first, rank by the second) to how often; own ranks only.
    """

    annotators: tuple[str, str]
    kinds: Mapping[Kind, int]
    bias: float | None
    n_different: int
    n_near_duplicates: int
    ranks: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Everything that was found.

    Attributes:
        annotators: In the order of the request.
        rows: For each level: each pair, then everybody where there are three or more.
        sentences: For each pair and each sentence that both settled.
        differences: For each level, of the choices that were to be compared.
    """

    annotators: tuple[str, ...]
    length: str | None
    n_sentences: int
    rows: tuple[AgreementRow, ...]
    sentences: Sequence[SentenceAgreement]
    pairs: tuple[PairFacts, ...]
    warnings: tuple[Problem, ...]
    differences: tuple[AgreementDifference, ...] = ()

    def row(self, annotators: tuple[str, ...], distance: SetDistance) -> AgreementRow | None:
        """Returns the row of these annotators and level; None when it was not asked for."""
        for row in self.rows:
            if row.annotators == annotators and row.distance is distance:
                return row
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementStudy:
    """Agreement, and what the disagreement does.

    Attributes:
        effects: What the disagreement of each pair does.
    """

    request: AgreementRequest
    agreement: Agreement
    effects: tuple[Effects, ...]
