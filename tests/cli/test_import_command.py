import gzip
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import CSV, Run
from tests.written import rouge_settings, write_files

from awase.core.records.corpus import Corpus

Stored = Callable[[Path], Corpus]

TABLE = "1\tA\t980101001:1 980102002:1\n2\tB\t980101001:3\n"


@pytest.fixture
def documents_only(run: Run, corpus_json: dict[str, Any], write_json: Any, tmp_path: Path) -> Path:
    for topic in corpus_json["topics"]:
        topic["outputs"] = []
        for abstract in topic["abstracts"]:
            abstract["alignments"] = []
    path = tmp_path / "bare.awase"
    assert run("import", path, write_json(corpus_json, "bare.json")).status == 0
    return path


def test_that_json_holds_what_was_added_and_what_was_taken_for_what(run, tmp_path, write_file):
    texts = write_file(
        "texts.jsonl", '{"id": "t", "text": "The dog ran.", "summary": "It ran.", "nuggets": []}\n'
    )
    corpus = tmp_path / "new.awase"
    result = run("import", corpus, texts, "--json")
    printed = json.loads(result.out)
    assert (printed["awase_output"], printed["complete"]) == (1, True)
    assert (printed["corpus"], printed["added"]["abstracts"]) == (str(corpus), 1)
    assert printed["taken_as"] == [
        {
            "file": str(texts),
            "id": ["id"],
            "document": ["text"],
            "reference": ["summary"],
            "left_out": ["nuggets"],
        }
    ]
    refused = run("import", corpus, texts, "--json", "--score", "rouge")
    assert refused.status == 2
    assert "--json goes with an import without --score" in refused.err


def test_that_a_new_corpus_is_called_after_its_file_when_nothing_names_it(
    run, write_json, tmp_path, stored
):
    path = tmp_path / "nameless.awase"
    run("import", path, write_json({"awase": 1, "topics": []}))
    assert stored(path).name == "nameless"


def test_that_named_columns_make_a_table_of_what_is_of_no_format(run, write_json, tmp_path, stored):
    path, file = tmp_path / "new.awase", write_json([{"foo": "a b.", "bar": "c"}])
    refused = run("import", path, file)
    assert "Name the format, or the columns of its texts." in refused.err
    for name in ("pdf", "awase-json"):
        assert run("import", path, file, "--document-column", "foo", "--format", name).status == 1
    assert run("import", path, file, "--document-column", "foo").status == 0
    assert stored(path).topics[0].documents[0].sentences[0].text == "a b."


def test_that_nothing_is_left_of_a_new_corpus_whose_import_failed(run, json_file, tmp_path):
    before = sorted(tmp_path.iterdir())
    assert run("import", tmp_path / "new.awase", json_file, json_file).status == 1
    assert sorted(tmp_path.iterdir()) == before


def test_that_a_new_corpus_has_to_be_called_awase(run, json_file, tmp_path):
    result = run("import", tmp_path / "corpus.txt", json_file)
    assert (result.status, result.out) == (1, "")
    assert "a new one must end in .awase" in result.err
    assert run("import", tmp_path / "corpus.AWASE", json_file).status == 0


def test_that_swapped_arguments_do_no_harm(run, json_file, awase_file):
    before = json_file.read_bytes()
    result = run("import", json_file, awase_file)
    assert result.status == 1
    assert len(result.problems) == 1
    assert json_file.read_bytes() == before


def test_that_a_guessed_encoding_is_told(run, documents_only, write_file, stored):
    text = "首相は一日、東京で記者会見を開き、新しい計画を発表した。国会は来月開かれる予定だ。"
    path = write_file("news.txt", text.encode("euc-jp"))
    result = run("import", documents_only, path, "--topic", "0330")
    assert result.status == 0
    assert result.warnings == [
        f"warning: {path}: The encoding was guessed: euc-jp. "
        "If characters are wrong, import the file again and name its encoding."
    ]
    sentences = stored(documents_only).topics[-1].documents[0].sentences
    assert "".join(sentence.text for sentence in sentences) == text


