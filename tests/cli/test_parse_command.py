"""`awase parse` on the demonstration corpora, and on what cannot be parsed."""

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests import building
from tests.building import topic
from tests.cli.conftest import stop
from tests.core.language.trees import tree
from tests.in_part import in_turn
from tests.models_made_up import put_parser
from tests.stored import corpus_file
from tests.written import write_files

from awase.cli.output.messages import ProgressBar
from awase.core import packages
from awase.core.errors import Problem
from awase.core.language.engines import ParserRequest
from awase.core.metrics.kit.supplies import Elsewhere
from awase.jobs.supplies import gathering, parsing
from awase.storage.store import CorpusStore


@pytest.fixture
def corpus(demonstration):
    return demonstration


MODEL = "stanza-en-ewt-aedf037f"


class FakeParser:
    """One word a sentence; stops like a person at the third batch when told to."""

    model = "fake-1"
    stops = False

    def parses(self, texts):
        for n_batch, first in enumerate(range(0, len(texts), 100)):
            if self.stops and n_batch == 2:
                raise KeyboardInterrupt
            yield [(tree("word//NOUN 0 root"),) for _ in texts[first : first + 100]]


@pytest.fixture
def fake(monkeypatch):
    module = put_parser(monkeypatch, FakeParser())
    module.parser.requests, module.parser.module = module.requests, module
    return module.parser


def test_that_a_corpus_whose_sentences_are_parsed_needs_a_parser_that_is_named_alone(
    run, corpus, fake
):
    finished = run("parse", corpus)
    assert finished.status == 0
    assert f"every sentence in en has a parse by {MODEL}" in finished.out
    assert not fake.requests
    for words in (("--package", "p"), ("--model", "m", "--cpu"), ("--download",)):
        assert " in en " in run("parse", corpus, *words).out
    asked = [(one.package, one.folder, one.gpu) for one in fake.requests]
    assert asked == [("p", None, True), (None, Path("m"), False), (None, None, True)]


def test_that_each_language_is_parsed_unless_one_is_named(run, tmp_path, fake, monkeypatch):
    topics = (topic("t", docs=["One.", "Two."], language="en"),
              topic("u", docs=["犬。"], language="ja"))  # fmt: skip
    path = corpus_file(tmp_path / "c.awase", building.corpus(*topics))
    assert run("parse", path, "--list").out == f"{path}: no parses.\n"
    monkeypatch.chdir(tmp_path)
    assert run("parse", path, "--lang", "en").out.endswith("2 sentences in en with fake-1.\n")
    assert run("parse", "c.awase").out.splitlines() == [
        "c.awase: every sentence in en has a parse by fake-1.",
        "c.awase: parsed 1 sentence in ja with fake-1.",
    ]
    assert [one.language for one in fake.requests] == ["en", "ja"]


def test_that_what_is_compared_is_parsed_alone_when_asked_and_each_sentence_once(run, corpus, fake):
    asked = ("parse", corpus, "--engine", "stanza")
    assert "parsed 232 sentences in en with fake-1" in run(*asked, "--compared", "--download").out
    assert run("score", corpus, "-m", "be:parser=fake-1").status == 0
    assert "parsed 192 sentences in en with fake-1" in run(*asked).out
    assert "has a parse by fake-1" in run(*asked).out


def test_that_what_was_parsed_is_kept_when_it_is_stopped(run, corpus, fake):
    fake.stops = True
    finished = run("parse", corpus, "--engine", "stanza")
    assert finished.status == 130
    assert "Stopped; 200 of 424 sentences were parsed and kept." in finished.err
    with CorpusStore.open(corpus, who="", read_only=True) as store:
        assert store.parse_models()["fake-1"] == 200
    failed = run("score", corpus, "-m", "be:parser=fake-1")
    assert failed.status == 1
    assert "have none by fake-1; the first is" in failed.err


