"""The file goes away under the program: a stick is pulled, a folder is cleared."""

import os
import sys
from pathlib import Path

import pytest

from awase.core.errors import EnvironmentProblem
from awase.storage.store import CorpusStore
from tests.storage.sample import LINKED, edit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be taken away")


@pytest.mark.parametrize("is_exchanged", [False, True])
def test_that_nothing_is_written_into_a_file_that_is_gone(stored: Path, is_exchanged: bool):
    with CorpusStore.open(stored, who="ann") as store:
        away = stored.with_name("away")
        os.rename(stored, away)
        if is_exchanged:
            stored.write_bytes(away.read_bytes())
        for change in (
            lambda: store.apply(edit(LINKED), who="ann"),
            lambda: store.undo(who="ann"),
        ):
            with pytest.raises(EnvironmentProblem, match="no longer there"):
                change()
        os.replace(away, stored)
        store.apply(edit(LINKED), who="ann")
    with CorpusStore.open(stored, who="ann") as store:
        assert store.topic("t1").abstracts[0].alignments[0].sentences == (LINKED,)


def test_that_the_corpus_can_still_be_read_while_its_file_is_away(stored: Path):
    with CorpusStore.open(stored, who="ann") as store:
        before = store.corpus()
        os.rename(stored, stored.with_name("away"))
        assert store.corpus() == before
        os.rename(stored.with_name("away"), stored)


def test_that_a_file_that_is_gone_is_told_as_such_while_somebody_reads_it(stored: Path):
    with CorpusStore.open(stored, who="ann") as store, store.snapshot(many=0):
        os.rename(stored, stored.with_name("away"))
        with pytest.raises(EnvironmentProblem, match="no longer there"):
            store.apply(edit(LINKED), who="ann")  # the connection that was open is in use
        os.rename(stored.with_name("away"), stored)
