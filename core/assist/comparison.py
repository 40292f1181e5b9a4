"""Which abstract sentences are shown without help, to be compared with the others."""

from hashlib import sha256

from awase.core.records.assist import AssistSettings
from awase.core.records.topic import Topic

_LEAST_TO_HALVE = 4


def control_items(settings: AssistSettings, topic: Topic) -> frozenset[tuple[str, int]]:
    """Returns (abstract, n) of the sentences of a topic that are shown at level 1 whatever is set.

    Stratified: of the longer half of each abstract's sentences and of the shorter one, the same
    share is drawn; which they are follows from the seed and their addresses alone, so it is the
    same for everybody, on every machine.
    """
    share = settings.control_percent / 100
    if not share:
        return frozenset()
    drawn: set[tuple[str, int]] = set()
    for abstract in topic.abstracts:
        by_size = sorted(abstract.sentences, key=lambda one: (len(one.text), one.n))
        half = len(by_size) // 2 if len(by_size) >= _LEAST_TO_HALVE else 0
        for stratum, sentences in enumerate((by_size[:half], by_size[half:])):
            place = f"{settings.seed}/{topic.id}/{abstract.id}"
            shuffled = sorted(sentences, key=lambda one: _draw(f"{place}/{one.n}"))
            exact = share * len(shuffled)
            n_drawn = int(exact) + (_draw(f"{place}/stratum {stratum}") < exact - int(exact))
            drawn |= {(abstract.id, one.n) for one in shuffled[:n_drawn]}
    return frozenset(drawn)


def _draw(text: str) -> float:
    """Returns 0 or more, less than 1, as if by chance."""
    return int.from_bytes(sha256(text.encode("utf-8")).digest()[:8], "big") / 2**64
