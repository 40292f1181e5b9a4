"""Each kind of bad input: one clear message, exit status 1, and the corpus exactly as it was."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run, confirmed, document
from tests.in_part import in_part, in_turn
from tests.storage import children
from tests.storage.failures import full_disk

from awase.cli.output.messages import print_problems
from awase.core.errors import Problem
from awase.core.records.corpus import Corpus, Person
from awase.core.team.assigning import with_person
from awase.storage.store import CorpusStore

Stored = Callable[[Path], Corpus]
TABLE_OPTIONS = ["--topic", "0310", "--abstract", "short", "--annotator", "太郎"]


@pytest.fixture
def refused(run: Run, awase_file: Path, tmp_path: Path, stored: Stored) -> Callable[..., list[str]]:
    """Imports a file that must be refused, and returns the problems told."""

    def check(name: str, content: str | bytes, *options: str) -> list[str]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        corpus, files = stored(awase_file), _files(tmp_path)
        result = run("import", awase_file, path, *options)
        assert (result.status, result.out) == (1, ""), result.err
        assert result.problems == result.err.splitlines()
        assert stored(awase_file) == corpus
        assert _files(tmp_path) == files
        return [line.removeprefix(f"error: {path}") for line in result.problems]

    return check


def _files(folder: Path) -> list[Path]:
    """Returns what is there, but for what every opening for writing leaves beside the corpus."""
    kept = ("-backups", "-lock")
    return sorted(path for path in folder.iterdir() if not path.name.endswith(kept))


def one_topic(**parts: Any) -> str:
    topic = {"id": "0330", "documents": [document("d1", "文一。", "文二。")], **parts}
    return json.dumps({"awase": 1, "topics": [topic]}, ensure_ascii=False)


def aligned(*alternatives: list[str]) -> dict[str, Any]:
    sentences = [{"n": 1, "text": "文。"}]
    alignments = [{"annotator": "1", "sentences": [confirmed(1, *alternatives)]}]
    return {"id": "a", "sentences": sentences, "alignments": alignments}


@in_turn(
    ("name", "content", "options", "start", "words"),
    [
        ("bad.json", '{"awase": 1,\n "topics": [}\n', [], ":2: ", "JSON"),
        ("bad.align", "1\tA\t980101001:1\n2 B 980101001:3\n", TABLE_OPTIONS, ":2: ", ""),
        ("bad.json", one_topic(abstracts=[aligned(["d2:1"])]), [],
        ": topics[0].abstracts[0].alignments[0].sentences[0].alternatives[0][0]: ",
        "has no sentence “d2:1”. Correct the document id."),
        ("bad.align", "1\tA\t980101001:1\n2\tB\t980101001:9\n", TABLE_OPTIONS,
        ":2: ", "980101001:9"),
        ("bad.extracts", "lead\t0310\tshort\t980101001:1\n" * 2, [], ":2: ", "lead"),
        ("bad.extracts", "oracle\t0310\tshort\t980101001:1\n", [], ":", "oracle"),
        ("bad.extracts", "lead\t0999\tshort\t980101001:1\n", [], ":1: ", "0999"),
        ("bad.txt", "犬が走った。".encode()[:-1] + b"\xff",
        ["--topic", "0330", "--encoding", "utf-8"], ":1: Byte ", "is not utf-8"),
        ("bad.txt", bytes(range(256)), ["--topic", "0330"], ":", ""),
        ("a.txt", "犬", ["--topic", "0330", "--encoding", "klingon"], "", "klingon"),
    ],
)  # fmt: skip
def test_that_what_is_wrong_in_a_file_is_told_with_its_place(
    refused, name, content, options, start, words
):
    (problem,) = refused(name, content, *options)
    assert problem.startswith(start)
    assert words in problem


def test_that_every_malformed_line_is_told(refused):
    problems = refused("bad.align", "x\tA\t980101001:1\ny\tB\t980101001:3\n", *TABLE_OPTIONS)
    assert [problem[:3] for problem in problems[:2]] == [":1:", ":2:"]


def test_that_at_most_fifty_problems_are_printed_and_the_rest_counted(refused, run, tmp_path):
    outputs = [{"system": f"s{n}", "extract": ["d9:1"]} for n in range(60)]
    assert len(refused("bad.json", one_topic(outputs=outputs[:50]))) == 50
    problems = refused("bad.json", one_topic(outputs=outputs))
    assert len(problems) == 51
    assert problems[-1] == "error: … and 10 more."
    told = run("validate", tmp_path / "bad.json").err
    assert told.endswith("\nerror: … and 10 more.\n")


@in_turn(
    "words", ["validate bad.json", "score bad.json --topic LONG", "score bad.json -m LONG", "LONG",
              "score x.awase --seed LONG", "rouge LONG x.txt", "rouge155 -n LONG -a x.xml"],
)  # fmt: skip
def test_that_of_what_is_long_both_ends_are_told(run, tmp_path, monkeypatch, words):
    long = f"1{'9' * 5000}2"
    monkeypatch.chdir(tmp_path)
    outputs = [{"system": "s", "extract": [f"d1:{long}"]}] if "validate" in words else []
    Path("bad.json").write_text(one_topic(outputs=outputs))
    result = run(*words.replace("LONG", long).split())
    assert result.status in (1, 2)
    assert "9…9" in result.err
    assert len(result.err) < 1000


def test_that_control_characters_of_the_data_do_not_reach_the_terminal(refused):
    outputs = [{"system": "lead", "extract": ["\x1b[31m:1"]}]
    (problem,) = refused("bad.json", one_topic(outputs=outputs))
    assert "\x1b" not in problem


@pytest.mark.parametrize("command", [["score"], ["cover"], ["info"], ["export"], ["import"]])
@pytest.mark.parametrize("n_bytes", in_part([60, 0, 10, 5000]))
def test_that_a_truncated_corpus_is_refused_and_stays_as_it_is(
    run, awase_file, json_file, tmp_path, command, n_bytes
):
    awase_file.write_bytes(awase_file.read_bytes()[:n_bytes])
    before = awase_file.read_bytes()
    more = {"export": ["-"], "import": [json_file]}.get(command[0], [])
    result = run(*command, awase_file, *more)
    assert (result.status, result.out) == (1, "")
    assert len(result.problems) == len(result.err.splitlines()) == 1
    assert awase_file.read_bytes() == before


def test_that_a_full_disk_is_told_and_changes_nothing(run, awase_file, write_json, stored):
    before = stored(awase_file)
    big = {"id": "0330", "documents": [document("d", *["長い文。" * 50] * 400)]}
    path = write_json({"awase": 1, "topics": [big]})
    with full_disk():
        result = run("import", awase_file, path)
    assert (result.status, result.out) == (1, "")
    assert result.problems == [
        f"error: The disk of “{awase_file}” is full; nothing was changed. "
        "Free disk space and try again."
    ]
    assert stored(awase_file) == before


@pytest.fixture
def held_by_hanako(awase_file: Path) -> Iterator[Path]:
    """The corpus while another process has it open for writing."""
    with children.holding(awase_file, "花子"):
        yield awase_file


@pytest.mark.slow
def test_that_a_corpus_that_another_process_writes_is_not_changed(
    run, held_by_hanako, write_json, stored
):
    before = stored(held_by_hanako)
    more = write_json({"awase": 1, "topics": [{"id": "0330", "documents": []}]})
    result = run("import", held_by_hanako, more)
    assert (result.status, result.out) == (1, "")
    (problem,) = result.problems
    assert f"“{held_by_hanako}” is in use by 花子 on " in problem
    assert stored(held_by_hanako) == before


def test_that_a_corpus_that_another_process_writes_can_be_read(run, held_by_hanako):
    for command in ("score", "people", "assist", "progress", "time", "scores", "merge --preview"):
        name, *more = command.split()
        places = [held_by_hanako] * (2 if more else 1)
        assert run(name, *places, *more, "--json").status == 0, command
    info = run("info", held_by_hanako, "--json").json
    assert info["held_by"]["who"] == "花子"
    assert "Open for writing: 花子 on " in run("info", held_by_hanako).out


def test_that_stopping_an_import_leaves_the_corpus_as_it_was(
    run, awase_file, write_json, stored, tmp_path, monkeypatch
):
    before = stored(awase_file)
    topics = [{"id": f"t{n}", "documents": [document("d", "文。")]} for n in range(5)]
    path = write_json({"awase": 1, "topics": topics})

    def stop_in_the_middle(_bar: object, _done: int, _total: int, what: str = "") -> None:
        if what == "t3":
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("awase.cli.output.messages.ProgressBar.advance", stop_in_the_middle)
        changed = run("import", awase_file, path)
        created = run("import", tmp_path / "new.awase", path)
    assert (changed.status, created.status) == (130, 130)
    assert changed.err == "Stopped; nothing half written was kept.\n"
    assert stored(awase_file) == before
    assert not [file for file in tmp_path.iterdir() if "new" in file.name]


@in_turn(
    "location",
    ["postgresql://ann:s3cret@127.0.0.1:1/x", "postgresql://ann@127.0.0.1:1/x?password=s3cret",
     "postgresql://ann:s3cret@127.0.0.1:port/x", "mysql://ann:s3cret@127.0.0.1/x",
     "postgresql:/ann:s3cret@127.0.0.1/x"],
)  # fmt: skip
@in_turn(
    "command",
    [["import", "{}", "FILE"], ["score", "{}", "--keep", "t"], ["info", "{}"], ["scores", "{}"],
     ["parse", "{}", "--list"], ["export", "{}", "-"], ["cover", "FILE", "{}"]],
)  # fmt: skip
def test_that_no_command_prints_a_password(run, json_file, command, location):
    arguments = [location if part == "{}" else part.replace("FILE", str(json_file))
                 for part in command]  # fmt: skip
    finished = run(*arguments)
    assert finished.status in (1, 2)
    assert "***" in finished.err
    assert "s3cret" not in finished.out + finished.err


LONG = "x" * 300
"""More than a file system takes for a name: pathlib raises where it is only asked whether it is."""


@pytest.mark.slow
@in_turn(
    "words",
    [
        ("score", "{corpus}", "-m", "prouge-1", "--vectors", LONG),
        ("score", "{corpus}", "-m", "subtree", "--model", LONG),
        ("score", "{corpus}", "-m", "pseudo-pyramid", "--oracles", LONG),
        ("import", "{corpus}", f"{LONG}.json"),
        ("import", f"{LONG}.awase", "x.json"),
        ("export", "{corpus}", f"{LONG}.json"),
        ("report", "{corpus}", f"{LONG}.html"),
        ("extract", "{corpus}", "--with", "lead", "-o", f"{LONG}.json"),
        ("oracle", "{corpus}", "-o", f"{LONG}.json"),
        ("parse", "{corpus}", "--to", f"{LONG}.conllu"),
        ("hand-out", "{corpus}", f"{LONG}.awase", "--to", "花子"),
        ("merge", "{corpus}", f"{LONG}.awase"),
        ("info", f"{LONG}.awase"),
        ("rouge155", "-e", LONG, "-a", f"{LONG}.xml"),
    ],
)
def test_that_a_name_that_is_too_long_is_refused_in_words(run, awase_file, words):
    result = run(*(word.format(corpus=awase_file) for word in words))
    assert result.status in (1, 2)
    assert result.err.strip()


ADDRESS = "postgresql://ann:s3cret@server/tsc3"


@pytest.fixture
def server(awase_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a file stand where the address leads."""
    with CorpusStore.open(awase_file, who="ann") as store:
        store.change(
            lambda corpus: with_person(corpus, Person(id="A1")),
            verb="edit_project",
            names=["A1"],
            who="ann",
        )
    opened = CorpusStore.open

    def open_there(location: Any, **keywords: Any) -> CorpusStore:
        return opened(awase_file if location == ADDRESS else location, **keywords)

    monkeypatch.setattr(CorpusStore, "open", open_there)
    return awase_file


def test_that_no_password_is_told_of_what_was_done(run, server, tmp_path, capsys):
    print_problems("warning", [Problem(what="“{path}” is slow.", fields={"path": ADDRESS})])
    assert "“postgresql://ann:***@server/tsc3” is slow." in capsys.readouterr().err
    copy = tmp_path / "a1.awase"
    steps = (
        ("undo", ADDRESS, "--who", "ann"),
        ("redo", ADDRESS, "--who", "ann"),
        ("assign", ADDRESS, "--to", "A1"),
        ("hand-out", ADDRESS, "--to", "A1", copy),
        ("merge", ADDRESS, copy),
        ("remove", "topics", ADDRESS, "0310"),
        ("check", ADDRESS),
    )
    for step in steps:
        done = run(*step)
        assert done.status == 0, (step, done.err)
        assert "s3cret" not in done.out + done.err
        assert step[0] == "hand-out" or "ann:***@server" in done.out + done.err, step
