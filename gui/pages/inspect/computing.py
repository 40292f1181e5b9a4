"""What the Inspect page shows, computed on another thread and kept topic by topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from awase.core.annotation.candidates.topic_index import TopicIndex
from awase.core.inspection.sentences import Inspection, inspect_topic
from awase.core.metrics.extracts.scorers import EVERYTHING, MINIMAL_COVER, Tsc3Options
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR
from awase.core.progress import Reporter
from awase.core.records.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions:
    """How extracts are looked at.

    Attributes:
        is_whole_extract: Look at all of an extract, not only its first h sentences.
        annotator: Whose alignments; `first` = the first of each abstract.
    """

    is_whole_extract: bool = False
    annotator: str = FIRST_ANNOTATOR

    @property
    def scoring(self) -> Tsc3Options:
        """The same for core."""
        return Tsc3Options(first=EVERYTHING if self.is_whole_extract else MINIMAL_COVER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What was found in one topic, as it was then; the index is for explaining it."""

    topic: Topic
    options: InspectOptions
    found: Inspection
    index: TopicIndex


def inspected(
    topics: Sequence[Topic],
    options: InspectOptions,
    known: Mapping[str, Part],
    reporter: Reporter,
) -> dict[str, Part]:
    """Returns what is found in every topic; those that have not changed are taken from `known`.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    parts: dict[str, Part] = {}
    for topic_idx, topic in enumerate(topics):
        part = known.get(topic.id)
        if part is None or part.topic is not topic or part.options != options:
            still_wanted = partial(reporter.advance, topic_idx, len(topics), topic.id)
            still_wanted()
            found = inspect_topic(topic, options.annotator, options.scoring, still_wanted)
            part = Part(topic=topic, options=options, found=found, index=_index(topic, part))
        parts[topic.id] = part
    return parts


def _index(topic: Topic, before: Part | None) -> TopicIndex:
    """Returns the index of the topic's documents; they seldom change."""
    if before is not None and before.topic.documents == topic.documents:
        return before.index
    return TopicIndex(topic)
