"""Subtree similarity of every output of a corpus that has parses, by a language model.

Source: Chousa and Hirao, sections 3 and 4; equations stand in `similarity`.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from awase.core.errors import Problem
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, UNDECIDED, Supplies
from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.texts.parsed import checked_parses
from awase.core.metrics.kit.texts.runner import TextRun, Values, values_of
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.subtree.forest import Floats, Forest
from awase.core.metrics.subtree.reading import Forests, ReadTexts, read_texts
from awase.core.metrics.subtree.requests import (
    METRIC,
    SubtreeRequest,
    encoder_of,
    understood,
)
from awase.core.metrics.subtree.similarity import pair_score
from awase.core.metrics.subtree.unknown_words import UnknownWords
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.vectors.source import label_of

_UNDEFINED = Problem(
    what="there is no reference, or neither it nor the output has a word.",
    hint="Add an abstract or references.",
)


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> TextRun[SubtreeRequest]:
    """Returns what scores the topics of a corpus in portions."""
    unknown = UnknownWords()

    def find(
        cases: Sequence[Case], wanted: Sequence[SubtreeRequest], log: TextLog, reporter: Reporter
    ) -> Mapping[SubtreeRequest, Values]:
        parses = checked_parses(METRIC, cases, supplies, corpus.topics)
        return _found(cases, wanted, parses, reporter, log, unknown)

    return TextRun(
        [understood(request, supplies) for request in requests],
        find,
        reason_of=lambda _request: _UNDEFINED,
        more_warnings=unknown.problems,
    )


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, as far as it is known."""
    return understood(request, UNDECIDED).signature


def _found(
    cases: Sequence[Case],
    requests: Sequence[SubtreeRequest],
    parses: Mapping[str, str],
    reporter: Reporter,
    log: TextLog,
    unknown: UnknownWords,
) -> Mapping[SubtreeRequest, Values]:
    found = {request: values_of([None] * len(cases), 3) for request in requests}
    by_topic: dict[str, list[int]] = {}
    for case_idx, case in enumerate(cases):
        by_topic.setdefault(case.topic, []).append(case_idx)
    for topic_idx, (topic, case_idxs) in enumerate(by_topic.items()):

        def step(topic_idx: int = topic_idx, topic: str = topic) -> None:
            reporter.advance(topic_idx, len(by_topic), topic)

        step()
        _score_topic(cases, case_idxs, found, parses, step, log, unknown)
    reporter.advance(len(by_topic), len(by_topic))
    return found


def _score_topic(
    cases: Sequence[Case],
    case_idxs: Sequence[int],
    found: Mapping[SubtreeRequest, Values],
    parses: Mapping[str, str],
    step: Callable[[], None],
    log: TextLog,
    unknown: UnknownWords,
) -> None:
    texts = [text for case_idx in case_idxs for text in _texts(cases[case_idx])]
    read: dict[int, ReadTexts] = {}
    for request, of_request in found.items():
        encoder = encoder_of(request)
        if id(encoder) not in read:
            read[id(encoder)] = read_texts(texts, parses, encoder, step)
            unknown.note(label_of(encoder), read[id(encoder)])
        forests = Forests(read[id(encoder)], request.forest)
        for case_idx in case_idxs:
            step()
            case = cases[case_idx]
            system = forests.forest_of_text(case.text)
            values = _values(
                system, [forests.forest_of_text(text) for text in case.references], request
            )
            if values is None:
                continue
            of_request.lacks_reference[case_idx] = False
            of_request.values[case_idx] = values
            if not system.subtrees:
                log.note_empty(case.topic, case.system)


def _texts(case: Case) -> Iterator[str]:
    yield from case.text
    for reference in case.references:
        yield from reference


def _values(system: Forest, references: Sequence[Forest], request: SubtreeRequest) -> Floats | None:
    """Returns recall, precision and F; None = there is nothing to compare."""
    pairs = [pair_score(system, reference, by_head=request.by_head) for reference in references]
    rows = [(pair.recall, pair.precision, pair.f) for pair in pairs if pair is not None]
    if not rows:
        return None
    if request.takes_best:
        return np.array(max(rows, key=lambda row: row[2]))
    # fsum: the order in which references were brought changes no digit
    return np.array([math.fsum(column) / len(rows) for column in zip(*rows, strict=True)])