def test_that_workers_elsewhere_parse_what_has_no_parse(run, corpus, fake, monkeypatch):
    @contextmanager
    def lent(address):
        assert address == "tcp://host:8786"
        with ThreadPoolExecutor(2) as executor:
            yield Elsewhere(executor)

    monkeypatch.setattr(gathering, "cluster_workers", lent)
    there = ("parse", corpus, "--cluster", "tcp://host:8786", "--engine", "stanza")
    assert "parsed 424 sentences in en with fake-1" in run(*there).out
    assert "parsed 0 sentences in en with fake-1" in run(*there).out
    assert run("score", corpus, "-m", "be:parser=fake-1,mode=h").status == 0
    run("parse", corpus, "--remove", "fake-1")
    monkeypatch.setattr(ProgressBar, "advance", stop)
    stopped = run(*there)
    assert (stopped.status, stopped.out) == (130, "")
    assert stopped.err.endswith("Stopped; the parses received so far are kept.\n")


def test_that_a_model_that_is_missing_is_downloaded_first(run, corpus, fake, monkeypatch):
    module = fake.module

    def download(request: ParserRequest, _reporter: object) -> str:
        module.problem = None
        return f"model-{request.language}"

    monkeypatch.setattr(parsing, "download", download)
    module.problem = Problem(what="The model is missing.")
    done = run("parse", corpus, "--download", "--model", "m")
    assert done.err == "m: has the model model-en now.\n"
    assert "parsed 424 sentences in en with fake-1" in done.out
    monkeypatch.setattr(packages, "find_spec", lambda _name: None)
    refused = run("parse", corpus, "--download", "--model", "m")
    assert (refused.status, refused.out) == (1, "")
    assert "needs the package stanza" in refused.err


def test_that_the_elements_of_one_parser_are_written_once(run, tmp_path, monkeypatch):
    record = {
        "id": "1",
        "document": ["It fell."],
        "reference": ["dog ran"],
        "prediction": "cat sat",
    }
    write_files(tmp_path, {"t.jsonl": record})
    where, folder = tmp_path / "c.awase", tmp_path / "be"
    run("import", where, tmp_path / "t.jsonl")
    for name, relation in (("one", "obj"), ("two", "nsubj")):
        texts = ("It fell.", "dog ran", "cat sat")
        write_files(tmp_path, {name: "".join(conllu(text, relation) for text in texts)})
        with (tmp_path / name).open(encoding="utf-8") as file:
            monkeypatch.setattr("sys.stdin", file)
            told = run("parse", where, "--from", "-", "--name", name).out
        assert "kept the parses of 3 of 3 sentences, as by " + name in told
    done = run("parse", where, "--be", folder, "--parser", "two")
    assert done.err.splitlines() == [
        f"{folder}: 2 files of basic elements.",
        f"Compare them there: cd {folder} && awase rouge155 -3 HMR -a settings.xml",
    ]
    written = [path.read_text("utf-8") for path in folder.rglob("*") if path.suffix != ".xml"
               and path.is_file()]  # fmt: skip
    assert sorted(text.splitlines() for text in written) == [
        [f"{one}|{other}|nsubj", f"{one}|nil|nil", f"{other}|nil|nil"]
        for one, other in (("cat", "sat"), ("dog", "ran"))
    ]
    again = run("parse", where, "--be", folder).problems[0]
    assert again.startswith(f"error: “{folder}” exists and is not an empty folder")
    monkeypatch.chdir(folder)
    printed = run("rouge155", "-3", "HMR", "-a", "settings.xml")
    assert (printed.status, "ROUGE-BE" in printed.out) == (0, True)
    removed = run("parse", "../c.awase", "--remove", "two").out
    assert removed == "../c.awase: removed 3 parses.\n"
    assert run("rescue", where, tmp_path / "rescued.awase").status == 0
    for path in (where, tmp_path / "rescued.awase"):
        assert run("parse", path, "--list").out == "one: 3 of 3 sentences; lacking: none\n"


def test_that_a_json_file_keeps_no_parses(run, tmp_path):
    assert "cannot store parses" in run("parse", tmp_path / "c.json").err


def conllu(text: str, deprel: str = "root", id_: str = "") -> str:
    words = text.split()
    rows = [
        f"{n}\t{word}\t{word}\tNOUN\t_\t_\t{int(n > 1)}\t{'root' if n == 1 else deprel}\t_\t_"
        for n, word in enumerate(words, start=1)
    ]
    ids = [f"# sent_id = {id_}"] if id_ else []
    return "\n".join([*ids, f"# text = {text}", *rows, "", ""])


