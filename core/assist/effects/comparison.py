"""Which abstract sentences are shown otherwise than the level says, so that help can be judged."""

from hashlib import sha256

from awase.core.records.assist import AssistSettings
from awase.core.records.topic import Topic

_LEAST_TO_HALVE = 4

Items = frozenset[tuple[str, int]]
"""(abstract, n) of abstract sentences of one topic."""


def control_items(settings: AssistSettings, topic: Topic) -> Items:
    """Returns the sentences of a topic that are shown at level 1 whatever is set."""
    return _drawn(settings.control_percent, f"{settings.seed}", topic)


def decoy_items(settings: AssistSettings, topic: Topic) -> Items:
    """Returns the sentences whose suggestions are wrong on purpose; none is a control item."""
    drawn = _drawn(settings.decoy_percent, f"{settings.seed}/decoys", topic)
    return drawn - control_items(settings, topic)


def _drawn(percent: int, of_draw: str, topic: Topic) -> Items:
    """Returns that share of a topic's abstract sentences.

    Stratified: of the longer half of each abstract's sentences and of the shorter one, the same
    share is drawn; which they are follows from the draw's name and their addresses alone, so it is
    the same for everybody, on every machine.
    """
    share = percent / 100
    if not share:
        return frozenset()
    drawn: set[tuple[str, int]] = set()
    for abstract in topic.abstracts:
        by_size = sorted(abstract.sentences, key=lambda one: (len(one.text), one.n))
        half = len(by_size) // 2 if len(by_size) >= _LEAST_TO_HALVE else 0
        for stratum, sentences in enumerate((by_size[:half], by_size[half:])):
            place = f"{of_draw}/{topic.id}/{abstract.id}"
            shuffled = sorted(sentences, key=lambda one: _chance(f"{place}/{one.n}"))
            exact = share * len(shuffled)
            n_drawn = int(exact) + (_chance(f"{place}/stratum {stratum}") < exact - int(exact))
            drawn |= {(abstract.id, one.n) for one in shuffled[:n_drawn]}
    return frozenset(drawn)


def _chance(text: str) -> float:
    """Returns 0 or more, less than 1, as if by chance."""
    return int.from_bytes(sha256(text.encode("utf-8")).digest()[:8], "big") / 2**64
