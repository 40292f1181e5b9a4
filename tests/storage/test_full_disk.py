"""A disk that is really full: told as such, and what is on it can be read."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from awase.storage.files.corpus_file import DiskFull
from awase.storage.store import CorpusStore
from tests.storage import children
from tests.storage.failures import small_disk
from tests.storage.sample import CONFIRMED, LINKED, REFS, addition, edit, entry


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk") as place:
        yield place


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x")
    return filler


def _made(disk: Path) -> Path:
    path = disk / "c.awase"
    CorpusStore.create(path, name="x", who="ann", addition=addition()).close()
    return path


@pytest.mark.slow
def test_that_a_corpus_on_a_full_disk_is_read_and_not_written(disk):
    path = _made(disk)
    content = path.read_bytes()
    filler = fill(disk)
    with CorpusStore.open(path, who="ann", read_only=True) as store:
        corpus = store.corpus()
    assert corpus.topics == addition().topics
    with pytest.raises(DiskFull, match="is full; nothing was changed"):
        CorpusStore.open(path, who="ann")
    with CorpusStore.open_or_read_only(path, who="ann") as store:
        assert store.read_only
        assert ["is full" in str(problem) for problem in store.warnings] == [True]
        assert store.corpus() == corpus
    assert path.read_bytes() == content
    filler.unlink()
    with CorpusStore.open_or_read_only(path, who="ann") as store:
        assert not store.read_only
        store.apply(edit(LINKED), who="ann")


@pytest.mark.slow
def test_that_a_disk_that_fills_up_while_somebody_works_loses_nothing(disk):
    path = _made(disk)
    with CorpusStore.open(path, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        filler = fill(disk)
        large = entry(5, (REFS[0],), note="長い" * 100_000)
        before = store.corpus()
        for new in (CONFIRMED, large):
            with pytest.raises(DiskFull):
                store.apply(edit(new, old=LINKED), who="ann")
        assert store.corpus() == before
        with CorpusStore.open(path, who="bob", read_only=True) as reader:
            assert reader.corpus() == before
        filler.unlink()
        store.apply(edit(CONFIRMED, old=LINKED), who="ann")
        after = store.corpus()
    with CorpusStore.open(path, who="ann", read_only=True) as reader:
        assert reader.corpus() == after


def test_that_what_a_dead_writer_left_is_read_on_a_full_disk(disk):
    path = _made(disk)
    children.leave_unfinished(path, edit())
    path.with_name("c.awase-shm").unlink()
    fill(disk)
    waiting = path.with_name("c.awase-wal").read_bytes()
    with CorpusStore.open(path, who="bob", read_only=True) as store:
        assert len(store.history("ann").done) == 1
    assert path.with_name("c.awase-wal").read_bytes() == waiting
