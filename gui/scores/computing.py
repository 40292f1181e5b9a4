"""What the Scores page shows, computed on another thread."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from awase.core.metrics.gold import gold_of
from awase.core.metrics.minimal_cover import size_of_minimal_cover
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.signature import MetricRequest, option_text
from awase.core.metrics.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.tsc3_family import alignment_for
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.records.topic import Topic

FIRST_ANNOTATOR = "first"

Supplying = Callable[[Corpus, Sequence[MetricRequest]], Supplies]
"""Returns what metrics need besides the corpus."""


def _without_supplies(_corpus: Corpus, _requests: Sequence[MetricRequest]) -> Supplies:
    return NO_SUPPLIES


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """How systems are scored.

    Attributes:
        is_whole_extract: Score all of an extract, not only its first h sentences.
        is_strict: A partly extracted alternative earns nothing.
        annotator: Whose alignments; `first` = the first of each abstract.
        others: Further metrics, as the command line spells them.
    """

    is_whole_extract: bool = False
    is_strict: bool = False
    annotator: str = FIRST_ANNOTATOR
    others: tuple[str, ...] = ()

    def requests(self) -> tuple[str, ...]:
        """Returns what is asked of core, as the command line spells it."""
        first = "all" if self.is_whole_extract else "h"
        strict = "yes" if self.is_strict else "no"
        return (
            f"tsc3:first={first},strict={strict},annotator={option_text(self.annotator)}",
            *self.others,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores with the sizes of the minimal covers they rest on.

    Attributes:
        table: As core made it.
        h: (topic, length) to h, the mean over the topic's abstracts of that length.
    """

    table: ScoreTable
    h: Mapping[tuple[str, str | None], Fraction]


def compute_scores(
    corpus: Corpus,
    options: ScoreOptions,
    reporter: Reporter,
    supplies: Supplying = _without_supplies,
) -> Scores:
    """Returns every score that the page shows.

    Args:
        corpus: What is scored.
        options: How.
        reporter: Told of each topic.
        supplies: What metrics need besides the corpus.

    Raises:
        InputError: Nobody called `options.annotator` aligned anything.
        Cancelled: The reporter asked to stop.
    """
    requests = requests_of(options.requests())
    table = score_corpus(corpus, requests, reporter, supplies(corpus, requests))
    h: dict[tuple[str, str | None], Fraction] = {}
    for topic_idx, topic in enumerate(corpus.topics):
        still_wanted = partial(reporter.advance, topic_idx, len(corpus.topics), topic.id)
        for length, sizes in _cover_sizes(topic, options.annotator, still_wanted).items():
            h[topic.id, length] = Fraction(sum(sizes), len(sizes))
    return Scores(table=table, h=h)


def annotators_of(corpus: Corpus) -> tuple[str, ...]:
    """Returns everybody who aligned anything, in the order in which they first stand."""
    return tuple(
        dict.fromkeys(
            alignment.annotator
            for topic in corpus.topics
            for abstract in topic.abstracts
            for alignment in abstract.alignments
        )
    )


def _cover_sizes(
    topic: Topic, annotator: str, still_wanted: Callable[[], None]
) -> dict[str | None, list[int]]:
    sizes: dict[str | None, list[int]] = {}
    for abstract in topic.abstracts:
        gold = gold_of(abstract, alignment_for(abstract, annotator))
        if gold.sentences:
            sizes.setdefault(abstract.length, []).append(size_of_minimal_cover(gold, still_wanted))
    return sizes
