"""Ranking by lexical overlap: the share of the abstract sentence's terms; a yardstick."""

from collections.abc import Collection, Sequence

from awase.core.annotation.candidates.terms import terms_of


class OverlapRanker:
    """Counts shared uncovered terms, unweighted."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._keys = [
            frozenset(term.key for term in terms_of(text)) for texts in documents for text in texts
        ]

    def scores(self, text: str, having: Collection[int] = ()) -> Sequence[float]:
        """Returns 0..1 for each source sentence."""
        keys = {term.key for term in terms_of(text)}
        n_keys = len(keys) or 1
        lacking = keys.difference(*(self._keys[idx] for idx in having))
        return [len(lacking & of_sentence) / n_keys for of_sentence in self._keys]
