"""What texts add to the counts of which `sacrebleu` makes a score: sums of them score a corpus."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.workers import StillWanted
from awase.core.metrics.packages.sacrebleu_requests import SacrebleuRequest
from awase.core.records.output import References

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
    scorer, found = request.scorer(), []

    @cache  # systems have the same references as a rule
    def compared_with(texts: References) -> tuple[int, dict[str, Any]]:
        references = [one for one in map(request.prepared, texts) if one.strip()]
        infos = scorer._cache_references([[one] for one in references])
        return len(references), infos[0] if infos else {}

    for case in cases:
        n_references, info = compared_with(case.references)
        text = scorer._preprocess_segment(request.prepared(case.text))
        counts = scorer._compute_segment_statistics(text, info) if n_references else ()
        found.append(Counted(n_references, counts))
    _forget_texts(scorer)
    return found


def _forget_texts(scorer: "Scorer") -> None:
    """Has the package let go of the texts that its tokenisers keep: of each up to 65,536."""
    tokeniser = getattr(scorer, "tokenizer", None)
    for one in (tokeniser, getattr(tokeniser, "_post_tokenizer", None)):
        clear = getattr(type(one).__call__, "cache_clear", None)
        if clear is not None:
            clear()
