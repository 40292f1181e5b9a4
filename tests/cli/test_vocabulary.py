"""The options that commands share mean one thing, and each that is given counts."""

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path

import click
import pytest
from tests.cli.conftest import CSV, LATEX, Run
from tests.in_part import in_part

from awase.cli.arguments.options import Shared
from awase.cli.main import COMMANDS, cli
from awase.cli.output.messages import MAX_WARNINGS, print_problems
from awase.cli.output.render import InPieces, exact_record, json_pieces
from awase.core.errors import Problem

DEMO = Path(str(files("awase.resources"))) / "demo" / "en.json"


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


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "csv", "tsv", "jsonl"])
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
    import pandas as pd

    text = json.dumps(corpus_json).replace("\\u524d\\u7f6e", "=1+1")
    (tmp_path / "c.json").write_text(text, "utf-8")
    run("score", tmp_path / "c.json", "-m", "coverage", "-o", tmp_path / "s.xlsx")
    assert "=1+1" in set(pd.read_excel(tmp_path / "s.xlsx")["system"])
    from openpyxl import load_workbook

    (sheet,) = load_workbook(tmp_path / "s.xlsx").worksheets
    kinds = {cell.data_type for row in sheet.iter_rows() for cell in row}
    assert kinds == {"s", "n", "b"}  # texts, numbers, truth values; "f" is a formula


WITH_A_TABLE = (("cover", DEMO), ("info", DEMO), ("metrics",), ("formats",), ("agreement", DEMO))
FORMS = ("csv", "jsonl", "markdown", "html", "latex", "tsv")


@pytest.mark.parametrize(
    ("words", "form"),
    in_part(
        product(WITH_A_TABLE, FORMS),
        by_default=lambda case: case[0] == WITH_A_TABLE[0] or case[1] == FORMS[0],
    ),
)
def test_that_every_command_with_a_table_writes_it_in_every_form(run, words, form):
    more = ("--resamples", 9) if words[0] == "agreement" else ()
    finished = run(*words, "--output-format", form, *more)
    assert finished.status == 0, finished.err
    assert finished.out.count("\n") > 2
    if form == "csv":
        widths = {len(row) for row in csv.reader(io.StringIO(finished.out))}
        assert len(widths) == 1


def test_that_metrics_and_formats_are_json_for_programs(run):
    metrics = {one["name"]: one for one in run("metrics", "--json").json["metrics"]}
    stem = next(one for one in metrics["rouge-2"]["options"] if one["name"] == "stem")
    assert stem["default"] == "no"
    assert {*stem["choices"]} == {"no", "yes"}
    formats = {one["id"]: one for one in run("formats", "--json").json["formats"]}
    assert formats["awase-json"]["reads"]


def test_that_forms_that_exclude_each_other_are_refused(run):
    assert run("score", DEMO, LATEX, CSV).status == 2
    assert run("score", DEMO, "--json", "--output-format", "csv").status == 2
    assert "needs a file" in run("score", DEMO, "--output-format", "parquet").err


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


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("ROUGE-2", "Did you mean “rouge-2”?"),
        ("rouge_2:stem=yes", "Did you mean “rouge-2:stem=yes”?"),
        ("rouge-1,rouge-2", "Name metrics one by one: “rouge-1”, “rouge-2”."),
        ("2rouge", "Write name or name:option=value"),
    ],
)
def test_that_a_metric_in_capitals_or_a_list_is_told_what_to_write(run, typed, told):
    finished = run("score", DEMO, "-m", typed)
    assert finished.status == 1
    assert told in finished.err


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


def test_that_explanations_and_extracts_are_tables_for_programs(run):
    rows = csv.DictReader(io.StringIO(
        run("explain", DEMO, "--topic", "E10", "--system", "lead", "--output-format", "csv").out
    ))  # fmt: skip
    counts = {(one["length"], one["found"]) for one in rows}
    assert {length for length, _ in counts} == {"short", "long"}
    assert {found for _, found in counts} == {"true", "false"}
    shown = run("extract", DEMO, "--table", "--with", "lead", "--json").json["scores"]
    means = {one["metric"]: one["value"] for one in shown
             if one["topic"] is None and one["length"] == "short"}  # fmt: skip
    assert round(means["precision"], 4) == 0.6984


@pytest.mark.slow
def test_that_oracles_printed_as_json_are_a_file_of_oracles(run, tmp_path):
    file = tmp_path / "oracles.json"
    words = ("oracle", DEMO, "--topic", "E10")
    assert run(*words, "-o", file).out == ""
    assert file.read_text("utf-8") == run(*words, "--json").out
    scored = ("score", DEMO, "--topic", "E10", "-m", "pseudo-pyramid", "--oracles", file)
    assert run(*scored).status == 0


