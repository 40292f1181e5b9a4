"""What scores of subtree similarity rest on, output by output and reference by reference."""

from collections.abc import Iterator
from dataclasses import dataclass

from awase.core.metrics.parsed_texts import check_parsed
from awase.core.metrics.rouge_cases import cases_of
from awase.core.metrics.rouge_warnings import RougeLog
from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.subtree.comparison import Comparison, compared
from awase.core.metrics.subtree.reading import read_texts
from awase.core.metrics.subtree_requests import METRIC, encoder_of, understood
from awase.core.metrics.supplies import Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPair:
    """An output compared with one of its references.

    Attributes:
        topic: Its id.
        length: Length class under which it is scored.
        system: Its name.
        reference: Number of the reference, from 1.
        comparison: How they match.
    """

    topic: str
    length: str | None
    system: str
    reference: int
    comparison: Comparison


def explain(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplies
) -> tuple[ExplainedPair, ...]:
    """Returns how every output matches each of its references.

    Raises:
        InputError: An option's value does not exist, parses are missing, or there is no model.
        Cancelled: The reporter asked to stop.
    """
    asked = understood(request, supplies)
    encoder = encoder_of(asked)
    cases = cases_of(corpus, RougeLog())
    check_parsed(METRIC, cases, supplies)

    def pairs() -> Iterator[ExplainedPair]:
        for case_idx, case in enumerate(cases):

            def step(case_idx: int = case_idx, topic: str = case.topic) -> None:
                reporter.advance(case_idx, len(cases), topic)

            step()
            texts = [text for part in (case.text, *case.references) for text in part]
            read = read_texts(texts, supplies.parses, encoder, step)
            system, *references = (
                [one for text in part for one in read[text]]
                for part in (case.text, *case.references)
            )
            for number, reference in enumerate(references, start=1):
                yield ExplainedPair(
                    topic=case.topic,
                    length=case.length,
                    system=case.system,
                    reference=number,
                    comparison=compared(system, reference, asked.forest, by_head=asked.by_head),
                )

    return tuple(pairs())
