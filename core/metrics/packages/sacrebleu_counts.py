"""What texts add to the counts of which `sacrebleu` makes a score: sums of them score a corpus."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.workers import StillWanted
from awase.core.metrics.packages.sacrebleu_requests import SacrebleuRequest

if TYPE_CHECKING:  # slow to import, and an extra
    from sacrebleu.metrics.base import Metric as Scorer


class Counted(NamedTuple):
    """What a request found in one text.

    Attributes:
        n_references: With how many it was compared; references without a token are left out.
        counts: The package's own, of n-grams and lengths; empty = there is no reference.
    """

    n_references: int
    counts: Sequence[int]


def counted(
    requests: Sequence[SacrebleuRequest], cases: Sequence[Case], _still_wanted: StillWanted
) -> list[list[Counted]]:
    """Returns what each of the requests finds in each of a topic's cases, in the cases' order."""
    return [[*of_case] for of_case in zip(*(_of(one, cases) for one in requests), strict=True)]


def score_of(scorer: "Scorer", counts: Sequence[int]) -> float:
    """Returns the score of counts, those of one text or the sums over many."""
    return float(scorer._compute_score_from_stats([*counts]).score)


def _of(request: SacrebleuRequest, cases: Sequence[Case]) -> list[Counted]:
    scorer, prepared = request.scorer(), cache(request.prepared)
    found = []
    for case in cases:
        references = [one for one in map(prepared, case.references) if one.strip()]
        counts: Sequence[int] = ()
        if references:
            streams = [[one] for one in references]
            (counts,) = scorer._extract_corpus_statistics([prepared(case.text)], streams)
        found.append(Counted(len(references), counts))
    _forget_texts(scorer)
    return found


def _forget_texts(scorer: "Scorer") -> None:
    """Has the package let go of the texts that its tokenisers keep: of each up to 65,536."""
    tokeniser = getattr(scorer, "tokenizer", None)
    for one in (tokeniser, getattr(tokeniser, "_post_tokenizer", None)):
        clear = getattr(type(one).__call__, "cache_clear", None)
        if clear is not None:
            clear()