# Options of each command, a set between bars: they change what is printed; behind a slash they
# would change nothing, and are refused. {c} is a corpus, {d} another, {j} one in JSON, {t} and {r}
# texts, {v} vectors, {out} a name that nothing has.
WALK: dict[str, str] = {
    "agreement {d} --resamples 20": "--annotators A1,robot | --compare A1+A2:A1+robot | "
    "--length short | --distance links | --by topic | --seed 9",
    "assign {c}": "--to A1,A2 | --to A1 --topic 0310 | --to A1 --calibrate 1 | "
    "--to A1 --due 2030-01-01 | --to A1,A2 --overlap 100 | "
    "/ --to A1 --readers 2 | / --to A1 --after 3 | / --next --to A1 --seed 3 | "
    "/ --take-over A1 --to A2 | / --next --to A1 --topic 0310 | / --second 50 --overlap 3",
    "assist {c}": "--assist-level 3 | --control 20 | --decoys 5 | --seed 4 | / --who me",
    "clusters {j} --vectors {v} -m prouge-1:tokens=ja": "--topic 0310 | --system oracle",
    "correlate {d} --human coverage --length short --resamples 20": "--level topic | "
    "--coefficient r | --resample topics | "
    "--seed 3 | --test williams | --topic E10 | --exclude lead | --suggest-outliers | "
    "-m coverage | "
    "/ --scores-format sacrerouge",
    "correlate {d} --human coverage --length short": "--interval none | "
    "--interval fisher --confidence .5 | / --interval none --seed 3 | "
    "/ --interval none --confidence .5",
    "cover {d}": "--topic E10 | --abstract E30-short | --annotator all | / --settle --time-limit 3",
    "demo en {out}": "/ --window",
    "diff {c} {d}": "",
    "explain {d} --topic E10": "--system lead | -m pseudo-pyramid:unit=sentence | "
    "/ --model {out} | / --edus {out}",
    "extract {c} --with tfidf --table": "--size 1 | --tokens chars | --topic 0310 | --name x | "
    "--with lead | / --to {out} | / --who me | / --force",
    "formats": "--json | / --bom",
    "info {c}": "--json | --output-format csv | / --bom | / --force | "
    "/ --json --output-format csv | / --output-format parquet",
    "metrics": "--output-format jsonl",
    "oracle {d} --topic E10 --unit sentence": "--oracle rouge-1 | --limit 5w | --stem | --stop | "
    "--tokens chars | --texts | / --edus {out} | / --texts --json",
    "people {c}": "--add A1 | / --who me",
    "people {c} --add A1": "--blind | --name A1=Ann",
    "progress {c}": "--json",
    "report {d} {out}.html": "",
    "rouge {t} {r}": "-m rouge-2 | --system b={r} | --name x | --level topic | "
    "--interval bootstrap --resamples 9 | / --seed 3 | / --resamples 3 | / --confidence .5",
    "score {d}": "-m coverage | --topic E10 | --system lead | --level topic | "
    "--baseline lead --resamples 9 | --baseline lead --resamples 9 --test bootstrap | "
    "--output-format csv --wide | / --seed 3 | / --resamples 3 | / --confidence .5 | "
    "/ --test bootstrap | / --wide | / --json --wide | / --who me | / --oracles {out} | "
    "/ --edus {out} | / --vectors {out} | / --model {out} | / --keep x | "
    "/ --baseline lead --confidence .5 | / --settle --time-limit 3",
    "scores {c}": "/ --title x | / --who me | / --level topic | / --wide | / --remove 1 --json",
    "time {c}": "--by topic",
    "validate {t}": "--topic 0310 | / --topic 0310 --part x",
    "parse {c} --list": "/ --engine stanza | / --model {out} | / --package x | / --download | "
    "/ --lang ja | / --compared | / --cpu | / --cluster x | / --name x | / --parser x | "
    "/ --force | "
    "/ --who me",
    "export {d} -": "--topic E10 | --format extract-lines | / --force | / --with-sync",
    "import {out}.awase {j}": "/ --topic 0310 | / --abstract x | / --annotator x | / --part x",
}


@pytest.mark.parametrize(
    "command",
    in_part(
        WALK, by_default=lambda command: command.split()[0] in ("info", "people", "rouge", "scores")
    ),
)
def test_that_each_option_changes_the_result_or_is_refused(
    run, awase_file, json_file, tmp_path, command
):
    texts = {"t": "A dog ran away.\nCats sleep.\n", "r": "The dog ran.\nA cat sleeps.\n",
             "v": "犬 1 2\n猫 2 1\n"}  # fmt: skip
    names = {"c": awase_file, "j": json_file, "d": DEMO}
    for name, text in texts.items():
        names[name] = tmp_path / f"{name}.txt"
        names[name].write_text(text, "utf-8")
    base = _result(run, command, names, tmp_path)
    for line in filter(None, map(str.strip, WALK[command].split("|"))):
        done = _result(run, f"{command} {line.removeprefix('/')}", names, tmp_path)
        is_right = done[0] in (1, 2) if line.startswith("/") else not done[0] and done != base
        assert is_right, (line, done)


def _result(run: Run, command: str, names: dict[str, Path], tmp_path: Path) -> tuple[int, str, str]:
    folder = tmp_path / "copies"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    places = {**names, "c": Path(shutil.copy(names["c"], folder)), "out": folder / "new"}
    done = run(*(word.format(**places) for word in command.split()))
    return done.status, done.out, done.err


def test_that_the_walk_knows_every_command_with_options():
    known = {command.split()[0] for command in WALK}
    left = {"assist-ask", "assist-fit", "assist-report", "check", "hand-out", "merge", "remove",
            "redo", "rescue", "restore", "rouge155", "server-setup", "undo"}  # fmt: skip
    assert known | left == {*COMMANDS}
