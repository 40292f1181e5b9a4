"""What is too long to be held is imported as what is not, by way of a file that nobody sees."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from signal import SIGKILL

import pytest
from tests.building import abstract, corpus, extract, text, topic
from tests.cli.conftest import Run
from tests.jobs.test_topic_by_topic import Held, Stops
from tests.storage.servers import Server
from tests.stored import corpus_file
from tests.written import as_json

from awase.core.errors import Cancelled, InputError
from awase.core.formats.awase_json import portions
from awase.core.formats.awase_json.reading import CorpusFields
from awase.core.formats.lines import lines_by_topic
from awase.core.formats.reading.requests import WriteRequest
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition, addition_of
from awase.core.records.human_score import HumanScore
from awase.core.records.project import Assignment, Person
from awase.jobs import importing
from awase.jobs.importing import (
    ImportFile,
    add_read,
    create_with_files,
    import_files,
    read_all,
)
from awase.storage.changing import adding
from awase.storage.changing.conflicts import StaleEdit
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


@contextmanager
def _long(*, all_of_it: bool = True) -> Iterator[None]:
    """Makes everything long: files, topics, edits."""
    with pytest.MonkeyPatch.context() as patch:
        if all_of_it:
            patch.setattr(importing, "LONG_BYTES", 1)
            patch.setattr(portions, "PORTION_LETTERS", 3_000)
            patch.setattr(lines_by_topic, "PORTION_LETTERS", 1_000)
            patch.setattr(adding, "PORTION_LETTERS", 4_000)
        yield


@pytest.fixture
def known(tmp_path: Path) -> Path:
    return corpus_file(tmp_path / "known.awase", _KNOWN)


@pytest.fixture
def files(tmp_path: Path) -> list[ImportFile]:
    contents = {
        "more.json": _json(_MORE), "texts.jsonl": _TEXTS, "best.extracts": _EXTRACTS
    }  # fmt: skip
    return _files(tmp_path, contents)


def _json(content: Corpus) -> str:
    return as_json(WriteRequest(corpus=content))


def _files(folder: Path, contents: dict[str, str]) -> list[ImportFile]:
    kinds = {".json": "awase-json", ".extracts": "extract-lines", ".jsonl": "text-table"}
    found = []
    for name, content in contents.items():
        path = folder / name
        path.write_text(content, encoding="utf-8")
        found.append(ImportFile(path=path, format_id=kinds[path.suffix], source=name))
    return found


def test_that_long_files_join_a_corpus_as_short_ones_do_and_are_undone(
    known: Path, files: list[ImportFile], tmp_path: Path
) -> None:
    outcomes = []
    for is_long in (False, True):
        path = tmp_path / f"{is_long}.awase"
        path.write_bytes(known.read_bytes())
        with _long(all_of_it=is_long), CorpusStore.open(path, who="1") as store:
            before = store.corpus()
            done = import_files(store, files, "1", Silent(), aliases={"writer": "author"})
            after = store.corpus()
            acts = [(row["kind"], row["verb"], row["subject"]) for row in store.log_rows()]
            assert store.undo(who="1") == done.changes
            assert store.corpus() == before
            store.redo(who="1")
            assert store.corpus() == after
            assert store.find_damage() == ()
            outcomes.append((done, after, acts, store.ownership().versions.keys()))
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0][0].warnings) > _N


@pytest.mark.slow
def test_that_long_files_join_a_corpus_on_a_server_and_are_undone(
    known: Path, files: list[ImportFile], server: Server
) -> None:
    with CorpusStore.open(known, who="1") as stored:
        import_files(stored, files, "1", Silent())
        expected = stored.corpus()
    url = server.url_of(server.make_database())
    addition = addition_of(_KNOWN)
    with _long(), CorpusStore.create(url, name="here", who="1", addition=addition) as store:
        done = import_files(store, files, "1", Silent())
        assert store.corpus() == expected
        assert store.undo(who="1") == done.changes
        assert store.corpus() == _KNOWN
        store.redo(who="1")
        assert store.corpus() == expected


def test_that_a_corpus_is_made_of_long_files_as_of_short_ones(
    files: list[ImportFile], tmp_path: Path
) -> None:
    outcomes = []
    for is_long in (False, True):
        location = tmp_path / f"{is_long}.awase"
        bare = replace(files[2], path=_without_known(files[2].path))
        made_of = [*files[:2], bare]
        with _long(all_of_it=is_long):
            warnings = create_with_files(str(location), "", made_of, "1", Silent())
        with CorpusStore.open(location, who="1") as store:
            acts = [(row["kind"], row["subject"], row["new"]) for row in store.log_rows()]
            outcomes.append((warnings, store.corpus(), acts, store.history("1").done))
            assert store.find_damage() == ()
    assert outcomes[0] == outcomes[1]


def _without_known(path: Path) -> Path:
    bare = path.with_name("bare.extracts")
    bare.write_text("\n".join(path.read_text(encoding="utf-8").split("\n")[:_N]), encoding="utf-8")
    return bare


def test_that_all_that_is_wrong_in_long_files_is_told_and_nothing_changed(
    known: Path, tmp_path: Path
) -> None:
    clashing = replace(_MORE, topics=(*_MORE.topics, topic("known", docs=["Other."])))
    contents = {
        "clashing.json": _json(clashing),
        "bad.json": _json(_MORE).replace('"title"', '"titel"').replace('"writer"', "7"),
        "bad.extracts": "best\tnowhere\t-\td:1\nbest\tknown\t-\td:9\n",
    }
    files, told = _files(tmp_path, contents), []
    with CorpusStore.open(known, who="1") as store:
        before = store.corpus()
        for is_long in (False, True):
            with _long(all_of_it=is_long), pytest.raises(InputError) as refused:
                import_files(store, files, "1", Silent())
            told.append(sorted(map(repr, refused.value.problems)))
            assert (store.corpus(), store.history("1").done) == (before, ())
    assert told[0] == told[1]
    assert len(told[0]) > _N


def test_that_what_was_read_for_another_state_joins_nothing(
    known: Path, files: list[ImportFile]
) -> None:
    with _long(), CorpusStore.open(known, who="1") as store:
        state = store.state()
        with store.snapshot() as before:
            read = read_all(before, files, Silent())
        store.add(_empty_addition_of(Person(id="2")), who="2")
        with pytest.raises(StaleEdit, match="changed in the meantime"):
            add_read(store, read, state, source="more", who="1", reporter=Silent())
        assert [one.id for one in store.corpus().topics] == ["known"]
        add_read(store, read, store.state(), source="more", who="1", reporter=Silent())


def _empty_addition_of(person: Person) -> Addition:
    return Addition(persons=(person,))


def test_that_few_topics_of_a_long_file_are_held(
    known: Path, files: list[ImportFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    held, read = Held(), CorpusFields.topic

    def noted(self: CorpusFields, *args: object) -> object:
        part = read(self, *args)
        held.take((part.record,))
        return part

    monkeypatch.setattr(CorpusFields, "topic", noted)
    with _long(), CorpusStore.open(known, who="1") as store:
        import_files(store, files, "1", Silent())
    assert 0 < held.most < _N // 2


@pytest.mark.parametrize("after", [1, 5, 20, 40])
def test_that_a_long_import_that_is_stopped_leaves_the_corpus_as_it_was(
    known: Path, files: list[ImportFile], after: int
) -> None:
    with _long(), CorpusStore.open(known, who="1") as store:
        before, state = store.corpus(), store.state()
        with pytest.raises(Cancelled):
            import_files(store, files, "1", Stops(after))
        assert (store.corpus(), store.state()) == (before, state)
        assert store.find_damage() == ()


def test_that_a_long_import_that_is_killed_leaves_the_corpus_as_it_was(
    known: Path, files: list[ImportFile]
) -> None:
    child = get_context("spawn").Process(target=_die, args=(known, files))
    child.start()
    child.join()
    assert child.exitcode == -SIGKILL
    with CorpusStore.open(known, who="1") as store:
        assert store.corpus() == _KNOWN
        assert store.find_damage() == ()


def _die(path: Path, files: Sequence[ImportFile]) -> None:
    class Dies:
        def advance(self, done: int, total: int, what: str = "") -> None:
            if what == f"n{_N - 3}":
                os.kill(os.getpid(), SIGKILL)

    with _long(), CorpusStore.open(path, who="1") as store:
        import_files(store, files, "1", Dies())


def test_that_the_command_line_says_the_same_of_long_files(
    run: Run, known: Path, files: list[ImportFile], tmp_path: Path
) -> None:
    names = [file.path for file in files]
    said = []
    for is_long in (False, True):
        path = tmp_path / f"{is_long}.awase"
        path.write_bytes(known.read_bytes())
        new = tmp_path / f"new-{is_long}.awase"
        with _long(all_of_it=is_long):
            results = [
                run("import", path, *names),
                run("import", new, names[0]),
                run("import", path, names[0]),
                run("validate", names[0]),
            ]
        said.append([
            (one.status, f"{one.out}{one.err}".replace(str(path), "A").replace(str(new), "B"))
            for one in results
        ])  # fmt: skip
    assert said[0] == said[1]
    assert [status for status, _ in said[0]] == [0, 0, 1, 0]
