"""BE: basic elements shared with references, of every output of a corpus that has parses.

Counting is that of ROUGE-1.5.5 with -3: recall, precision and F, rounded to five decimals.

Source: Hovy, Lin, Zhou and Fukumoto (2006), "Automated summarization evaluation with basic
    elements"; ROUGE-1.5.5; Honda, Hirao and Nagata, section 3.1, for the units.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from awase.core.errors import Problem
from awase.core.metrics.be.requests import BeRequest, understood
from awase.core.metrics.be.units import Units, counts_of, unit_numbers
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.texts.cases import Case
from awase.core.metrics.kit.texts.parsed import checked_parses
from awase.core.metrics.kit.texts.runner import TextRun, Values
from awase.core.metrics.kit.texts.scores import plain_mean
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.rouge.counting import groups_of
from awase.core.metrics.rouge.program.bootstrap import perl_mean
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus

_NO_REFERENCE = Problem(
    what="there is no reference with a basic element to compare with.",
    hint="Add an abstract or references, or choose another mode.",
)


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> TextRun[BeRequest]:
    """Returns what scores the topics of a corpus in portions."""

    def find(
        cases: Sequence[Case], wanted: Sequence[BeRequest], log: TextLog, reporter: Reporter
    ) -> Mapping[BeRequest, Values]:
        parses = checked_parses("be", cases, supplies, corpus.topics)
        found: dict[BeRequest, Values] = {}
        for request_idx, request in enumerate(wanted):
            reporter.advance(request_idx, len(wanted), request.metric)
            found[request] = _counted(cases, request, parses, reporter, log)
        return found

    label = supplies.parse_label
    return TextRun(
        [understood(request, label) for request in requests],
        find,
        reason_of=lambda _request: _NO_REFERENCE,
        mean_of=lambda request: perl_mean if request.averages_as_perl else plain_mean,
    )


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, as far as it is known."""
    return understood(request, "").signature


def _counted(
    cases: Sequence[Case],
    request: BeRequest,
    parses: Mapping[str, str],
    reporter: Reporter,
    log: TextLog,
) -> Values:
    numbers = unit_numbers(request.elements, request.mode, stem=request.stem)

    def units(text: Sequence[str]) -> Units:
        return numbers.units([parses.get(sentence, "") for sentence in text])

    values = np.zeros((len(cases), 3))
    lacks_reference = np.ones(len(cases), np.bool_)
    groups = groups_of(cases)
    for group_idx, group in enumerate(groups):
        reporter.advance(group_idx, len(groups), cases[group[0]].topic)
        peers = [units(cases[case_idx].text) for case_idx in group]
        models = [units(text) for text in cases[group[0]].references]
        counts = counts_of(peers, models, numbers.n_units)
        if not counts.models.any():
            continue
        lacks_reference[group] = False
        values[group] = request.references.scores([counts], request.alpha)
        for case_idx, n_units in zip(group, counts.peers, strict=True):
            if not n_units:
                log.note_no_element(cases[case_idx].topic, cases[case_idx].system)
    return Values(values, lacks_reference)
