"""Files of several kinds join a corpus together or not at all, and are undone in one step."""

import os
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL

import pytest
from tests.building import abstract, corpus, extract, text, topic
from tests.in_part import in_part
from tests.jobs.test_changes_of_the_whole import Stops
from tests.stored import corpus_file
from tests.written import as_json

from awase.core.errors import Cancelled, InputError
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.progress import Silent
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.core.records.output import HumanScore
from awase.core.records.project import Assignment, Person
from awase.jobs.importing import import_files
from awase.storage.store import CorpusStore

_N = 40
_KNOWN = corpus(topic("known", docs=["Long ago.", "Not so long ago."]), name="here")
_MORE = replace(
    corpus(
        *(
            topic(
                f"n{n:02}",
                docs=["What was built", "Who built it"],
                abstracts=[abstract("a", {"1": "A: s1|s2"}, texts=["What was built"])],
                outputs=[extract("lead", "s1"), text("writer", "\ufffd")],
            )
            for n in range(_N)
        ),
        scores=[HumanScore(topic="n03", system="nobody", measure="m", value=1.0)],
        name="there",
    ),
    rank_weights=(("A", 1.0), ("B", 0.5), ("C", 1 / 3)),
    persons=(Person(id="1"),),
    assignments=(Assignment(topic="n39", person="1"),),
)
_TEXTS = "".join(
    f'{{"id": "n{n:02}", "system": "{of}", "prediction": "Ships of {of}."}}\n'
    for of in ("one", "two")
    for n in range(_N)
)
_EXTRACTS = "\n".join(f"best\tn{n:02}\t-\td:1" for n in range(_N)) + "\nbest\tknown\t-\td:2\n"


@pytest.fixture
def known(tmp_path: Path) -> Path:
    return corpus_file(tmp_path / "known.awase", _KNOWN)


@pytest.fixture
def files(tmp_path: Path) -> list[ReadRequest]:
    contents = {
        "more.json": _json(_MORE), "texts.jsonl": _TEXTS, "best.extracts": _EXTRACTS
    }  # fmt: skip
    return _files(tmp_path, contents)


def _json(content: Corpus) -> str:
    return as_json(WriteRequest(corpus=content))


def _files(folder: Path, contents: dict[str, str]) -> list[ReadRequest]:
    kinds = {".json": "awase-json", ".extracts": "extract-lines", ".jsonl": "text-table"}
    found = []
    for name, content in contents.items():
        path = folder / name
        path.write_text(content, encoding="utf-8")
        found.append(ReadRequest(path=path, format_id=kinds[path.suffix], source=name))
    return found


def test_that_files_join_a_corpus_and_are_undone_in_one_step(known, files):
    with CorpusStore.open(known, who="1") as store:
        before = store.corpus()
        done = import_files(store, files, "1", Silent(), aliases={"writer": "author"})
        after = store.corpus()
        assert len(after.topics) == _N + 1
        assert len(done.warnings) > _N
        assert store.undo(who="1") == done.changes
        assert store.corpus() == before
        store.redo(who="1")
        assert store.corpus() == after
        assert store.find_damage() == ()


@pytest.mark.slow
def test_that_files_join_a_corpus_on_a_server_and_are_undone(known, files, server):
    with CorpusStore.open(known, who="1") as stored:
        import_files(stored, files, "1", Silent())
        expected = stored.corpus()
    url = server.url_of(server.make_database())
    addition = addition_of(_KNOWN)
    with CorpusStore.create(url, name="here", who="1", addition=addition) as store:
        done = import_files(store, files, "1", Silent())
        assert store.corpus() == expected
        assert store.undo(who="1") == done.changes
        assert store.corpus() == _KNOWN
        store.redo(who="1")
        assert store.corpus() == expected


def test_that_all_that_is_wrong_in_files_is_told_and_nothing_changed(known, tmp_path):
    clashing = replace(_MORE, topics=(*_MORE.topics, topic("known", docs=["Other."])))
    contents = {
        "clashing.json": _json(clashing),
        "bad.json": _json(_MORE).replace('"title"', '"titel"').replace('"writer"', "7"),
        "bad.extracts": "best\tnowhere\t-\td:1\nbest\tknown\t-\td:9\n",
    }
    with CorpusStore.open(known, who="1") as store:
        before = store.corpus()
        with pytest.raises(InputError) as refused:
            import_files(store, _files(tmp_path, contents), "1", Silent())
        assert {one.source for one in refused.value.problems} == {*contents}
        assert len(refused.value.problems) > _N
        assert (store.corpus(), store.history("1").done) == (before, ())


@pytest.mark.slow
@pytest.mark.parametrize("after", in_part([20, 1, 5, 40]))
def test_that_an_import_that_is_stopped_leaves_the_corpus_as_it_was(known, files, after):
    with CorpusStore.open(known, who="1") as store:
        before, state = store.corpus(), store.state()
        with pytest.raises(Cancelled):
            import_files(store, files, "1", Stops(after))
        assert (store.corpus(), store.state()) == (before, state)
        assert store.find_damage() == ()


@pytest.mark.slow
def test_that_an_import_that_is_killed_leaves_the_corpus_as_it_was(known, files):
    child = get_context("spawn").Process(target=_die, args=(known, files))
    child.start()
    child.join()
    assert child.exitcode == -SIGKILL
    with CorpusStore.open(known, who="1") as store:
        assert store.corpus() == _KNOWN
        assert store.find_damage() == ()


def _die(path: Path, files: Sequence[ReadRequest]) -> None:
    class Dies:
        def advance(self, done: int, total: int, what: str = "") -> None:
            if what == f"n{_N - 3}":
                os.kill(os.getpid(), SIGKILL)

    with CorpusStore.open(path, who="1") as store:
        import_files(store, files, "1", Dies())
