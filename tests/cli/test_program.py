"""The program as a process: start-up, locale, pipes, signals, defects."""

import ctypes
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from tests.cli.conftest import DEMOS, Terminal, small_corpus
from tests.in_part import in_part, in_turn

from awase.cli import window
from awase.cli.main import COMMANDS, cli, main
from awase.cli.output.report import print_data
from awase.core.kernel.binding import description
from awase.core.packages import VERSION

PROGRAM = [sys.executable, "-m", "awase.cli"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX pipes and signals")


def start(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=300, **options)


def test_that_the_version_is_that_of_the_program_and_says_what_counts(run):
    assert run("--version").out.splitlines() == [
        f"awase {VERSION}",
        f"Counts with: {description()}",
    ]


@in_turn(
    ("typed", "begun", "offered"),
    [
        ([], "valid", ["validate"]),
        (["score"], "tsc", [("file", "tsc")]),
        (["rouge", "a.txt"], "b", [("file", "b")]),
        (["score", "c", "-m"], "rouge-s", ["rouge-s", "rouge-su"]),
        (["import", "c", "f", "--format"], "duc-d", ["duc-documents"]),
        (["score", "c", "--output-format"], "par", ["parquet"]),
        (["scores", "--import"], "s", [("file", "s")]),
    ],
)
def test_that_a_shell_completes_what_may_stand_there(typed, begun, offered):
    items = ShellComplete(cli, {}, "awase", "_AWASE_COMPLETE").get_completions(typed, begun)
    found = [one.value if one.type == "plain" else (one.type, one.value) for one in items]
    assert found == offered
    assert typed or [one.help for one in items] == [COMMANDS["validate"][1]]


@pytest.mark.slow
def test_that_the_version_says_that_numpy_counts_when_the_kernel_is_off():
    plain = start("--version", env={**os.environ, "AWASE_KERNEL": "off"})
    assert plain.stdout.decode().splitlines()[1] == "Counts with: numpy"


@pytest.fixture
def c_locale() -> dict[str, str]:
    environment = {
        **os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"
    }  # fmt: skip
    environment.pop("PYTHONIOENCODING", None)
    return environment


@pytest.mark.slow
@pytest.mark.parametrize("options", in_part([[], ["--json"]]))
def test_that_japanese_comes_out_as_utf_8_in_a_c_locale(json_file, options, c_locale):
    done = start("score", json_file, *options, env=c_locale)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "前置" in done.stdout.decode("utf-8")
    refused = start("score", json_file, "--system", "無い", *options, env=c_locale)
    assert "無い" in refused.stderr.decode("utf-8")


def test_that_a_corpus_alone_opens_the_window_on_it(run, monkeypatch, awase_file):
    opened: list[object] = []

    def show(ctx: click.Context, location: str | None, *, demo: bool = False) -> None:
        opened.append("demo" if demo and location is None else location)
        ctx.exit()

    monkeypatch.setattr(window, "show_window", show)
    for location in (str(awase_file), "no-such.AWASE", "postgresql://h/d"):
        assert run(location).status == 0
    run("demo", "--window")
    assert opened == [str(awase_file), "no-such.AWASE", "postgresql://h/d", "demo"]
    assert "No such command" in run("no-such").err


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("localedef") is None, reason="no locale can be made")
@pytest.mark.parametrize("locale", ["C", "ja_JP.SJIS"])
def test_that_a_japanese_path_names_its_own_file_in_any_locale(
    awase_file, tmp_path, c_locale, locale
):
    """By the bytes that the system has for it: another file once answered to the name."""
    made = tmp_path / "locales"
    made.mkdir()
    names = ["localedef", "-f", "SHIFT_JIS", "-i", "ja_JP", str(made / "ja_JP.SJIS")]
    subprocess.run(names, capture_output=True, check=False)
    if not (made / "ja_JP.SJIS").exists():
        pytest.skip("no charmap of SHIFT_JIS here")
    path = tmp_path / "資料" / "コーパス.awase"
    path.parent.mkdir()
    shutil.copy(awase_file, path)
    as_sjis = os.fsencode(tmp_path) + "/資料".encode("shift_jis")
    os.mkdir(as_sjis)
    with open(as_sjis + "/コーパス.awase".encode("shift_jis"), "wb") as other:
        other.write(b"another")
    environment = {**c_locale, "LC_ALL": locale, "LOCPATH": str(made)}
    for arguments in (["info", path], ["people", path, "--add", "ann"], ["check", path]):
        done = start(*arguments, env=environment)
        assert (done.returncode, done.stderr) == (0, b""), arguments
    assert path.with_name(path.name + "-backups").is_dir()


