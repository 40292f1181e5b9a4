"""ROUGE-N, -L, -W, -S and -SU of every output of a corpus, extracts and texts alike.

A system's score in a topic is that of ROUGE-1.5.5: recall, precision and F, rounded to five
decimals. Its mean is over the topics in which the score is defined, and the table says how many.

Source: Lin (2004), "ROUGE: A package for automatic evaluation of summaries"; ROUGE-1.5.5, whose
    numbers they are.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

import numpy as np

from awase.core.errors import Problem
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.texts.cases import Case, check_text
from awase.core.metrics.kit.texts.runner import TextRun
from awase.core.metrics.kit.texts.scores import Mean, plain_mean
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.kit.workers import Workers
from awase.core.metrics.rouge.counting import Scored, scored
from awase.core.metrics.rouge.program.bootstrap import perl_mean
from awase.core.metrics.rouge.requests import RougeRequest, understood
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus

_NO_REFERENCE = Problem(
    what="there is no reference with a token to compare with.",
    hint="Add an abstract or references, or choose other tokens.",
)
_EMPTY_REFERENCE_W = Problem(
    what="a reference has no token, for which ROUGE-W has no value.",
    hint="Mend the reference or choose another metric.",
)

_Found = dict[RougeRequest, Scored]


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> TextRun[RougeRequest]:
    """Returns what scores the topics of a corpus in portions."""
    find = partial(_find, supplies.workers)
    return TextRun(
        map(understood, requests), find, reason_of=reason_of, mean_of=mean_of,
        sees_sentences=attrgetter("sees_sentences"),
    )  # fmt: skip


def _find(
    workers: Workers,
    cases: Sequence[Case],
    wanted: Sequence[RougeRequest],
    log: TextLog,
    reporter: Reporter,
) -> Mapping[RougeRequest, Scored]:
    check_text(cases, wanted, log)
    found = scored(cases, wanted, reporter, workers)
    note_found(cases, found, log)
    return {request: found[request] for request in wanted}


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry."""
    return understood(request).signature


def mean_of(request: RougeRequest) -> Mean:
    """Returns how a request's means are made."""
    return perl_mean if request.averages_as_perl else plain_mean


def note_found(cases: Sequence[Case], found: _Found, log: TextLog) -> None:
    """Takes note of outputs and references in which there is nothing to count."""
    for request, of_request in found.items():
        compared = ~of_request.lacks_reference
        for case_idx in np.flatnonzero(compared & of_request.has_no_token).tolist():
            log.note_empty(cases[case_idx].topic, cases[case_idx].system)
        for case_idx in np.flatnonzero(compared & of_request.has_no_unit).tolist():
            log.note_short_references(cases[case_idx].topic, request.metric)


def reason_of(request: RougeRequest) -> Problem:
    """Returns why a request's value is undefined where it is."""
    return _NO_REFERENCE if request.weight is None else _EMPTY_REFERENCE_W
