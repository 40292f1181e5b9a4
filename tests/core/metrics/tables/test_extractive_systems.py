"""Who copies and who writes; and correlations over one kind only."""

from dataclasses import replace

import pytest
from tests.building import extract
from tests.core.metrics.rouge.test_rouge_family import abstract, text, topic

from awase.core.errors import ScoringUndefinedError, Silent
from awase.core.metrics.correlating import HumanSide, SystemKind, correlations, system_kinds
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.corpus import Corpus
from awase.core.records.topic import HumanScore
from awase.core.statistics.study import StudyRequest

SOURCE = ("The cat sat, slept and left.", "A dog barked.")
EXTRACTIVE, ABSTRACTIVE = SystemKind.EXTRACTIVE, SystemKind.ABSTRACTIVE


def kinds(*outputs, source=SOURCE):
    return system_kinds(Corpus(topics=(topic(*outputs, source=source),)))


def test_that_what_stands_in_the_source_is_extractive_whatever_its_marks_and_case():
    found = kinds(
        extract("ids", 1), text("copy", "a dog barked .", "the cat sat"), text("own", "Dogs bark.")
    )
    assert found == {"ids": EXTRACTIVE, "copy": EXTRACTIVE, "own": ABSTRACTIVE}


@pytest.mark.parametrize(("n_own", "kind"), [(1, EXTRACTIVE), (2, ABSTRACTIVE)])
def test_that_nine_sentences_in_ten_have_to_be_copied(n_own, kind):
    said = ("A dog barked.",) * (10 - n_own) + ("Dogs bark.",) * n_own
    assert kinds(text("x", *said)) == {"x": kind}


def test_that_without_a_source_or_a_word_there_is_no_kind():
    assert kinds(text("x", "Dogs bark."), source=()) == {}
    assert kinds(text("x", "…")) == {}


def studied(kind, **names):
    """`names`: what people call a system."""
    said = ["The cat sat", "A dog barked", "left", "Cats sit and sleep", "Dogs leave", "One"]
    outputs = [text(f"s{n}", one) for n, one in enumerate(said)]
    of = topic(*outputs, source=SOURCE, abstracts=[abstract("The cat sat and a dog barked")])
    human = tuple(
        HumanScore(system=names.get(f"s{n}", f"s{n}"), topic="t", measure="worth", value=7 - n)
        for n in range(7)
    )
    corpus = Corpus(topics=(of,), human_scores=human)
    table = score_corpus(corpus, requests_of(["rouge-1"]), Silent())
    side = HumanSide(kind=kind, component="r", aliases=names)
    return correlations(corpus, table, side, StudyRequest(n_resamples=9), Silent())


def test_that_correlations_can_be_over_one_kind_and_tell_who_is_left_out():
    found = studied(EXTRACTIVE)
    assert [point.system for point in found.results[0].points] == ["s0", "s1", "s2"]
    assert found.request.excluded == ("s3", "s4", "s5", "s6")
    assert any(str(one).startswith("s6: left out, as the corpus") for one in found.warnings)
    other = studied(ABSTRACTIVE)
    assert [point.system for point in other.results[0].points] == ["s3", "s4", "s5"]
    assert studied(None).results[0].n_systems == 6
    renamed = studied(EXTRACTIVE, s1="One").results[0].points
    assert [point.system for point in renamed] == ["s0", "One", "s2"]


def test_that_names_that_do_not_meet_or_look_alike_are_told():
    told = [str(one) for one in studied(None, s1="S-2", s6="ref-1").warnings]
    assert [one.partition(". ")[0] for one in told] == [
        "ref-1: left out as references, by their names; references are never systems",
        "S-2, s2 look like one system under several names",
    ]


def test_that_a_kind_without_systems_is_told():
    corpus = Corpus(
        topics=(topic(text("x", "Own."), abstracts=[abstract("Own.")]),),
        human_scores=(HumanScore(system="x", topic="t", measure="worth", value=1.0),),
    )
    table = score_corpus(corpus, requests_of(["rouge-1"]), Silent())
    side = replace(HumanSide(), kind=EXTRACTIVE)
    with pytest.raises(ScoringUndefinedError):
        correlations(corpus, table, side, StudyRequest(n_resamples=9), Silent())