@in_turn(
    ("sentences", "file", "status", "said"),
    [
        (
            ["a can opener fell", "a canopener fell"],
            conllu("a canopener fell", "dep") + conllu("a can opener fell", "obj"),
            0,
            "parses of 2 of 2 sentences",
        ),
        (
            ["a can opener fell"],
            conllu("a can opener fell", "obj") + conllu("a canopener fell", "dep"),
            0,
            "parses of 1 of 1 sentence",
        ),
        (["a can opener fell"], conllu("a canopener fell"), 0, "though its blanks differ"),
        (
            ["a can opener fell", "a canopener fell"],
            conllu("acan opener fell"),
            1,
            "Apart from blanks, the sentence matches several",
        ),
        (["a b c"], conllu("a b c", "dep") + conllu("a b c", "obj"), 1, "another parse in line 1"),
        (["a b", "ab"], conllu("a\u3000b", id_="1/src:2"), 0, "parses of 1 of 2 sentences"),
        (["a b", "ab"], conllu("a b", id_="1/src:9"), 0, "parses of 1 of 2 sentences"),
        (["a b", "c d"], conllu("a b", id_="1/src:2"), 0, "parses of 1 of 2 sentences"),
        (["abcd", "a bcd"], conllu("ab") + conllu("cd"), 0, "parses of 1 of 2 sentences"),
    ],
)
def test_that_a_parse_is_that_of_its_exact_text(run, tmp_path, sentences, file, status, said):
    place = Path(tempfile.mkdtemp(dir=tmp_path))
    record = {"id": "1", "document": sentences, "reference": sentences[:1]}
    (place / "t.jsonl").write_text(json.dumps(record), "utf-8")
    (place / "p.conllu").write_text(file, "utf-8")
    run("import", place / "c.awase", place / "t.jsonl")
    finished = run("parse", place / "c.awase", "--from", place / "p.conllu")
    assert finished.status == status, finished.err
    assert said in finished.out + finished.err
    if said.startswith("parses of 1"):
        run("parse", place / "c.awase", "--to", place / "q.conllu")
        wanted = "1/src:2" if "\u3000" in file else "1/src:1"
        written = (place / "q.conllu").read_text("utf-8")
        assert f"# sent_id = {wanted}\n" in written
        assert "\tdep\t" not in written
    if said.startswith("parses of 2"):
        run("parse", place / "c.awase", "--to", place / "q.conllu")
        parts = (place / "q.conllu").read_text("utf-8").split("# text = ")[1:]
        assert ["obj" in one for one in parts] == [one.startswith("a can opener") for one in parts]


def test_that_parses_come_back_to_the_texts_that_they_were_exported_of(run, tmp_path):
    """The last is what two others are together; joined by text alone it would lose its parse."""
    sentences = ["He came .", "She left .", "a\tb .", "a b .", "He came . She left ."]
    (tmp_path / "t.jsonl").write_text(json.dumps({"id": "t/1", "document": sentences}), "utf-8")
    where, first, second = (tmp_path / name for name in ("c.awase", "1.conllu", "2.conllu"))
    run("import", where, tmp_path / "t.jsonl")
    relations = iter("abcdefgh")
    parses = {
        text: "".join(
            conllu(f"{one.strip()} .", next(relations)) for one in text.split(" .") if one
        )
        for text in sentences
    }
    from awase.core.language.conllu import conllu_of, parse_of, sha256_of

    with CorpusStore.open(where, who="a") as store:
        given = [(sha256_of(text), conllu_of(parse_of(one))) for text, one in parses.items()]
        store.replace_parses("mine", iter(given), who="a", source="s")
        before = sorted(store.each_parse("mine"))
    run("parse", where, "--to", first)
    assert "# sent_id = t/1/src:5.2\n# text = She left .\n" in first.read_text("utf-8")
    run("parse", where, "--remove", "mine")
    assert "parses of 5 of 5 sentences" in run("parse", where, "--from", first).out
    with CorpusStore.open(where, who="a") as store:
        assert sorted(store.each_parse("mine")) == before
        store.add_parses("mine", {"No sentence here .": given[0][1]}, who="a")
    run("parse", where, "--to", second)
    assert second.read_text("utf-8") == first.read_text("utf-8")
