"""Details behind scores: units of pyramids, subtrees, clusters of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awase.core.errors import InputError
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.registry import requests_of
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.jobs.supplies.gathering import Supplying

if TYPE_CHECKING:  # each is imported lazily
    from awase.core.metrics.pruned import ClusterReport
    from awase.core.metrics.pseudo_pyramid import Explained
    from awase.core.metrics.subtree import ExplainedPair, ReadCase


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPyramids:
    """Every value of a corpus explained, and their signature."""

    explained: "Sequence[Explained]"
    signature: str


def pyramid_request(text: str) -> MetricRequest:
    """Returns the one metric that `text` names, as the command line spells it."""
    from awase.core.metrics.pseudo_pyramid import check_explainable

    return check_explainable(requests_of([text]))


def explain_pyramids(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplying
) -> ExplainedPyramids:
    """Returns the units behind every pseudo-pyramid value of `corpus`."""
    from awase.core.metrics.pseudo_pyramid import explain, signature_with

    gathered = supplies(corpus, [request], reporter)
    explained = tuple(explain(corpus, request, reporter, gathered))
    return ExplainedPyramids(
        explained=explained, signature=signature_with(corpus, request, gathered)
    )


def explain_subtrees(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplying
) -> "Sequence[ExplainedPair]":
    """Returns the matches behind every subtree score of `corpus`, text by reference."""
    from awase.core.metrics.subtree import explain

    gathered = supplies(corpus, [request], reporter)
    return tuple(explain(corpus, request, reporter, gathered))


def trees_request(metric: str) -> MetricRequest:
    """Returns the request for the metric that compares trees, as the user spells it."""
    from awase.core.metrics.subtree import METRIC

    (request, *others) = requests_of([metric])
    if request.name != METRIC or others:
        raise InputError.of(
            "Only {metric} compares trees.", "Write {metric} and options.", metric=METRIC
        )
    return request


def read_trees(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplying
) -> "tuple[ReadCase, ...]":
    """Returns every text with its references, as the subtree metric reads them."""
    from awase.core.metrics.subtree import read_cases

    gathered = supplies(corpus, [request], reporter)
    return tuple(read_cases(corpus, request, reporter, gathered))


def merging_request(text: str) -> MetricRequest:
    """Returns the one metric that `text` names, as the command line spells it."""
    from awase.core.metrics.pruned import check_merging

    return check_merging(requests_of([text]), text)


def words_that_count_as_one(
    corpus: Corpus, request: MetricRequest, reporter: Reporter, supplies: Supplying
) -> "Sequence[ClusterReport]":
    """Returns the clusters of every case of a pruned metric."""
    from awase.core.metrics.pruned import cluster_reports

    gathered = supplies(corpus, [request], reporter)
    return tuple(cluster_reports(corpus, request, gathered, reporter))
