import os
import shutil
import socket
import threading
from pathlib import Path

import pytest

from awase.core.errors import EnvironmentProblem
from awase.storage.files.corpus_file import lock_file
from awase.storage.files.locks_and_backups import CorpusLocked, NotWritable, locked_by_another
from awase.storage.store import CorpusStore
from tests.storage import children
from tests.storage.children import running
from tests.storage.sample import LINKED, addition, edit


def _files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}


def test_that_a_second_writer_is_told_who_holds_the_corpus(stored):
    with (
        children.holding(stored, "花子") as holder,
        pytest.raises(CorpusLocked, match="花子") as raised,
    ):
        CorpusStore.open(stored, who="bob")
    told = raised.value.holder
    assert told is not None
    assert (told.who, told.host, told.pid) == ("花子", socket.gethostname(), holder.pid)


def test_that_a_reader_sees_what_the_writer_commits(stored):
    with (
        children.holding(stored) as holder,
        CorpusStore.open_or_read_only(stored, who="bob") as reader,
    ):
        assert reader.read_only
        assert reader.holder is not None
        assert reader.topic("t1").abstracts[0].alignments == ()
        holder.ask(edit(LINKED))
        assert reader.topic("t1").abstracts[0].alignments[0].sentences == (LINKED,)


def test_that_a_reader_cannot_write(stored):
    with CorpusStore.open(stored, who="ann", read_only=True) as reader:
        for write in (
            lambda: reader.apply(edit(), who="ann"),
            lambda: reader.undo(who="ann"),
            lambda: reader.redo(who="ann"),
            lambda: reader.add(addition("t2"), who="ann"),
        ):
            with pytest.raises(EnvironmentProblem, match="open read-only"):
                write()


def test_that_the_lock_is_free_when_its_holder_dies(stored):
    with children.holding(stored) as holder:
        assert locked_by_another(stored) is not None
        holder.kill()
    assert locked_by_another(stored) is None
    CorpusStore.open(stored, who="bob").close()


def test_that_a_corpus_opened_by_one_thread_is_freed_by_another(stored):
    opened: list[CorpusStore] = []
    job = threading.Thread(target=lambda: opened.append(CorpusStore.open(stored, who="ann")))
    job.start()
    job.join()
    opened[0].close()
    CorpusStore.open(stored, who="ann").close()


def test_that_the_same_process_cannot_write_a_corpus_twice_by_any_name(store, stored, tmp_path):
    link = tmp_path / "another name.awase"
    link.symlink_to(stored)
    for name in (stored, link):
        with pytest.raises(CorpusLocked) as raised:
            CorpusStore.open(name, who="ann")
        assert raised.value.holder is not None
        assert raised.value.holder.pid == os.getpid()


def test_that_of_many_who_create_a_corpus_at_once_one_does(path):
    with (
        running(children.try_to_create, path) as a,
        running(children.try_to_create, path) as b,
        running(children.try_to_create, path) as c,
    ):
        creators = (a, b, c)
        assert [creator.pipe.recv() for creator in creators] == ["ready"] * 3
        for creator in creators:
            creator.pipe.send("go")
        said = [creator.pipe.recv() for creator in creators]
    assert said.count("created") == 1
    assert set(said) <= {"created", "CorpusLocked", "EnvironmentProblem"}


def test_that_reading_leaves_nothing_behind_and_changes_nothing(stored):
    before = _files(stored)
    with CorpusStore.open(stored, who="ann", read_only=True) as reader:
        reader.corpus()
        reader.history("ann")
    assert _files(stored) == before
    assert [*stored.parent.iterdir()] == [stored]


def test_that_reading_leaves_to_a_dead_writer_what_it_had_not_moved_into_the_file(stored):
    children.leave_unfinished(stored, edit(LINKED))
    before = _files(stored)
    assert before["corpus.awase-wal"]
    with CorpusStore.open(stored, who="bob", read_only=True) as reader:
        assert reader.topic("t1").abstracts[0].alignments[0].sentences == (LINKED,)
    after = _files(stored)
    for name in ("corpus.awase", "corpus.awase-wal"):
        assert after[name] == before[name]


@pytest.mark.parametrize("what", ["file", "folder"])
def test_that_what_cannot_be_written_opens_read_only(stored, what, as_nobody):
    (stored if what == "file" else stored.parent).chmod(0o444 if what == "file" else 0o555)
    as_nobody(stored.parent)
    with pytest.raises(NotWritable, match="cannot be written"):
        CorpusStore.open(stored, who="ann")
    with CorpusStore.open_or_read_only(stored, who="ann") as reader:
        assert reader.read_only
        assert reader.holder is None
        assert reader.corpus().topics == addition().topics
    assert [file.name for file in stored.parent.iterdir()] == [stored.name]


def test_that_whoever_may_write_a_shared_corpus_may_lock_it(stored):
    stored.chmod(0o664)
    CorpusStore.open(stored, who="ann").close()
    assert lock_file(stored).stat().st_mode & 0o777 == 0o664


def test_that_a_copy_of_an_open_corpus_is_not_locked(store, tmp_path):
    copy = tmp_path / "copy.awase"
    shutil.copy(store.location, copy)
    CorpusStore.open(copy, who="ann").close()
