"""What is made of a topic goes when it is done with, without Python's search for cycles.

Commands all but turn that search off: whatever holds itself stays until they end.
"""

import gc
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from tests.building import abstract, extract, text, topic

from awase.core.analysis import extracting
from awase.core.analysis.extractors import extractions_of
from awase.core.errors import Silent
from awase.core.metrics.kit.extractive import OracleEffort
from awase.core.metrics.registry import requests_of
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.reports.html_report import html_pieces
from awase.jobs.covers import CoverRequest, find_covers
from awase.jobs.exporting import ExportPlan, pieces_of
from awase.jobs.oracles import find_oracles, oracle_request
from awase.jobs.scoring import ReportPlan, report, score
from awase.jobs.supplies.gathering import without_supplies
from awase.jobs.team.project_reports import AgreementRequest, study_agreement, study_progress

FEW, MANY = 10, 40
_TEXTS = ("What was built", "Who built the ship", "A tomb was found", "The ship was built there")


def made(n_topics: int) -> Corpus:
    """Returns a corpus of topics that two people aligned."""
    return Corpus(topics=tuple(_topic(at) for at in range(n_topics)))


def _topic(at: int) -> Topic:
    links = {"1": "s1|s2&s3;s3", "2": "s1|s2&s4;s3&s1|s4"}
    return topic(
        f"t{at}",
        docs=_TEXTS,
        abstracts=(abstract("a", links, texts=["What was built", "A tomb of the ship"]),),
        outputs=[extract("lead", "s1", "s2"), text("writer", "A ship was built.")],
    )


def _extracted(corpus: Corpus) -> object:
    wanted = extractions_of(["lead", "mmr", "cluster"], {"size": "2"})
    return extracting.extract(corpus, extracting.named(corpus, wanted, ["1", "2", "3"]), Silent())


def _reported(corpus: Corpus) -> object:
    plan = ReportPlan(requests=requests_of(["tsc3", "rouge-2"]))
    return "".join(html_pieces(report(corpus, plan, Silent(), made=datetime.now(UTC))))


def _oracles(corpus: Corpus) -> object:
    request = oracle_request(OracleEffort(), unit="sentence", limit="2s")
    return find_oracles(corpus, request, Silent(), without_supplies)


_JOBS: dict[str, Callable[[Corpus], object]] = {
    "agreement": lambda corpus: study_agreement(corpus, AgreementRequest(), Silent()),
    "covers": lambda corpus: find_covers(corpus, CoverRequest(annotators=("all",)), Silent()),
    "extracts": _extracted,
    "export": lambda corpus: [*pieces_of(corpus, ExportPlan(format_id="awase-json"), Silent())],
    "oracles": _oracles,
    "progress": lambda corpus: study_progress(corpus, (), Silent()),
    "report": _reported,
    "scores": lambda corpus: score(
        corpus, requests_of(["tsc3", "rouge-2", "rouge-l", "pseudo-pyramid"]), Silent()
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", _JOBS)
def test_that_a_job_leaves_nothing_of_a_topic_to_the_search_for_cycles(name):
    job = _JOBS[name]
    job(made(FEW))  # what is made once for all
    few, many = (_n_in_cycles(job, made(n)) for n in (FEW, MANY))
    assert many - few < MANY - FEW


def _n_in_cycles(job: Callable[[Corpus], object], corpus: Corpus) -> int:
    gc.collect(1)  # what is there by now is old, and not looked at again
    gc.disable()
    try:
        job(corpus)
        return gc.collect(0)
    finally:
        gc.enable()
