"""Files of several kinds join a corpus together or not at all, and are undone in one step."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.building import abstract, corpus, extract, text, topic
from tests.stored import corpus_file
from tests.written import as_json, write_files

from awase.core.errors import EnvironmentProblem, InputError, Silent
from awase.core.formats.reading.requests import LEFT_OUT, ReadRequest, WriteRequest
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.topic import HumanScore
from awase.jobs.files.reading import DiskFolder
from awase.jobs.files.writing import Target, write_folder
from awase.jobs.importing import (
    are_texts,
    create_with_files,
    format_of_place,
    import_files,
    look_at,
    read_all,
)
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
        done = import_files(store, files, "1", Silent())
        after = store.corpus()
        assert len(after.topics) == _N + 1
        systems = {output.system for topic in after.topics for output in topic.outputs}
        assert systems == {"lead", "writer", "one", "two", "best"}
        assert len(done.warnings) > _N
        assert store.undo(who="1") == done.changes
        assert store.corpus() == before
        store.redo(who="1")
        assert store.corpus() == after
        assert store.find_damage() == ()


def test_that_a_corpus_of_files_has_the_name_given_and_remarks_on_all_of_them(files, tmp_path):
    for given, name in (("mine", "mine"), ("", "there")):
        path = tmp_path / f"new{given}.awase"
        told = [str(one) for one in create_with_files(str(path), given, files[:2], "1", Silent())]
        with CorpusStore.open(path, who="", read_only=True) as store:
            assert store.corpus().name == name
    assert any("Taken as" in one for one in told)
    for name in ("more.json", "texts.jsonl"):
        assert any(one.startswith(name) for one in told), name


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


def test_that_files_of_all_depths_are_named_and_hidden_ones_are_not(tmp_path):
    of_a_corpus = ("k.awase-lock", "a/k.awase-wal", "k.awase-backups/1.awase")
    names = ("b.txt", "a/c.txt", "a/.DS_Store", ".git/x", *of_a_corpus)
    write_files(tmp_path, {name: name for name in names})
    folder = DiskFolder(tmp_path)
    assert folder.names() == ("a/c.txt", "b.txt")
    assert folder.read("a/c.txt") == b"a/c.txt"
    assert folder.read("a") is None
    assert folder.read("none.txt") is None


def test_that_names_are_looked_up_elsewhere_when_they_are_not_in_the_folder(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    write_files(here, {"both": "here"})
    write_files(there, {"both": "there", "one": "there"})
    folder = DiskFolder(here, also=there)
    assert (folder.read("both"), folder.read("one")) == (b"here", b"there")
    assert DiskFolder(here).read("one") is None
    assert DiskFolder(here).leads_outside("../there/one")
    assert DiskFolder(here).leads_outside(str(there / "one"))
    assert DiskFolder(here, also=there).leads_outside("one")
    assert not DiskFolder(here).leads_outside("one")
    assert not DiskFolder(here).leads_outside("../none")
    assert DiskFolder(here).read("../there/one") == b"there"
    assert DiskFolder(here).read(str(there / "one")) == b"there"


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="whoever may read everything is refused nothing"
)
def test_that_a_file_that_must_not_be_read_is_told(tmp_path):
    file = tmp_path / "x"
    file.touch(mode=0)
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        DiskFolder(tmp_path).read("x")


def test_that_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        DiskFolder(tmp_path / "none").names()


def test_that_a_folder_appears_with_all_its_files(tmp_path):
    target = tmp_path / "new"
    write_folder(Target(path=target), {"a.txt": "犬\n", "b/c/d.txt": ""}.items())
    assert (target / "a.txt").read_bytes() == "犬\n".encode()
    assert DiskFolder(target).names() == ("a.txt", "b/c/d.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_that_an_empty_folder_is_filled_and_one_with_files_is_not(tmp_path):
    write_folder(Target(path=tmp_path / "x"), {}.items())
    write_folder(Target(path=tmp_path / "x"), {"a": "1"}.items())
    with pytest.raises(InputError, match="is not an empty folder"):
        write_folder(Target(path=tmp_path / "x"), {"b": "2"}.items())
    assert DiskFolder(tmp_path / "x").names() == ("a",)


def test_that_what_lies_in_a_folder_that_is_read_is_spared_and_nothing_else(tmp_path):
    write_files(tmp_path, {"read/x": "", "x": ""})
    of_reading = {"replaces": True, "inputs": (tmp_path / "read",)}
    Target(path=tmp_path / "x", **of_reading).check()
    with pytest.raises(InputError, match="read by the same command"):
        Target(path=tmp_path / "read" / "x", **of_reading).check()


def test_that_a_failure_leaves_nothing(tmp_path):
    with pytest.raises(EnvironmentProblem, match="cannot be written"):
        write_folder(Target(path=tmp_path / "x"), {"a": "1", "a/b": "2"}.items())
    assert [*tmp_path.iterdir()] == []


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_that_a_link_that_leads_out_of_the_folder_is_told_and_one_within_is_not(tmp_path):
    here, secret = tmp_path / "here", tmp_path / "secret"
    here.mkdir()
    secret.write_text("x", "utf-8")
    (here / "a").write_text("a", "utf-8")
    (here / "out").symlink_to(secret)
    (here / "in").symlink_to(here / "a")
    (tmp_path / "same").symlink_to(here)
    for folder in (DiskFolder(here), DiskFolder(tmp_path / "same")):
        assert folder.names() == ("a", "in", "out")
        assert [name for name in folder.names() if folder.leads_outside(name)] == ["out"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        "asahi-2024-01-02.txt": "Quake\n\nThe hall fell. Nobody was hurt.",
        "mainichi.txt": "A hall fell down. It was old.",
        "abstract-short.txt": "An old hall fell.",
        "lead.system.txt": "The hall fell.",
    }
    write_files(tmp_path / "quake", texts)
    return tmp_path / "quake"


def test_that_a_folder_of_texts_becomes_a_topic(folder):
    found = look_at([folder], None, Silent())
    read = read_all(Corpus(), [found.to_import(found.files)], Silent())
    (topic,) = read.corpus.topics
    assert [(one.id, one.title, one.date) for one in topic.documents] == [
        ("asahi-2024-01-02", "Quake", "2024-01-02"),
        ("mainichi", None, None),
    ]
    assert [(one.id, one.length) for one in topic.abstracts] == [("short", "short")]
    assert [(one.system, one.length) for one in topic.outputs] == [("lead", "short")]
    assert read.warnings == ()  # somebody looked at the table


def test_that_files_by_themselves_are_found_as_their_folder_is(folder):
    alone = look_at(sorted(folder.iterdir(), reverse=True), None, Silent())
    assert alone.files == look_at([folder], None, Silent()).files
    assert are_texts([folder])
    assert are_texts([*folder.iterdir()])
    assert format_of_place(folder).id == "text-folder"


def test_that_a_corrected_role_is_taken(folder):
    found = look_at([folder], None, Silent())
    roles = {"mainichi.txt": {"role": "reference", "author": "Kato"},
             "lead.system.txt": {"role": LEFT_OUT}}  # fmt: skip
    said = [replace(file, **roles.get(file.name, {})) for file in found.files]
    (topic,) = read_all(Corpus(), [found.to_import(said)], Silent()).corpus.topics
    assert topic.outputs == ()
    assert [(one.id, one.author) for one in topic.abstracts] == [
        ("short", None),
        ("mainichi", "Kato"),
    ]


def test_that_a_folder_without_texts_is_told(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    assert not are_texts([tmp_path])
    with pytest.raises(InputError, match="no plain text"):
        look_at([tmp_path], None, Silent())
    text = tmp_path / "A.TXT"
    text.write_text("犬が走った。猫は寝た。", "utf-8")
    assert are_texts([text])
    for language, n_sentences in (("en", 1), ("ja", 2)):
        found = look_at([text], language, Silent())
        assert len(found.texts["A.TXT"].sentences) == n_sentences


def test_that_a_text_that_cannot_be_decoded_is_told_by_its_name(folder):
    (folder / "odd.txt").write_bytes(b"\xff\xfe\x00\xd8\x00\x00")
    found = look_at([folder], None, Silent())
    assert [*found.problems] == ["odd.txt"]
    assert "odd.txt" not in found.texts
