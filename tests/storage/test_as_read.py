"""A corpus that was just stored, scored from memory: the same figures as of its file."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given

from awase.core.errors import InputError
from awase.core.metrics.registry import read_sources, requests_of
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import addition_of
from awase.core.records.score import ScoreTable
from awase.jobs.scoring import score
from awase.storage.new_corpus import create_corpus
from awase.storage.reader import opened_to_read
from awase.storage.rows.on_demand import as_read
from tests.strategies import corpora

METRICS = ("tsc3", "rouge:tokens=unicode", "rouge-su:tokens=ja,limit=3w", "be", "bleu")


def _found(corpus: Corpus, metric: str) -> object:
    """Returns every score in its order with its signature, and what is told; or the refusal."""
    requests = requests_of([metric])
    try:
        table: ScoreTable = score(corpus, requests, Silent())
    except InputError as error:
        return error.problems
    return [*table.scores], table.warnings


@pytest.mark.parametrize("many", [0, 1_000], ids=["many topics", "few"])
@given(corpus=corpora())
def test_that_a_corpus_from_memory_is_scored_as_from_its_file(many: int, corpus: Corpus):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.awase"
        create_corpus(path, name=corpus.name, who="1", addition=addition_of(corpus))
        for metric in METRICS:
            with_sources = read_sources(requests_of([metric]))
            held = as_read(corpus, many)
            with (
                opened_to_read(path) as store,
                store.snapshot(many, with_sources=with_sources) as read,
            ):
                assert type(held.topics) is type(read.topics)
                assert _found(held, metric) == _found(read, metric)
