"""The options that commands share mean one thing, and each that is given counts."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from tests.cli.conftest import DEMOS, Run
from tests.in_part import in_part, in_turn
from tests.written import rouge_settings, write_files

from awase.cli.main import COMMANDS, cli
from awase.cli.options import Shared
from awase.cli.output.messages import MAX_WARNINGS, print_problems
from awase.cli.output.report import InPieces, exact_record, json_pieces, print_pieces
from awase.core.errors import Problem
from awase.core.metrics.kit.supplies import ALONE
from awase.jobs.supplies import gathering

DEMO = DEMOS / "en.json"


@pytest.mark.slow
def test_that_confidence_narrows_intervals_of_correlations(run):
    words = ("correlate", DEMO, "--human", "coverage", "--length", "short", "--resamples", 50)
    wide, narrow = (run(*words, "--json", "--confidence", level).json for level in (0.95, 0.5))
    assert (wide["confidence"], narrow["confidence"]) == (0.95, 0.5)
    (low, high), (low_within, high_within) = (
        one["correlations"][0]["estimates"][0]["closed_form"] for one in (wide, narrow)
    )
    assert low < low_within < high_within < high
    assert "50% intervals" in run(*words, "--confidence", 0.5).out


def test_that_a_file_before_the_corpus_is_not_taken_for_a_kind_of_interval(run):
    assert run("score", "--interval", DEMO, "--resamples", 9).status == 0


def test_that_a_mistyped_command_is_told_the_nearest_ones(run):
    assert "Did you mean score or cover?" in run("scoer").err


def test_that_the_list_of_commands_imports_none_and_tells_what_each_does(run):
    out = run("--help").out
    for name, (_, what) in COMMANDS.items():
        assert name in out
        assert " ".join(what.split()) in " ".join(out.split())


@pytest.mark.slow
@pytest.mark.parametrize("ending", in_part(["parquet", "xlsx", "csv", "tsv", "jsonl"]))
def test_that_tables_of_every_form_hold_the_same_numbers(run, tmp_path, ending):
    import pandas as pd

    file = tmp_path / f"scores.{ending}"
    finished = run("score", DEMO, "-m", "coverage", "-o", file)
    assert (finished.status, finished.out) == (0, "")
    readers: dict[str, Callable[[Path], pd.DataFrame]] = {
        "parquet": pd.read_parquet,
        "xlsx": pd.read_excel,
        "csv": pd.read_csv,
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
        "jsonl": lambda path: pd.read_json(path, lines=True),
    }
    values = readers[ending](file)["value"].tolist()
    expected = [
        one["value"] for one in run("score", DEMO, "-m", "coverage", "--json").json["scores"]
    ]
    assert values == pytest.approx(expected, abs=1e-15)


def test_that_a_spreadsheet_runs_no_name_of_a_system(run, tmp_path, corpus_json):
    from openpyxl import load_workbook

    text = json.dumps(corpus_json).replace("\\u524d\\u7f6e", "=1+1")
    (tmp_path / "c.json").write_text(text, "utf-8")
    run("score", tmp_path / "c.json", "-m", "coverage", "-o", tmp_path / "s.xlsx")
    (sheet,) = load_workbook(tmp_path / "s.xlsx").worksheets
    kinds = {cell.value: cell.data_type for row in sheet.iter_rows() for cell in row}
    assert (kinds["=1+1"], {*kinds.values()}) == (
        "s",
        {"s", "n", "b"},
    )  # texts, numbers, truth values; "f" is a formula


def test_that_many_warnings_are_grouped_by_kind_with_counts(capsys):
    kinds = [Problem(what=f"kind {kind} of {{n}}.", fields={"n": n})
             for kind in range(3) for n in range(40)]  # fmt: skip
    print_problems("warning", kinds)
    lines = capsys.readouterr().err.splitlines()
    assert sum(line.startswith("warning: kind") for line in lines) == MAX_WARNINGS
    assert [line for line in lines if "of this kind" in line] == [
        "warning: … and 22 more of this kind.",
        "warning: … and 39 more of this kind.",
        "warning: … and 39 more of this kind.",
    ]


def test_that_json_in_pieces_is_what_the_library_makes_at_once():
    first = {"a": "x\ny“", "b": 1.5, "c": None, "d": True, "e": [1, {"f": []}]}
    records = [first, {"g": 1 << 64, "h": "\ud800"}, {}, 3, []]
    whole = {"scores": records, "none": [], "more": {"k": [1, 2]}, "text": "ü"}
    pieces = json_pieces(
        [("scores", iter(records)), ("none", iter(())), ("more", whole["more"]), ("text", "ü")]
    )
    whole = {"awase_output": 1, **whole, "complete": True}
    assert "".join(pieces) == json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def test_that_json_that_is_stopped_is_whole_and_says_so():
    def records() -> Iterator[dict[str, int]]:
        yield {"n": 1}
        raise KeyboardInterrupt

    written: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        written += json_pieces([("scores", records()), ("warnings", iter(()))])
    assert json.loads("".join(written)) == {
        "awase_output": 1, "scores": [{"n": 1}], "warnings": [], "complete": False
    }  # fmt: skip


def test_that_what_was_made_before_it_was_stopped_is_printed(capsys):
    def pieces() -> Iterator[str]:
        yield "some\n"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        print_pieces(pieces())
    assert capsys.readouterr().out == "some\n"


def test_that_lists_within_records_are_written_in_pieces_too():
    inner = [{"small": 3}, {"none": []}]
    effects = [{"h": inner, "n": 1, "empty": []}, {"e": 1e-5}, {}]
    whole = {"awase_output": 1, "effects": effects, "last": None, "complete": True}
    records = [
        InPieces({"h": iter(inner), "n": 1, "empty": iter(())}),
        exact_record({"e": 1e-5}),
        InPieces(),
    ]
    pieces = json_pieces([("effects", iter(records)), ("last", None)])
    assert "".join(pieces) == json.dumps(whole, indent=2) + "\n"


def _options_of(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Option]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from _options_of(found, f"{path}{name} ")
        else:
            yield from (
                (f"{path}{name}", one) for one in found.params if isinstance(one, click.Option)
            )


def _strangers(options: Iterable[tuple[str, click.Option]]) -> list[str]:
    """Returns the options that have a spelling of the vocabulary, and are declared elsewhere."""
    listed = [*options]
    shared = {name for _, one in listed if isinstance(one, Shared) for name in one.opts}
    return [
        f"{command} {name}"
        for command, one in listed
        if not isinstance(one, Shared)
        for name in {*one.opts, *one.secondary_opts} & shared
    ]


def test_that_no_command_declares_an_option_of_the_vocabulary_by_itself():
    options = [*_options_of(cli)]
    shared = {name for _, one in options if isinstance(one, Shared) for name in one.opts}
    assert {"--output-format", "-o", "--json", "--level", "--confidence", "--interval",
            "--resamples", "--seed", "--test", "--topic", "--system", "--who", "--force", "-m",
            "--length", "--format", "--time-limit"} <= shared  # fmt: skip
    assert _strangers(options) == []


def test_that_a_seed_declared_elsewhere_is_noticed():
    own = ("draw", click.Option(["--seed"]))
    assert _strangers([*_options_of(cli), own]) == ["draw --seed"]


def test_that_whatever_writes_json_writes_every_other_form():
    by_command: dict[str, set[str]] = {}
    for command, one in _options_of(cli):
        by_command.setdefault(command, set()).update(one.opts)
    for command, names in by_command.items():
        if names & {"--json", "-o", "--output-format"}:
            assert {"--json", "--output-format", "-o", "--bom"} <= names, command


# Options of each command, a set between bars: they change what is printed or written; behind a
# slash they are refused, with a message that names the last option or its value. {c} is a corpus,
# {d} another, {j} one in JSON, {t} and {r} texts, {p} a table of them with columns of odd names,
# {s} scores, {n} other names of systems, {x} a system, {v} vectors, {e} settings that name texts
# elsewhere, {out} a name that nothing has.
TABLE_OF_TEXTS = (
    "--column bart | --reference-column lead | --system-column who | "
    "--id-column key | --sentences one | --separators none | / --encoding utf-16 | "
    "/ --sentences nonsense | "
    "/ --document-column nothing"
)
AS_IMPORTED = (
    f"{TABLE_OF_TEXTS} | --document-column story | --language en | --aliases {{n}} | "
    "/ --format sgml | / --topic 0310 | "
    "/ --abstract x | / --annotator x | / --part x"
)
WALK: dict[str, str] = {
    "agreement {d} --resamples 19": "--seed 9 | --confidence .5",
    "agreement {d} --resamples 20": "--annotators A1,robot | --compare A1+A2:A1+robot | "
    "--length short | --distance links | --by topic | --seed 9 | --confidence .5",
    "assign {c}": "--to A1,A2 | --to A1 --topic 0310 | --to A1 --calibrate 1 | "
    "--to A1 --due 2030-01-01 | --to A1,A2 --overlap 100 | "
    "/ --to A1 --readers 2 | / --to A1 --after 3 | / --next --to A1 --seed 3 | "
    "/ --take-over A1 --to A2 | / --next --to A1 --topic 0310 | / --second 50 --overlap 3 | "
    "/ --next --to A1 --length x | / --take-over A1 --topic 0310 | / --second 50 --topic 0310 | "
    "/ --calibrate 1 --overlap 3 | / --take-over A1 --overlap 3 | / --next --to A1 --overlap 3 | "
    "/ --take-over A1 --most 1 | / --second 50 --most 1 | / --take-over A1 --due 2030-01-01 | "
    "/ --next --due 2030-01-01",
    "assign {c} --to A1": "--due 2030-01-01 | / --most 1",
    "assist {c}": "--assist-level 3 | --control 20 | --decoys 5 | --seed 4 | / --who me",
    "clusters {j} --vectors {v} -m prouge-1:tokens=ja": "--topic 0310 | --system oracle",
    "correlate {d} --human coverage --length short --resamples 20": "--level topic | "
    "--coefficient r | --resample topics | "
    "--seed 3 | --test williams | --topic E10 | --exclude lead | --suggest-outliers | "
    "-m coverage | "
    "/ --scores-format sacrerouge",
    "correlate {d} --human coverage --length short": "--interval none | "
    "--interval fisher --confidence .5 | / --interval none --seed 3 | "
    "/ --interval none --confidence .5 | / --interval none --resample topics | "
    "/ --interval none --resamples 3",
    "correlate {d} --human coverage --length short --interval none -m rouge-1": "--component r | "
    "--scores {s} | --system lead --system mmr --system tfidf | --subset extractive | "
    "--exclude-from {x} | --reference-system lead | / --aliases {t} | / --annotator nobody | "
    "--annotators z | / --not-a-reference nobody | / --vectors {out} | / --model {out}",
    "cover {d}": "--topic E10 | --abstract E30-short | --annotator all | "
    "/ --settle --time-limit 3 | / --exclude nothing",
    "demo en {out}": "/ --window",
    "explain {d} --topic E10": "--system lead | -m pseudo-pyramid:unit=sentence | "
    "/ --model {out} | / --edus {out} | / --oracles {out}",
    "extract {c} --with tfidf --table": "--size 1 | --tokens chars | --topic 0310 | --name x | "
    "--with lead | / --to {out} | / --who me | / --force | / --background {out} | "
    "/ --size 0 | / --with lead --name a --name a",
    "extract {c} --with lead --to {out}.json": "--size 1 | / --who me",
    "extract {d} --with random --table --topic E10": "--seed 9 | --annotator A2",
    "formats": "--json | / --bom",
    "hand-out {c} {out}.awase": "--to 花子",
    "info {c}": "--json | --output-format csv | / --bom | / --force | "
    "/ --json --output-format csv | / --output-format parquet",
    "merge {c} {c}": "--preview | / --as nobody=A1",
    "metrics": "--output-format jsonl",
    "oracle {d} --topic E10 --unit sentence": "--oracle rouge-1 | --limit 5w | --stem | --stop | "
    "--tokens chars | --texts | / --edus {out} | / --json --texts | / --settle --time-limit 3",
    "oracle {d} --topic E10": "--optima 1",
    "oracle {d} --topic E20 --unit sentence --limit 30w": "--oracle rouge-1 | --stem | --stop | "
    "--tokens chars-2",
    "people {c}": "--add A1 | / --who me",
    "people {c} --add A1": "--blind | --name A1=Ann | / --remove nobody",
    "progress {c}": "--json",
    "remove abstracts {c} short": "--topic 0310",
    "remove alignments {c} 花子": "/ --topic nothing | / --abstract nothing",
    "remove documents {c} 980101001": "--topic 0310",
    "remove human-scores {c}": "--all | --measure m | --system oracle | --annotator J | "
    "--topic 0310 | / --measure m --all",
    "remove systems {c} oracle": "/ --topic nothing",
    "report {d} {out}.html": "-m coverage | --topic E10 | --system lead | --interval none | "
    "/ --vectors {out} | / --model {out}",
    "rouge {t} {r}": "-m rouge-2 | --system b={r} | --name x | --level topic | "
    "--interval bootstrap --resamples 9 | / --seed 3 | / --resamples 3 | / --confidence .5 | "
    "/ --system ={r}",
    "rouge {p} --level topic": TABLE_OF_TEXTS,
    "score {d}": "-m coverage | --topic E10 | --system lead | --level topic | "
    "--baseline lead --resamples 9 | --baseline lead --resamples 9 --test bootstrap | "
    "--interval bootstrap --resamples 9 | "
    "--output-format csv --wide | / --seed 3 | / --resamples 3 | / --confidence .5 | "
    "/ --test bootstrap | / --wide | / --json --wide | / --who me | / --oracles {out} | "
    "/ --edus {out} | / --vectors {out} | / --model {out} | / --keep scores | "
    "/ --baseline lead --confidence .5 | / --settle --time-limit 3",
    "score {d} --interval --resamples 20": "--seed 5 | --confidence .5",
    "scores {c}": "/ --title x | / --who me | / --level topic | / --wide | / --remove 1 --json | "
    "/ --show 9 | --import {s} | / --show 1 --who me",
    "scores {c} --import {s}": "/ --level topic | / --wide | / --json | / --bom",
    "scores --import {s}": "--level topic | --json | / --title x | / --who me | / --wide",
    "time {c}": "--by topic | / --annotator nobody",
    "validate {t}": "--topic 0310 | / --topic 0310 --part x",
    "validate {p}": AS_IMPORTED,
    "validate {e}": "--allow-outside",
    "parse {c} --list": "/ --engine stanza | / --model {out} | / --package x | / --download | "
    "/ --lang ja | / --compared | / --cpu | / --cluster x | / --name x | / --parser x | "
    "/ --force | / --from {t} | / --to {out} | / --be {out} | / --remove x | "
    "/ --who me",
    "parse {c} --from {t}": "/ --engine stanza | / --parser x | / --force",
    "parse {c} --to {out}": "/ --cpu | / --name x | / --who me",
    "parse {c} --be {out}": "/ --cpu | / --name x | / --who me | / --force",
    "parse {c} --remove x": "/ --cpu | / --name x | / --parser x | / --force | / --remove x",
    "parse {c} --lang xx": "/ --name x | / --parser x | / --force | / --lang xx",
    "export {d} {out} --format parallel-text": "/ --force",
    "export {d} -": "--topic E10 | --format extract-lines | / --force | / --with-sync | "
    "/ --abstract E10-short | / --annotator nobody | --unassisted",
    "import {out}.awase {j}": "/ --topic 0310 | / --abstract x | / --annotator x | / --part x",
    "import {out}.awase {p}": f"{AS_IMPORTED} | --json | --score rouge-1 | "
    "/ --score rouge-1 --json",
    "import {out}.awase {e}": "--allow-outside",
}
ELSEWHERE = {
    "assist-ask": "test_assist_commands.py",
    "server-setup": "../storage/test_server_setup.py",
}
"""Commands that need another program, and the tests that give each of their options."""
NEUTRAL = {"--processes", "--cluster", "--engine"}
"""Options that change how something is computed, and no result."""
LOGGED = {"--who"}
"""Options that only the log shows."""
LONG = (
    "agreement {d} --resamples 20",
    "clusters",
    "correlate {d} --human coverage --length short --resamples",
    "oracle {d} --topic E10 --unit",
    "report",
)
"""Where the commands begin that take half a second and more, up to a minute."""
OF_OUTPUTS = {"--output-format", "--json", "-o", "--force", "--bom"}
"""Options of the one writer of outputs, which `test_targets` and the tests above walk."""


@pytest.mark.parametrize(
    "command", in_part(WALK, by_default=lambda command: not command.startswith(LONG))
)
def test_that_each_option_changes_the_result_or_is_refused(
    run, awase_file, json_file, tmp_path, command
):
    record = {
        "id": "1", "document": "犬が走った。猫は寝た。", "reference": "The dog ran <q> off.",
        "prediction": "A dog ran.\nIt ran <q> off.", "key": "k", "story": "It rained all day.",
        "lead": "It rained.", "bart": "Cats sleep.", "who": "pegasus",
    }  # fmt: skip
    texts = {"t": "A dog ran away.\nCats sleep.\n", "r": "The dog ran.\nA cat sleeps.\n",
             "v": "犬 1 2\n猫 2 1\n", "n": "lead\tmmr\nprediction\tP\n", "x": "# out\n\nlead\n",
             "h": "system,topic,measure,value,annotator\noracle,0310,m,1,J\n",
             "p": json.dumps(record),
             "s": "topic,system,metric,value\nE10,lead,mine,.5\nE10,mmr,mine,.2\n"}  # fmt: skip
    names = {"c": awase_file, "j": json_file, "d": DEMO, "e": tmp_path / "e" / "settings.xml"}
    endings = {"p": "jsonl", "s": "csv", "h": "csv"}
    for name, text in texts.items():
        names[name] = tmp_path / f"{name}.{endings.get(name, 'txt')}"
        names[name].write_text(text, "utf-8")
    settings = rouge_settings({1: ({1: "t.txt"}, {"A": "r.txt"})}, "..", "..")
    write_files(tmp_path, {"e/settings.xml": settings})
    run("import", awase_file, names["h"])
    base = _result(run, command, names, tmp_path)
    for line in filter(None, map(str.strip, WALK[command].split("|"))):
        done = _result(run, f"{command} {line.removeprefix('/')}", names, tmp_path)
        if line.startswith("/"):
            words = line.split()[1:]
            option = [word for word in words if word.startswith("--")][-1]
            value = words[-1].partition("=")[0].format(**names, out="copies")
            assert done[0] in (1, 2), (line, done)
            assert option in done[2] or value in done[2], (line, done)
        else:
            assert (done[0], done == base) == (0, False), (line, done)


def _result(
    run: Run, command: str, names: dict[str, Path], tmp_path: Path
) -> tuple[int, str, str, str]:
    folder = tmp_path / "copies"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    places = {**names, "c": Path(shutil.copy(names["c"], folder)), "out": folder / "new"}
    done = run(*(word.format(**places) for word in command.split()))
    page = folder / "new.html"
    if command.startswith("assign"):  # of which not all is told
        return done.status, done.out, done.err, run("progress", places["c"], "--json").out
    return done.status, done.out, done.err, page.read_text("utf-8") if page.exists() else ""


@in_turn("command", ["agreement {} --resamples 1", "extract {} --table --with lead --size 1",
                     "oracle {} --unit sentence", "score {}"])  # fmt: skip
def test_that_work_goes_to_as_many_processes_as_are_asked_for(run, monkeypatch, command):
    asked: list[object] = []

    def workers(n_processes: int | None) -> SimpleNamespace:
        return SimpleNamespace(map=lambda *work: asked.append(n_processes) or ALONE.map(*work))

    monkeypatch.setattr(gathering, "local_workers", workers)
    small = Path(__file__).parents[1] / "goldens" / "inputs" / "small.json"
    assert run(*command.format(small).split(), "--processes", 3).status == 0
    assert {*asked} == {3}


def test_that_the_walk_knows_every_option_of_every_command():
    assert _unwalked(_options_of(cli)) == [], "give each a place in WALK"


def test_that_an_option_that_nobody_walks_is_noticed():
    new = [("score", click.Option(["--new"])), ("brand-new", click.Option(["--seed"]))]
    assert _unwalked([*_options_of(cli), *new]) == ["score --new", "brand-new --seed"]


def _unwalked(options: Iterable[tuple[str, click.Option]]) -> list[str]:
    here = Path(__file__).parent
    left = []
    for command, one in options:
        spelled = {*one.opts, *one.secondary_opts}
        rows = [row for row in WALK.items() if f"{row[0]} ".startswith(f"{command} ")]
        text = " ".join(map(" ".join, rows))
        if command in ELSEWHERE:
            text = (here / ELSEWHERE[command]).read_text("utf-8").replace('"', " ")
        walked = {
            *text.split(),
            *NEUTRAL,
            *LOGGED,
            *(OF_OUTPUTS if isinstance(one, Shared) else ()),
        }
        if not spelled & walked:
            left.append(f"{command} {one.opts[0]}")
    return left
