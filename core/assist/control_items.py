"""Control items, shown without assistance or with decoys, to measure effects."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from awase.core.assist.suggestion import CLOSURE, Suggestion
from awase.core.records.alignment import Alternative, SentenceAlignment
from awase.core.records.assist import DECOY_MARK, AssistSettings, LoggedSuggestion
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.core.records.topic import Topic, select_topics

_LEAST_TO_HALVE = 4

Items = frozenset[tuple[str, int]]  # (abstract, n) of abstract sentences of one topic


def control_items(settings: AssistSettings, topic: Topic) -> Items:
    """Returns the sentences of a topic that are shown at level 1 whatever is set."""
    return _drawn(settings.control_percent, f"{settings.seed}", topic)


def decoy_items(settings: AssistSettings, topic: Topic) -> Items:
    """Returns the sentences with decoys; none is a control item."""
    drawn = _drawn(settings.decoy_percent, f"{settings.seed}/decoys", topic)
    return drawn - control_items(settings, topic)


def _drawn(percent: int, of_draw: str, topic: Topic) -> Items:
    """Returns a random share of a topic's abstract sentences.

    Stratified by length: the same share of the longer and the shorter half of each abstract's
    sentences. Determined by the draw's name and addresses, hence the same for everybody on every
    machine.
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
    """Returns a pseudo-random number in [0, 1) from a text."""
    return int.from_bytes(sha256(text.encode("utf-8")).digest()[:8], "big") / 2**64


# The candidate that is suggested: beyond the nine that have digits, so that few are right.
DECOY_PLACE: Final = 10


def decoy_of(
    suggestion: Suggestion, candidates: Sequence[SentenceRef], entry: SentenceAlignment
) -> Suggestion | None:
    """Returns the suggestion with its members replaced by wrong ones.

    Args:
        candidates: Source sentences, the likeliest first.
        entry: Existing links, which are never decoys.

    Returns:
        None where nothing can be replaced: for lints, and for too few candidates.
    """
    known = {*entry.refs(), *(ref for one in suggestion.family for ref in one.members)}
    others = [ref for ref in candidates[DECOY_PLACE - 1 :] if ref not in known]
    if suggestion.kind == CLOSURE or not others:
        return None
    return replace(suggestion, family=(Alternative((others[0],)),))


def decoy_model(version: str) -> str:
    """Returns the model id of decoys in the log."""
    return f"{version} {DECOY_MARK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDecoy:
    """A decoy that was visible to an annotator working on a sentence."""

    topic: str
    abstract: str
    n: int
    annotator: str
    is_taken: bool


def seen_decoys(corpus: Corpus, log: Iterable[LoggedSuggestion]) -> tuple[SeenDecoy, ...]:
    """Returns the decoys of settled entries, each once, in the order of the log."""
    shown = {
        (row.topic, row.abstract, row.annotator, row.n): row.family for row in log if row.is_decoy
    }
    places: dict[str, list[tuple[str, str, str, int]]] = {}
    for place in shown:
        places.setdefault(place[0], []).append(place)
    found = {}
    for topic in select_topics(corpus.topics, places.keys()):
        for place in places[topic.id]:
            _, abstract_id, who, n = place
            abstract = topic.abstract(abstract_id)
            alignment = abstract.alignment_by(who) if abstract else None
            entry = alignment.of_sentence(n) if alignment else None
            if entry is not None and entry.state.is_settled:
                linked = {frozenset(map(str, one.members)) for one in entry.alternatives}
                decoys = map(frozenset, json.loads(shown[place] or "[]"))
                found[place] = SeenDecoy(
                    topic=topic.id, abstract=abstract_id, n=n, annotator=who,
                    is_taken=any(decoy in linked for decoy in decoys),
                )  # fmt: skip
    return tuple(found[place] for place in shown if place in found)
