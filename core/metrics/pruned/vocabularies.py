"""Clusters of the words of what is compared: of one system and its references, or of a topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.pruned.readings import Read, UnitText, spellings
from awase.core.vectors.source import WordVectors
from awase.core.vectors.vector_file import Spellings, looked_up

if TYPE_CHECKING:
    from awase.core.vectors.clusters import Clustering


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRules:
    """How words are merged: the same for equal rules.

    Attributes:
        of_topic: Whether one clustering serves all systems of a topic and length class, instead of
            one for each system with its references.
    """

    ratio: Fraction
    distance: str
    of_topic: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of what is compared, and which of them count as one.

    Attributes:
        n_words: All words, those without a vector, too.
    """

    n_words: int
    clustering: "Clustering"


@dataclass(slots=True, kw_only=True)
class Vocabularies:
    """Vocabularies of the cases under one reading; what was made for the last cases is kept.

    Attributes:
        read: How texts become units.
    """

    cases: Sequence[Case]
    read: Read
    vectors: WordVectors
    _known: dict[tuple[object, ClusterRules], Vocabulary] = field(default_factory=dict)

    def vocabulary_of_case(self, case_idx: int, rules: ClusterRules) -> Vocabulary:
        """Returns the vocabulary of a case."""
        case = self.cases[case_idx]
        place: object = (case.topic, case.length) if rules.of_topic else case_idx
        found = self._known.get((place, rules))
        if found is None:
            self._forget(place)
            found = self._known[place, rules] = self._made(case, rules)
        return found

    def _forget(self, place: object) -> None:
        """Drops what will hardly be asked for again: cases come one after the other."""
        for key in [key for key in self._known if isinstance(key[0], int) and key[0] != place]:
            del self._known[key]

    def _made(self, case: Case, rules: ClusterRules) -> Vocabulary:
        alike = [case]
        if rules.of_topic:
            alike = [o for o in self.cases if (o.topic, o.length) == (case.topic, case.length)]
        texts = {text: None for one in alike for text in (one.text, *one.references)}
        return vocabulary([*map(self.read, texts)], self.vectors, rules)


def vocabulary(
    readings: Sequence[UnitText], vectors: WordVectors, rules: ClusterRules
) -> Vocabulary:
    """Returns the words of some texts, clustered."""
    from awase.core.vectors.clusters import Distance, clustered

    words: Mapping[str, Spellings] = spellings(readings)
    found = looked_up(words, vectors)
    return Vocabulary(
        n_words=len(words),
        clustering=clustered(found, rules.ratio, Distance(rules.distance)),
    )