def test_that_an_encoding_without_japanese_gets_escapes(json_file):
    done = start("score", json_file, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0
    assert b"\\u524d\\u7f6e" in done.stdout


def test_that_piped_tables_are_plain_and_whole(run, corpus_json, write_json, monkeypatch):
    name = "system-" + "x" * 200
    for topic in corpus_json["topics"]:
        topic["outputs"][0]["system"] = name
    monkeypatch.setenv("COLUMNS", "40")
    out = run("score", write_json(corpus_json), "--level=topic").out
    lines = [line.split() for line in out.splitlines()]
    assert ["mean", "short", name, "0.7500", "0.7500", "0.8333", "2"] in lines
    assert "\x1b" not in out


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    "arguments", in_part([["score"], ["export", "-"], ["score", "--json"], ["info"]])
)
def test_that_a_closed_pipe_ends_the_program_quietly(json_file, arguments):
    command = [*PROGRAM, arguments[0], str(json_file), *arguments[1:]]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=300) == 0


@pytest.mark.slow
@POSIX
def test_that_ctrl_c_ends_with_130_and_leaves_nothing(tmp_path):
    pipe = tmp_path / "slow.json"
    os.mkfifo(pipe)
    command = [*PROGRAM, "import", str(tmp_path / "new.awase"), str(pipe)]
    # A job in the background of a shell ignores Ctrl+C, and so would its children.
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    signal.signal(signal.SIGINT, ignored)
    writer = _writer_of(pipe, process)
    out, err = _interrupted(process)
    os.close(writer)
    assert process.returncode == 130
    assert (out, err) == (b"", b"Stopped; nothing half written was kept.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["slow.json"]


def _interrupted(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Presses Ctrl+C, and again when nothing happens, as people do; returns what was printed.

    A signal that comes just before a system call that blocks is only noticed behind it.
    """
    for _ in range(6):
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    raise AssertionError(process.communicate())


def _writer_of(pipe: Path, process: subprocess.Popen[bytes]) -> int:
    """Returns the pipe's other end as soon as the process has opened it for reading."""
    while process.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            time.sleep(0.005)
    raise AssertionError(process.communicate())


@POSIX
@pytest.mark.slow
def test_that_a_device_without_room_is_told(json_file):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "score", str(json_file)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: No space left on device.")


def test_that_a_defect_is_told_with_its_traceback(run, json_file, monkeypatch):
    def break_down(*_: object, **_named: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("awase.cli.corpus.inspecting.open_corpus", break_down)
    result = run("info", json_file)
    assert result.status == 70
    assert "RuntimeError: a bug" in result.err
    assert result.err.splitlines()[-1].startswith("This is a defect of Awase")


@in_turn("arguments", [["scor"], ["score"], ["score", "x.json", "--jsn"], ["import"],
                       ["demo", "fr"]])  # fmt: skip
def test_that_a_mistake_of_usage_has_status_2(run, arguments):
    result = run(*arguments)
    assert (result.status, result.out) == (2, "")
    assert "Usage: awase" in result.err


def test_that_a_missing_corpus_is_told(run, tmp_path):
    path = tmp_path / "none.awase"
    assert run("score", path).err == f"error: There is no file “{path}”. Check the name.\n"


def test_that_a_folder_is_no_corpus(run, tmp_path):
    result = run("score", tmp_path)
    assert result.status == 1
    assert len(result.err.splitlines()) == 1


COMMANDS_WITH_JSON = (
    "agreement {demo} --distance equal --resamples 20", "assign {c} --to A1", "assist {c}",
    "assist-report {c}",
    "correlate {demo} --human coverage --length short --resamples 20", "cover {c}", "diff {c} {c}",
    "explain {demo} --topic E10 --system lead", "extract {c} --table --with lead", "formats",
    "info {c}", "merge {c} {c} --preview", "metrics", "oracle {demo} --topic E10", "people {c}",
    "oracle {c} --engine ilp", "progress {c}", "rouge {texts} {texts}", "score {c}",
    "score {c} -m pseudo-pyramid -m coverage", "scores {c}", "time {c}", "validate {c}",
)  # fmt: skip


@pytest.mark.slow
@POSIX
@in_turn("command", COMMANDS_WITH_JSON)
def test_that_nothing_but_the_json_reaches_the_descriptor(command, awase_file, write_file, capfd):
    """Whatever a library prints by itself, from C as well, is no result."""
    texts = write_file("texts.txt", "A dog ran.\n")
    words = command.format(c=awase_file, demo=DEMOS / "en.json", texts=texts).split()
    capfd.readouterr()
    with pytest.raises(SystemExit) as stopped:
        main([*words, "--json"])
    ctypes.CDLL(None).fflush(None)
    printed = capfd.readouterr()
    assert not stopped.value.code, printed.err
    assert printed.out.startswith('{\n  "awase_output": 1')
    assert json.loads(printed.out)["complete"] is True


@pytest.mark.slow
@POSIX
@in_turn("closed, status", [("1", 1), ("2", 0), ("0", 0)])
def test_that_a_closed_stream_is_told_and_no_file_takes_its_place(closed, status, json_file):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *PROGRAM, "score", str(json_file), "--json"],
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    if closed == "1":
        assert b"error: Standard output is closed" in done.stderr


def test_that_a_full_memory_is_told_in_words(run, json_file, monkeypatch):
    def fill(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("awase.jobs.scoring.score", fill)
    done = run("score", json_file)
    assert (done.status, done.problems) == (1, [done.err.strip()])
    assert "not enough memory" in done.err


@pytest.mark.slow
@in_turn("host", ["a" * 64 + ".org", "a..b", ".x"])
def test_that_a_host_that_can_have_no_such_name_is_told(run, tmp_path, host):
    run("demo", "en", tmp_path)
    commands = (
        ("info", f"postgresql://u@{host}/db"),
        (
            "assist-ask",
            tmp_path / "demo-en.awase",
            "--ask",
            "m",
            "--at",
            f"http://{host}/v1",
            "--send-texts",
        ),
    )
    for words in commands:
        done = run(*words)
        assert (done.status, len(done.problems)) == (1, 1), done.err


UNSAFE = "\x1b[31mred\x1b[0m \x9b2J \u202eevil\u202c"


def test_that_nothing_of_a_corpus_commands_the_terminal(run, corpus_json, write_json, tmp_path):
    """Titles, names of systems, people and documents, and texts are printed, never obeyed."""
    corpus_json["name"] = UNSAFE
    topic = corpus_json["topics"][0]
    topic["documents"][0]["title"] = UNSAFE
    topic["documents"][0]["sentences"][0] = UNSAFE
    topic["outputs"][0]["system"] = UNSAFE
    topic["abstracts"][0]["alignments"][0]["annotator"] = UNSAFE
    topic["abstracts"][0]["sentences"][0]["text"] = UNSAFE
    corpus_json["human_scores"] = [
        {"topic": "0310", "system": UNSAFE, "measure": UNSAFE, "value": 1, "annotator": "A"}
    ]
    path, stored = write_json(corpus_json), tmp_path / f"c{UNSAFE[:5]}.awase"
    plain = write_json(small_corpus(), "plain.json")
    for words in (
        ("import", stored, path), ("info", stored), ("info", path), ("score", path),
        ("score", path, "--level", "topic"), ("diff", plain, path), ("agreement", path),
        ("cover", path), ("cover", path, "--annotator", "all"), ("people", stored, "--add", "A1"),
        ("people", stored, "--name", f"A1={UNSAFE}"), ("people", stored), ("progress", stored),
        ("time", stored), ("undo", stored), ("score", stored, "--keep", UNSAFE), ("scores", stored),
        ("validate", path, stored), ("oracle", path, "--unit", "sentence", "--texts"),
        ("check", stored),
    ):  # fmt: skip
        done = run(*words)
        for stream in (done.out, done.err):
            assert not {"\x1b", "\x9b", "\u202e"} & {*stream}, words


@pytest.mark.parametrize(
    ("stream", "printed"), [(Terminal(), "a\\x9b2J\\u202e\n"), (io.StringIO(), "a\x9b2J\u202e\n")]
)
def test_that_data_command_no_terminal_and_reach_a_pipe_as_they_are(monkeypatch, stream, printed):
    monkeypatch.setattr("sys.stdout", stream)
    print_data(["a\x9b2J\u202e\n"])
    assert stream.getvalue() == printed
