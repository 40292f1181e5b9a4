"""Kept scores: exact values come back, and the corpus's state tells when they are out of date."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.errors import EnvironmentProblem, InputError, Problem
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.core.records.score import CoverSize, Origin, PackedScores, Score, ScoreTable, Selection
from awase.core.records.topic import Topic
from awase.storage.rows import writing
from awase.storage.rows.writing import table_of, table_text
from awase.storage.store import CorpusStore

REASON = Problem(what="{n} lack a rank.", hint="Give it.", fields={"n": 2, "x": 0.5, "s": "ア"})
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
problems = st.builds(
    Problem,
    what=texts,
    hint=texts,
    fields=st.dictionaries(texts, st.one_of(texts, st.integers(-9, 9), st.just(0.25)), max_size=2),
    source=st.none() | texts,
    line=st.none() | st.integers(1, 9),
    path=texts,
)
scores = st.builds(
    Score,
    topic=st.none() | texts,
    length=st.none() | texts,
    system=texts,
    metric=texts,
    value=st.none() | st.fractions() | st.floats(allow_nan=False, allow_infinity=False),
    signature=texts,
    provisional=st.booleans(),
    reason=st.none() | problems,
    n_topics=st.integers(0, 99),
)
sizes = st.builds(
    CoverSize, topic=texts, length=st.none() | texts, annotator=texts, h=st.fractions()
)
tables = st.builds(
    ScoreTable,
    scores=st.lists(scores, max_size=5).map(tuple),
    warnings=st.lists(problems, max_size=2).map(tuple),
    cover_sizes=st.lists(sizes, max_size=2).map(tuple),
)

TABLE = ScoreTable(
    scores=(
        Score(topic="t", length=None, system="s", metric="coverage", value=Fraction(5, 9),
              signature="coverage:first=h", provisional=True, spread=(Fraction(1, 3), Fraction(1))),
        Score(topic="t", length=None, system="s", metric="rouge-1.f", value=0.1 + 0.2,
              signature="rouge-1:stem=no"),
        Score(topic=None, length=None, system="s", metric="coverage", value=None,
              signature="coverage:first=h", reason=REASON, n_topics=0),
    ),
    warnings=(REASON,),
    cover_sizes=(CoverSize(topic="t", length=None, annotator="first", h=Fraction(13, 2)),),
)  # fmt: skip
SELECTION = Selection(metrics=("tsc3", "rouge-1"), topics=("t",), systems=None, program="1.2.3")


def keep(store: CorpusStore, title: str = "before the second pass"):
    return store.keep_scores(
        TABLE, title=title, who="佐藤", corpus_state=store.state(), selection=SELECTION
    )


@pytest.fixture
def store(tmp_path):
    with CorpusStore.create(tmp_path / "c.awase", name="c", who="1") as store:
        yield store


@given(tables)
def test_that_a_table_comes_back_exact_with_reasons_and_warnings(table):
    again = table_of(table_text(table))
    assert again == table
    kinds = [type(score.value) for score in table.scores]
    assert [type(score.value) for score in again.scores] == kinds


@given(tables)
def test_that_a_long_table_is_read_some_scores_at_a_time_as_a_short_one(table):
    text = table_text(table)
    assert json.loads(text).keys() == json.loads(table_text(TABLE)).keys()
    means_last = sorted(table.scores, key=lambda one: one.topic is None)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writing, "LONG_TEXT", 0)
        again = table_of(text)
    assert isinstance(again.scores, PackedScores)
    assert again == replace(table, scores=tuple(means_last))


def test_that_a_table_comes_back_that_is_written_in_several_portions():
    many = replace(TABLE, scores=TABLE.scores[:2] * 2_100, cover_sizes=TABLE.cover_sizes * 4_200)
    assert table_of(table_text(many)) == many


def test_that_kept_scores_are_there_when_the_corpus_is_opened_again(store):
    kept = keep(store, " before the\nsecond pass ")
    location = store.location
    store.close()
    with CorpusStore.open(location, who="2", read_only=True) as again:
        run = again.score_run(kept.id)
        assert run.table == TABLE
        assert run.kept == kept
        assert (kept.who, kept.title) == ("佐藤", "before the second pass")
        assert kept.selection == SELECTION
        assert again.score_runs() == (kept,)


def test_that_runs_are_listed_newest_first_and_can_be_removed(store):
    one, two = keep(store, "one"), keep(store, "two")
    assert [kept.title for kept in store.score_runs()] == ["two", "one"]
    store.remove_score_run(two.id)
    assert store.score_runs() == (one,)
    for gone in (store.score_run, store.remove_score_run):
        with pytest.raises(InputError, match="no kept scores with the number 2"):
            gone(two.id)


def test_that_keeping_and_removing_leave_the_state_of_the_corpus_and_changes_do_not(store):
    before = store.state()
    kept = keep(store)
    assert store.state() == before == kept.corpus_state
    store.remove_score_run(kept.id)
    assert store.state() == before
    store.add(addition_of(Corpus(topics=(Topic(id="t"),))), who="1")
    assert store.state() != before


def test_that_nothing_is_kept_without_a_title_or_in_a_corpus_open_for_reading(store):
    with pytest.raises(InputError, match="title"):
        keep(store, "  ")
    assert store.score_runs() == ()
    location = store.location
    store.close()
    with (
        CorpusStore.open(location, who="2", read_only=True) as again,
        pytest.raises(EnvironmentProblem),
    ):
        keep(again)


def test_that_imported_scores_say_so(store):
    imported = Selection(origin=Origin.IMPORTED, program="1")
    kept = store.keep_scores(TABLE, title="x", who="1", corpus_state="", selection=imported)
    assert store.score_run(kept.id).kept.selection.origin is Origin.IMPORTED
