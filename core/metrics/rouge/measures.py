"""The measures by name, and their counts over many comparisons at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from awase.core.errors import InputError
from awase.core.metrics.rouge.comparison import Comparison, NumberedComparison, numbered
from awase.core.metrics.rouge.counts import Counts
from awase.core.metrics.rouge.lexicon import Lexicon
from awase.core.metrics.rouge.preparation import AS_IS, Preparation
from awase.core.metrics.rouge.subsequences import lcs_counts, wlcs_counts
from awase.core.metrics.rouge.units import ngram_counts, skip_bigram_counts
from awase.core.progress import Reporter, Silent

_AT_ONCE = 64
ROUGE_L = "ROUGE-L"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Which measures to compute; labels are those that ROUGE-1.5.5 prints.

    Attributes:
        longest_ngram: ROUGE-1 to this; 0 = none.
        lcs: Whether ROUGE-L.
        weight: Of ROUGE-W; None = none.
        skip: Whether ROUGE-S and ROUGE-SU.
        gap: Most words between the two of a pair; None = no limit.
        weight_label: The weight as the label spells it; empty = its shortest decimal.
    """

    longest_ngram: int = 0
    lcs: bool = False
    weight: float | None = None
    skip: bool = False
    gap: int | None = None
    weight_label: str = ""

    def __post_init__(self) -> None:
        if self.weight is not None and not self.weight > 0:
            raise InputError.of(
                "A ROUGE-W weight of {weight} is impossible.",
                "Choose one over 0, such as 1.2.",
                weight=self.weight,
            )

    @property
    def label_w(self) -> str:
        """Returns the label of ROUGE-W."""
        return f"ROUGE-W-{self.weight_label or f'{self.weight:g}'}"

    @property
    def label_s(self) -> str:
        """Returns the label of ROUGE-S."""
        return f"ROUGE-S{'*' if self.gap is None else self.gap}"

    @property
    def label_su(self) -> str:
        """Returns the label of ROUGE-SU."""
        return f"ROUGE-SU{'*' if self.gap is None else self.gap}"


def count(
    comparisons: Sequence[Comparison],
    measures: Measures,
    preparation: Preparation = AS_IS,
    reporter: Reporter | None = None,
) -> list[dict[str, Counts]]:
    """Returns for each comparison the counts of each measure by its label.

    Args:
        comparisons: Systems and references by topic; the more at once, the less each costs.
        measures: Which.
        preparation: How text becomes tokens.
        reporter: Told of the comparisons that are done.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    lexicon = Lexicon(preparation)
    result: list[dict[str, Counts]] = []
    for some in _portions(comparisons):
        result += _counted(numbered(some, lexicon), measures)
        (reporter or Silent()).advance(len(result), len(comparisons))
    return result


def _portions(comparisons: Sequence[Comparison]) -> Iterator[list[Comparison]]:
    rest = iter(comparisons)
    while portion := list(islice(rest, _AT_ONCE)):
        yield portion


def _counted(
    comparisons: Sequence[NumberedComparison], measures: Measures
) -> list[dict[str, Counts]]:
    result: list[dict[str, Counts]] = [{} for _ in comparisons]
    for index, comparison in enumerate(comparisons):
        for n, counts in enumerate(ngram_counts(comparison, measures.longest_ngram), start=1):
            result[index][f"ROUGE-{n}"] = counts
        if measures.skip:
            pairs, pairs_and_words = skip_bigram_counts(comparison, measures.gap)
            result[index] |= {measures.label_s: pairs, measures.label_su: pairs_and_words}
    if measures.lcs:
        for counted, counts in zip(result, lcs_counts(comparisons), strict=True):
            counted[ROUGE_L] = counts
    if measures.weight is not None:
        weighted = wlcs_counts(comparisons, measures.weight)
        for counted, counts in zip(result, weighted, strict=True):
            counted[measures.label_w] = counts
    return result
