"""The corpus record."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace

from awase.core.errors import Listing, Problem, raise_if_any
from awase.core.records.alignment import USUAL_ASSISTANCE, AssistSettings
from awase.core.records.identifiers import id_problems, repeated, text_problems
from awase.core.records.output import HumanScore
from awase.core.records.project import (
    Assignment,
    Person,
    assignment_problems,
    person_problems,
)
from awase.core.records.topic import Topic, ids_of

RankWeights = tuple[tuple[str, float], ...]

# 1 / rank position, as in the TSC-3 paper (section 3.4, footnote 7).
DEFAULT_RANK_WEIGHTS: RankWeights = (("A", 1.0), ("B", 1 / 2), ("C", 1 / 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A whole corpus.

    Attributes:
        rank_weights: (rank, weight) in order of importance; weights are finite and not negative.
        topics: In the order in which they are shown.
        human_scores: About this corpus's topics, each key once.
        guidelines: For annotators, in Markdown; may be empty.
        persons: Members of the project; empty = anybody may do everything.
        assignments: Work assigned to people; each key once.
        is_blind: Whether annotators may not see each other's work until the lead allows it.
    """

    name: str = ""
    rank_weights: RankWeights = DEFAULT_RANK_WEIGHTS
    topics: tuple[Topic, ...] = ()
    human_scores: tuple[HumanScore, ...] = ()
    guidelines: str = ""
    persons: tuple[Person, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    is_blind: bool = False
    assist: AssistSettings = USUAL_ASSISTANCE

    def __post_init__(self) -> None:
        raise_if_any(self._problems())

    def _problems(self) -> Iterator[Problem]:
        yield from text_problems(self.name, "name")
        yield from text_problems(self.guidelines, "guidelines")
        yield from self._weight_problems()
        for index, topic_id in repeated([*ids_of(self.topics)]):
            yield Problem(
                what="Topic “{id}” stands twice.",
                hint="Remove one of the two or rename it.",
                fields={"id": topic_id},
                path=f"topics[{index}].id",
            )
        yield from rank_problems(self.rank_weights, enumerate(self.topics))
        yield from self._human_score_problems()
        yield from person_problems(self.persons)
        topic_ids = {*ids_of(self.topics)} if self.assignments else set()
        yield from assignment_problems(self.assignments, self.persons, topic_ids)

    def _weight_problems(self) -> Iterator[Problem]:
        for rank, weight in self.rank_weights:
            yield from id_problems(rank, "rank_weights")
            if not math.isfinite(weight) or weight < 0:
                yield Problem(
                    what="The weight of rank “{rank}” is {weight}.",
                    hint="Weights are finite numbers from 0.",
                    fields={"rank": rank, "weight": weight},
                    path=f"rank_weights.{rank}",
                )
        for _, rank in repeated([rank for rank, _ in self.rank_weights]):
            yield Problem(
                what="Rank “{rank}” has two weights.",
                hint="Keep one.",
                fields={"rank": rank},
                path=f"rank_weights.{rank}",
            )

    def _human_score_problems(self) -> Iterator[Problem]:
        topics = {*ids_of(self.topics)} if self.human_scores else set()
        seen: set[tuple[str | None, str, str, str | None]] = set()
        for index, score in enumerate(self.human_scores):
            if score.topic is not None and score.topic not in topics:
                yield Problem(
                    what="The corpus has no topic “{topic}”.",
                    hint="Correct the topic of the score or add the topic.",
                    fields={"topic": score.topic},
                    path=f"human_scores[{index}].topic",
                )
            key = score.key
            if key in seen:
                yield Problem(
                    what="The same annotator scored “{system}” twice for “{measure}”.",
                    hint="Remove one of the two scores.",
                    fields={"system": score.system, "measure": score.measure},
                    path=f"human_scores[{index}]",
                )
            seen.add(key)

    def with_topics(self, topics: tuple[Topic, ...]) -> "Corpus":
        """Returns a copy with other topics of the same ids."""
        # Only new topics are checked, so that editing one of thousands does not revalidate them
        # all.
        if ids_of(topics) != ids_of(self.topics):
            return replace(self, topics=topics)
        known = set(map(id, self.topics))
        changed = tuple(topic for topic in topics if id(topic) not in known)
        Corpus(rank_weights=self.rank_weights, topics=changed)  # the check
        made = object.__new__(Corpus)
        for one in fields(self):
            object.__setattr__(made, one.name, getattr(self, one.name))
        object.__setattr__(made, "topics", topics)
        return made

    def topic(self, topic_id: str) -> Topic | None:
        """Returns the topic with this id, None when there is none."""
        return next((topic for topic in self.topics if topic.id == topic_id), None)


def rank_problems(
    rank_weights: RankWeights, topics: Iterable[tuple[int, Topic]]
) -> Iterator[Problem]:
    """Yields the unweighted ranks in (index, topic), with paths."""
    ranks = {rank for rank, _ in rank_weights}
    for topic_idx, topic in topics:
        for abstract_idx, abstract in enumerate(topic.abstracts):
            at = f"topics[{topic_idx}].abstracts[{abstract_idx}]"
            for sent_idx, sentence in enumerate(abstract.sentences):
                if sentence.rank is not None and sentence.rank not in ranks:
                    yield _no_weight(sentence.rank, ranks, f"{at}.sentences[{sent_idx}].rank")
            for entry, path in abstract.entries():
                if entry.rank is not None and entry.rank not in ranks:
                    yield _no_weight(entry.rank, ranks, f"{at}.{path}.rank")


def _no_weight(rank: str, ranks: set[str], path: str) -> Problem:
    return Problem(
        what="Rank “{rank}” has no weight.",
        hint="Add it to rank_weights or use one of {ranks}.",
        fields={"rank": rank, "ranks": Listing(sorted(ranks))},
        path=path,
    )
