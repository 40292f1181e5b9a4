"""What scores of subtree similarity rest on, output by output and reference by reference."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.parsed import checked_parses
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.subtree.comparison import SubtreeComparison, compared
from awase.core.metrics.subtree.reading import ReadSentence, read_texts
from awase.core.metrics.subtree.requests import (
    METRIC,
    SubtreeRequest,
    encoder_of,
    understood,
)
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPair:
    """An output compared with one of its references.

    Attributes:
        reference: Number of the reference, from 1.
    """

    topic: str
    length: str | None
    system: str
    reference: int
    comparison: SubtreeComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCase:
    """An output and its references, with trees and vectors."""

    topic: str
    length: str | None
    system: str
    text: tuple[ReadSentence, ...]
    references: tuple[tuple[ReadSentence, ...], ...]
    request: SubtreeRequest

    def compared(
        self, text: Sequence[ReadSentence], reference: Sequence[ReadSentence]
    ) -> SubtreeComparison:
        """Returns how parts of the output and of a reference match."""
        return compared(text, reference, self.request.forest, by_head=self.request.by_head)


def read_cases(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplies
) -> Iterator[ReadCase]:
    """Yields every output with what it is compared with."""
    asked = understood(request, supplies)
    encoder = encoder_of(asked)
    for case, parses, step in _cases(corpus, supplies, reporter):
        step()
        texts = [text for part in (case.text, *case.references) for text in part]
        read = read_texts(texts, parses, encoder, step)
        system, *references = (
            tuple(one for text in part for one in read[text])
            for part in (case.text, *case.references)
        )
        yield ReadCase(
            topic=case.topic,
            length=case.length,
            system=case.system,
            text=system,
            references=tuple(references),
            request=asked,
        )


def _cases(
    corpus: Corpus, supplies: Supplies, reporter: Reporter
) -> Iterator[tuple[Case, Mapping[str, str], Callable[[], None]]]:
    """Yields what is compared, with the parses, and what tells how far that is."""
    cases = cases_of(corpus.topics, TextLog())
    parses = checked_parses(METRIC, cases, supplies, corpus.topics)
    for case_idx, case in enumerate(cases):
        n_done = case_idx * len(corpus.topics) // len(cases)
        yield case, parses, partial(reporter.advance, n_done, len(corpus.topics), case.topic)


def explain(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplies
) -> Iterator[ExplainedPair]:
    """Yields how every output matches each of its references; raises as `read_cases` does."""
    for case in read_cases(corpus, request, reporter, supplies):
        for number, reference in enumerate(case.references, start=1):
            yield ExplainedPair(
                topic=case.topic,
                length=case.length,
                system=case.system,
                reference=number,
                comparison=case.compared(case.text, reference),
            )
