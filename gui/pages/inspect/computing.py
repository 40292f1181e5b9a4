"""Computation of the Inspect page on a worker, cached by topic."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from awase.core.analysis.columns import best_system, columned
from awase.core.analysis.inspection import Inspection, inspect_topic, joined
from awase.core.metrics.extracts.scorers import EVERYTHING, MINIMAL_COVER, Tsc3Options
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.progress import Reporter
from awase.core.records.topic import Topic

_TOLD_EACH: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions:
    """Options of scoring extracts."""

    is_whole_extract: bool = False  # look at all of an extract, not only its first h sentences
    annotator: str = FIRST_ANNOTATOR  # whose alignments; `first` = the first of each abstract

    @property
    def scoring(self) -> Tsc3Options:
        """The same for core."""
        return Tsc3Options(first=EVERYTHING if self.is_whole_extract else MINIMAL_COVER)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPart:
    """A topic's cached result."""

    topic: Topic
    options: InspectOptions
    found: Inspection


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectionResult:
    """Results so far."""

    parts: Mapping[str, TopicPart] = field(default_factory=dict)
    # Of all of these topics, in the corpus's order.
    all: Inspection = field(default_factory=Inspection)
    # The system with the highest mean coverage over them; empty where none was measured.
    best: str = ""


def inspected(
    topics: Sequence[Topic],
    options: InspectOptions,
    known: Mapping[str, TopicPart],
    reporter: Reporter,
    *,
    first: str | None = None,
    came: Callable[[InspectionResult], None] = lambda _: None,
) -> InspectionResult:
    """Inspects every topic, unchanged ones from `known`.

    Args:
        topics: In the corpus's order.
        came: Receives partial results after the first topic and whenever their number has
            quadrupled, so that reporting costs less than computing.
    """
    parts: dict[str, TopicPart] = {}
    new: list[Topic] = []
    for topic in topics:
        part = known.get(topic.id)
        if part is not None and part.topic is topic and part.options == options:
            parts[topic.id] = part
        else:
            new.append(topic)
    n_known, told_at = len(parts), 1
    for n_new, topic in enumerate(sorted(new, key=lambda one: one.id != first), start=1):
        still_wanted = partial(reporter.advance, n_known + n_new - 1, len(topics), topic.id)
        still_wanted()
        found = inspect_topic(topic, options.annotator, options.scoring, still_wanted)
        parts[topic.id] = TopicPart(topic=topic, options=options, found=found)
        if n_new == told_at and n_new < len(new):  # the last one is told with the end
            told_at = max(told_at * _TOLD_EACH, n_known)
            came(_found(topics, parts))
    return _found(topics, parts)


def _found(topics: Sequence[Topic], parts: Mapping[str, TopicPart]) -> InspectionResult:
    ordered = {topic.id: parts[topic.id] for topic in topics if topic.id in parts}
    everything = joined(part.found for part in ordered.values())
    sentences = columned(everything.sentences)
    # Here, where nobody waits for them.
    sentences.columns, sentences.folded, sentences.text_order  # noqa: B018
    everything = replace(everything, sentences=sentences)
    return InspectionResult(parts=ordered, all=everything, best=best_system(everything))
