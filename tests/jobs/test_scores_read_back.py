"""Scores that Awase writes to a file are, read back, the scores that it wrote."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.conftest import CSV
from tests.in_part import in_part
from tests.jobs.small_corpus import of_two_annotators, small_corpus
from tests.stored import corpus_file

from awase.core.errors import Problem, Silent
from awase.core.formats.scores.score_lines import read_scores
from awase.core.metrics.registry import requests_of
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.addition import addition_of, merge
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.score_report import TIDY_COLUMNS
from awase.core.reports.table_export import as_tidy_csv
from awase.jobs.importing import demonstration, metric_scores
from awase.jobs.scoring import score
from awase.storage.store import CorpusStore

METRICS = ("tsc3", "coverage:strict=yes", "rouge-1:tokens=unicode", "rouge-1:tokens=chars,limit=9c")
NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=4)


def with_several_references(corpus: Corpus) -> Corpus:
    """Adds an abstract of the same length to the first topic, so that signatures differ."""
    first, *others = corpus.topics
    again = replace(first.abstracts[0], id="another", alignments=())
    topic = replace(first, abstracts=(*first.abstracts, again))
    return replace(corpus, topics=(topic, *others))


@pytest.mark.parametrize("for_spreadsheet", [False, True])
@pytest.mark.parametrize("name", in_part(["small", "references", "en", "ja"], first=2))
def test_that_what_is_written_is_read_back_byte_for_byte(name, for_spreadsheet):
    corpus = small_corpus()
    if name in ("en", "ja"):
        corpus = merge(Corpus(), demonstration(name))
    if name == "references":
        corpus = with_several_references(corpus)
    table = score(corpus, requests_of(METRICS), Silent())
    assert {one.value is None for one in table.scores} >= {False}
    text = as_tidy_csv(ScoreArrays(table=table), for_spreadsheet=for_spreadsheet)
    again = read_scores(text, "s.csv", corpus)
    assert as_tidy_csv(ScoreArrays(table=again), for_spreadsheet=for_spreadsheet) == text
    assert again.warnings == ()


def test_that_facts_about_the_data_split_no_mean():
    """Three topics of which one tells `no_source` are one column, over three topics."""
    table = score(small_corpus(), requests_of(["coverage"]), Silent())
    facts = {one.signature for one in table.scores if one.system == "lead"}
    assert len(facts) > 1
    rows = as_tidy_csv(ScoreArrays(table=table)).splitlines()
    no_counts = "\n".join(row.rpartition(",")[0] for row in rows)
    for text in (as_tidy_csv(ScoreArrays(table=table)), no_counts):
        means = [one for one in read_scores(text, "s.csv", small_corpus()).scores
                 if one.topic is None and one.system == "lead"]  # fmt: skip
        (mean,) = means
        (direct,) = (one for one in table.scores if one.topic is None and one.system == "lead")
        assert (mean.n_topics, mean.provisional) == (3, direct.provisional)
        assert float(mean.value) == pytest.approx(float(direct.value), abs=1e-12)


def test_that_a_cell_longer_than_tables_take_by_default_is_read():
    rows = f"topic,system,metric,value\nt,lead,{'m' * 131_073},3\n"
    score = read_scores(rows, "s.csv", small_corpus()).scores[0]
    assert (score.metric, score.value) == ("m" * 131_073, 3)


@pytest.mark.slow
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["t", "u", None]),
            st.sampled_from(["short", None]),
            NAMES,
            st.none() | st.fractions(0, 1) | st.floats(0, 1),
            st.booleans(),
        ),
        min_size=1,
        max_size=8,
        unique_by=lambda row: row[:3],
    ),
    for_spreadsheet=st.booleans(),
)
def test_that_any_table_is_read_back(rows, for_spreadsheet):
    scores = [
        Score(topic=topic, length=length, system=system, metric="m", value=value, signature="m:x=1",
              provisional=provisional, n_topics=0 if value is None else 1,
              reason=Problem(what="x") if value is None else None)
        for topic, length, system, value, provisional in rows
    ]  # fmt: skip
    # A table has a mean of everything that it has by topic.
    means = {(one.length, one.system) for one in scores if one.topic is None}
    scores += [
        replace(one, topic=None, value=Fraction(1, 3), reason=None, n_topics=1)
        for one in {(one.length, one.system): one for one in scores}.values()
        if (one.length, one.system) not in means
    ]
    order = {"t": 0, "u": 1, None: 2}
    table = ScoreTable(scores=tuple(sorted(scores, key=lambda one: order[one.topic])))
    text = as_tidy_csv(ScoreArrays(table=table), for_spreadsheet=for_spreadsheet)
    corpus = merge(Corpus(), addition_of(small_corpus()))
    again = read_scores(text, "s.csv", corpus)
    assert as_tidy_csv(ScoreArrays(table=again), for_spreadsheet=for_spreadsheet) == text


def test_that_a_mean_over_other_topics_than_the_table_has_is_told():
    table = score(small_corpus(), requests_of(["coverage"]), Silent())
    rows = [
        row
        for row in as_tidy_csv(ScoreArrays(table=table)).splitlines()
        if not row.startswith("u,")
    ]
    told = [str(one) for one in read_scores("\n".join(rows), "s.csv", small_corpus()).warnings]
    assert told
    assert all("is over 3 topics, and the table has 2 of them" in one for one in told)


@pytest.fixture
def stored(tmp_path) -> Path:
    return corpus_file(tmp_path / "small.awase", small_corpus())


def said(run, *words: object) -> str:
    done = run(*words)
    assert done.status == 0, done.err
    return done.out


def test_that_a_length_is_that_of_scores_that_have_none(tmp_path):
    file = tmp_path / "s.csv"
    file.write_text("topic,length,system,metric,value\nt,long,a,m,1\nt,,b,m,1\n", "utf-8")
    read = metric_scores([file], None, "short").scores
    assert {(one.system, one.length) for one in read} >= {("a", "long"), ("b", "short")}
    assert ("a", "short") not in {(one.system, one.length) for one in read}


def test_that_scores_of_metrics_are_not_taken_for_human_ones(run, stored, tmp_path):
    file = tmp_path / "s.csv"
    file.write_text(said(run, "score", stored, CSV), "utf-8")
    done = run("import", stored, file)
    assert done.status == 1
    assert "No score of the file is a human score" in done.err


def test_that_reasons_and_ranges_over_annotators_are_read_back():
    corpus = of_two_annotators()
    plain = score(small_corpus(), requests_of(["coverage"]), Silent())
    assert as_tidy_csv(ScoreArrays(table=plain)).splitlines()[0] == ",".join(TIDY_COLUMNS)
    bare = replace(corpus.topics[0].abstracts[0], alignments=())
    undefined = replace(corpus.topics[0], id="bare", abstracts=(replace(bare, id="bare"),))
    whole = replace(corpus, topics=(*corpus.topics, undefined))
    table = score(whole, requests_of(["coverage:annotator=all"]), Silent())
    text = as_tidy_csv(ScoreArrays(table=table))
    assert text.splitlines()[0] == ",".join((*TIDY_COLUMNS, "lowest", "highest", "reason"))
    again = read_scores(text, "s.csv", whole)
    assert as_tidy_csv(ScoreArrays(table=again)) == text
    cells = {(one.topic, one.system, one.length): one for one in again.scores}
    for one in table.scores:
        read = cells[one.topic, one.system, one.length]
        assert str(read.reason) == str(one.reason)
        assert read.spread == (one.spread and tuple(Fraction(float(end)) for end in one.spread))
    assert any(one.reason for one in table.scores)
    assert any(one.spread and one.spread[0] < one.spread[1] for one in table.scores)


OF_FILES = ("csv", "tsv", "json", "jsonl", "parquet", "xlsx")
FOR_A_SPREADSHEET = (("csv", "--bom"), ("tsv", "--bom"))


@pytest.mark.parametrize(
    ("ending", "more"), in_part([*FOR_A_SPREADSHEET, *((one, None) for one in OF_FILES)])
)
def test_that_a_file_of_every_form_is_read_back_to_the_last_digit(run, tmp_path, ending, more):
    """Excel's numbers once ended after 16 digits; JSON was no table, and `=one` was `'=one`."""
    corpus = small_corpus()
    first, *others = corpus.topics
    outputs = [replace(one, system="=one") if one.system == "one" else one for one in first.outputs]
    corpus = replace(corpus, topics=(replace(first, outputs=tuple(outputs)), *others))
    bare = replace(first.abstracts[0], id="bare", alignments=())
    undefined = replace(first, id="bare", abstracts=(bare,))
    corpus = replace(corpus, topics=(*corpus.topics, undefined))
    path = tmp_path / "small.awase"
    CorpusStore.create(path, name="small", who="1", addition=addition_of(corpus)).close()
    metrics = [word for name in METRICS for word in ("-m", name)]
    file = tmp_path / f"s.{ending}"
    said(run, "score", path, *metrics, "-o", file, *([more] if more else []))
    if more:
        assert "'=one" in file.read_text("utf-8")
    direct = said(run, "score", path, *metrics, "--output-format", "csv")
    assert "=one" in direct
    assert direct.splitlines()[0].endswith(",reason")
    assert any(len(row.split(",")[4]) > 17 for row in direct.splitlines())
    assert said(run, "scores", "--import", file, "--output-format", "csv") == direct


def test_that_correlations_read_every_form_of_scores(run, stored, tmp_path):
    metrics = ("-m", METRICS[1])
    words = ("correlate", stored, "--resamples", "50", "--output-format", "csv")
    direct = said(run, *words, *metrics)
    for ending in OF_FILES:
        file = tmp_path / f"s.{ending}"
        said(run, "score", stored, *metrics, "-o", file)
        assert said(run, *words, "--scores", file) == direct, ending
