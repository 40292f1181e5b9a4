"""Which topics and systems a job is about."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from awase.core.errors import InputError, Listing, Problem
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.records.corpus import Corpus
from awase.core.records.score import PackedScores, ScoreTable
from awase.core.records.topic import Topic, ids_of, map_topics, select_topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """Selection of topics and systems; None = all, later ones too. Removed ones are ignored."""

    topics: tuple[str, ...] | None = None
    systems: tuple[str, ...] | None = None

    def part_of(self, corpus: Corpus) -> Corpus:
        """Returns the chosen part of the corpus, with scores and work of its topics alone."""
        chosen = self.topics_of(corpus)
        if self.systems is None:
            return chosen
        kept = frozenset(map(composed, self.systems))

        def with_systems(topic: Topic) -> Topic:
            outputs = tuple(one for one in topic.outputs if composed(one.system) in kept)
            return replace(topic, outputs=outputs)

        return replace(chosen, topics=map_topics(chosen.topics, with_systems))

    def topics_of(self, corpus: Corpus) -> Corpus:
        """Returns the chosen topics, in the corpus's order, with every system."""
        if self.topics is None:
            return corpus
        wanted = frozenset(map(composed, self.topics))
        kept = frozenset(one for one in ids_of(corpus.topics) if composed(one) in wanted)
        return replace(
            corpus,
            topics=select_topics(corpus.topics, kept),
            human_scores=tuple(score for score in corpus.human_scores if score.topic in kept),
            assignments=tuple(part for part in corpus.assignments if part.topic in kept),
        )

    def scored_of(self, corpus: Corpus, requests: Iterable[MetricRequest]) -> Corpus:
        """Returns what is to be scored; with other systems where scores depend on them."""
        from awase.core.metrics.registry import need_all_systems  # all metrics

        return self.topics_of(corpus) if need_all_systems(requests) else self.part_of(corpus)

    def rows_of(self, table: ScoreTable) -> ScoreTable:
        """Returns the scores of the chosen systems."""
        if self.systems is None:
            return table
        systems = frozenset(map(composed, self.systems))
        kept = (score for score in table.scores if composed(score.system) in systems)
        is_packed = isinstance(table.scores, PackedScores)
        return replace(table, scores=PackedScores.of(kept) if is_packed else tuple(kept))

    def check(self, corpus: Corpus) -> None:
        """Raises for unknown topics or systems."""
        check_known("topic", self.topics or (), ids_of(corpus.topics))
        if not self.systems:
            return
        known = dict.fromkeys(
            output.system for topic in self.topics_of(corpus).topics for output in topic.outputs
        )
        check_known("system", self.systems, [*known])


def composed(name: str) -> str:
    """Returns a name in NFC: typed names and macOS file names may differ in form."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


ALL = Subset()


def chosen_by_names(topics: Sequence[str], systems: Sequence[str] = ()) -> Subset:
    """Returns the subset that names choose; none named = all."""
    return Subset(topics=tuple(topics) or None, systems=tuple(systems) or None)


def check_known(what: str, asked: Sequence[str], known: Sequence[str]) -> None:
    """Raises for unknown names."""
    names = dict.fromkeys(known)
    there = {*map(composed, known)}
    unknown = [name for name in asked if composed(name) not in there]
    if unknown:
        raise InputError(_unknown(what, name, [*names]) for name in unknown)


def _unknown(what: str, name: str, known: list[str]) -> Problem:
    close = next(iter(get_close_matches(name, known, n=1)), "")
    return Problem(
        what="The corpus has no {what} “{name}”.",
        hint="Did you mean “{close}”?"
        if close
        else "It has: {known}."
        if known
        else "It has none.",
        fields={
            "what": what,
            "name": name,
            "close": close,
            "known": Listing(known, most=20),
        },
    )
