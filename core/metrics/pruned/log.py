"""What a reader of scores made with word vectors should know."""

from collections import defaultdict

from awase.core.errors import Problem
from awase.core.metrics.kit.warning_lines import of_systems

_FEW = 0.5

_NOTHING_MERGED = Problem(
    what="{metric} merged no word of {systems}: so few have a vector that their share rounds to "
    "all of them (topics {topics})."
)


class VectorLog:
    """Collects how far word vectors covered the words, and where they changed nothing."""

    def __init__(self) -> None:
        self._unmerged: defaultdict[str, defaultdict[str, dict[str, None]]]
        self._unmerged = defaultdict(lambda: defaultdict(dict))
        self._words: defaultdict[tuple[str, str], tuple[int, int]]
        self._words = defaultdict(lambda: (0, 0))

    def note_unmerged(self, metric: str, topic: str, system: str) -> None:
        """Takes note of a vocabulary that is too small for any two words to be merged."""
        self._unmerged[metric][system][topic] = None

    def note_words(self, metric: str, vectors: str, n_words: int, n_with_vector: int) -> None:
        """Takes note of how many words of a vocabulary have a vector."""
        before, before_with = self._words[metric, vectors]
        self._words[metric, vectors] = before + n_words, before_with + n_with_vector

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings."""
        few = [
            Problem(
                what="Only {percent} % of the words of {metric} have a vector in “{vectors}”; the "
                "others count as they are.",
                hint="Check that the vectors are of the corpus's language, and of words as "
                "tokens= cuts them.",
                fields={"percent": f"{100 * n / n_words:.0f}", "metric": metric, "vectors": label},
            )
            for (metric, label), (n_words, n) in self._words.items()
            if n < _FEW * n_words
        ]
        unmerged = [
            problem
            for metric, systems in self._unmerged.items()
            for problem in of_systems(systems, _NOTHING_MERGED, metric=metric)
        ]
        return (*few, *unmerged)
