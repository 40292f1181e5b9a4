import pytest

from awase.core.annotation.times import TimesBy, times
from awase.core.progress import Silent
from awase.storage.store import CorpusStore
from tests.storage.sample import edit, rank_edit


@pytest.mark.slow
def test_that_the_log_knows_how_long_each_edit_took_undone_or_not(stored):
    with CorpusStore.open(stored, who="ann") as store:
        first, rank = edit(), rank_edit("B")
        store.apply(first, who="ann", active_ms=1500)
        store.apply(rank, who="bob", active_ms=0)
        store.undo(who="ann")
    with CorpusStore.open(stored, who="", read_only=True) as store:
        log = store.logged_times()
        assert [(item.annotator, item.active_ms, item.n) for item in log] == [
            ("ann", 1500, first.new.n),
            ("bob", 0, rank.n),
        ]
        lines = times(store.corpus().topics, log, TimesBy.ANNOTATOR, Silent())
    assert {line.annotator: line.active_ms for line in lines} == {"ann": 1500, "bob": None}