@pytest.mark.slow
def test_that_a_declared_encoding_is_taken_at_its_word(run, documents_only, write_file, stored):
    path = write_file("news.txt", "犬が走った。".encode("cp932"))
    result = run(
        "import", documents_only, path, "--topic", "0330", "--encoding", "sjis", "--language", "ja"
    )
    assert (result.status, result.err) == (0, "")
    assert stored(documents_only).topics[-1].documents[0].sentences[0].text == "犬が走った。"


def test_that_a_conflict_names_no_path_in_a_file_that_has_none(run, awase_file, write_file):
    extracts = write_file("x.extracts", "new\t0399\tshort\t980101001:1\n")
    result = run("import", awase_file, extracts)
    assert result.status == 1
    assert "topics[" not in result.err


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    texts = {"ref.txt": "A dog ran.\nA cat slept.\n", "out_x.txt": "Dogs ran.\nCats slept.\n"}
    write_files(folder, texts)
    return folder


def test_that_a_bad_file_of_aliases_is_refused(run, texts, tmp_path, write_file):
    aliases = write_file("names.tsv", "x\n")
    result = run("import", tmp_path / "new.awase", texts, "--aliases", aliases)
    assert (result.status, result.err.count("does not have two names")) == (1, 1)


def test_that_a_folder_is_read_without_the_files_of_the_current_one(
    run, texts, tmp_path, stored, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ids.txt").write_text("x\ny\n", encoding="utf-8")
    path = tmp_path / "new.awase"
    assert run("import", path, texts).status == 0
    assert [topic.id for topic in stored(path).topics] == ["1", "2"]


def test_that_settings_of_rouge_find_their_files_from_where_the_program_is_started(
    run, tmp_path, stored, monkeypatch
):
    settings = tmp_path / "elsewhere" / "settings.xml"
    compared = rouge_settings({1: ({"x": "p.txt"}, {"A": "m.txt"})})
    files = {"here/p.txt": "Dogs ran.\n", "here/m.txt": "A dog ran.\n"}
    write_files(tmp_path, {**files, "elsewhere/settings.xml": compared})
    monkeypatch.chdir(tmp_path / "here")
    path = tmp_path / "new.awase"
    refused = run("import", path, settings, "--format", "rouge-settings")
    assert refused.status == 1
    assert not path.exists()
    assert [line.partition("xml: ")[2] for line in refused.err.splitlines()] == [
        f"“./{name}” lies outside the folder, so it was not read. "
        "If you trust these files, add --allow-outside."
        for name in ("m.txt", "p.txt")
    ]
    allowed = run("import", path, settings, "--format", "rouge-settings", "--allow-outside")
    assert allowed.status == 0
    (topic,) = stored(path).topics
    assert (len(topic.abstracts), len(topic.outputs)) == (1, 1)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
def test_that_a_pipe_is_imported_and_scored_like_a_file(run, tmp_path, json_file):
    content = json_file.read_bytes()

    def piped(name: str, content: bytes = content) -> Path:
        pipe = tmp_path / name
        os.mkfifo(pipe)
        threading.Thread(target=lambda: pipe.write_bytes(content)).start()
        return pipe

    path = tmp_path / "new.awase"
    assert run("import", path, piped("pipe.json.gz", gzip.compress(content))).status == 0
    direct = run("score", json_file, CSV)
    assert direct.status == 0
    assert run("score", path, CSV).out == direct.out
    assert run("score", piped("pipe"), CSV).out == direct.out
    assert "(awase-json): 2 topics" in run("validate", piped("again")).out


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
def test_that_devices_are_refused_as_files_and_as_corpora(run, tmp_path):
    path = tmp_path / "new.awase"
    refused = run("import", path, "/dev/zero", "--format", "awase-json")
    assert refused.status == 1
    assert "is not a file but a pipe, a socket or a device" in refused.err
    assert run("info", "/dev/zero").status == 1
    assert run("score", "/dev/urandom").status == 1
    assert not path.exists()
