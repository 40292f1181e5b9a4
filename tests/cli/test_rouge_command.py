"""ROUGE of bare texts is that of a corpus of them, however they come in and go out."""

import io
import math
import random
import subprocess
import sys
from codecs import BOM_UTF8
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import stop
from tests.written import rouge_settings, write_files

import awase
from awase.cli.output.messages import ProgressBar
from awase.core.errors import Silent
from awase.core.metrics.registry import requests_of
from awase.core.metrics.rouge.family import RougeStream, StreamItem, exact_parts
from awase.core.metrics.significance import Resampling, intervals

METRICS = ["rouge-1", "rouge-2:stem=yes", "rouge-l", "rouge-w", "rouge-su:gap=4,refs=b",
           "rouge-1:average=perl"]  # fmt: skip
ASKED = [word for metric in METRICS for word in ("-m", metric)]


def texts(n: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    words = [f"w{k}" for k in range(60)]
    return [" ".join(rng.choices(words, k=rng.randint(3, 20))) for _ in range(n)]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    places = {}
    for seed, name in enumerate(("hyp", "other", "ref1", "ref2")):
        places[name] = tmp_path / f"{name}.txt"
        places[name].write_text("".join(f"{text}\n" for text in texts(30, seed)), "utf-8")
    return places


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def of_corpus(files: dict[str, Path], metrics: Sequence[str] = METRICS) -> awase.Scores:
    references = [*zip(lines(files["ref1"]), lines(files["ref2"]), strict=True)]
    systems = {"hyp": lines(files["hyp"]), "other": lines(files["other"])}
    return awase.score(systems, references, metrics)


def test_that_scores_means_and_signatures_are_those_of_a_corpus(run, files):
    found = run("rouge", files["hyp"], files["ref1"], files["ref2"], "--system",
                f"other={files['other']}", *ASKED, "--json").json  # fmt: skip
    names = ("topic", "length", "system", "metric", "signature")
    scores = of_corpus(files)
    assert [[*(one[name] for name in names), one["value"]] for one in found["scores"]] == [
        [*key, one.signature, one.value]
        for key, one in zip(scores.exact, scores.table.scores, strict=True)
    ]


def test_that_portions_give_the_same_bits_as_everything_at_once(files):
    whole = of_corpus(files).table
    stream = RougeStream(["hyp", "other"], requests_of(METRICS), keeps_values=True)
    columns = zip(*(lines(files[name]) for name in ("hyp", "other", "ref1", "ref2")), strict=True)
    items = [
        StreamItem(id=str(n), texts=((h,), (o,)), references=((a,), (b,)), splits=("en-2",) * 2)
        for n, (h, o, a, b) in enumerate(columns, start=1)
    ]
    scores = [score for at in range(0, 30, 7) for score in stream.scores_of(items[at : at + 7])]
    assert (*scores, *stream.means()) == whole.scores
    assert stream.problems() == whole.warnings
    resampling = Resampling(n_resamples=200)
    expected = intervals(whole, resampling, Silent())
    found = stream.intervals(resampling, Silent())
    assert found.keys() == expected.keys()
    for key, interval in expected.items():
        assert (found[key].low, found[key].high) == pytest.approx((interval.low, interval.high))


def test_that_exact_parts_lose_nothing():
    rng = random.Random(5)
    values = [rng.uniform(-1, 1) * 10 ** rng.randint(-12, 12) for _ in range(500)]
    parts = exact_parts(values)
    assert sum(map(Fraction, parts)) == sum(map(Fraction, values))
    assert math.fsum(parts) == math.fsum(values)


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Any:
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


def test_that_standard_input_stands_for_any_one_file(run, files, piped):
    expected = run("rouge", files["hyp"], files["ref1"], "--output-format", "csv").out
    piped(files["hyp"].read_bytes())
    assert (
        run("rouge", "-", files["ref1"], "--name", "hyp", "--output-format", "csv").out == expected
    )
    piped(files["ref1"].read_bytes())
    assert run("rouge", files["hyp"], "-", "--output-format", "csv").out == expected
    assert "can be read once" in run("rouge", "-", "-").err


def test_that_json_lines_folders_and_lines_agree(run, files, tmp_path):
    hyp, ref = lines(files["hyp"])[:9], lines(files["ref1"])[:9]
    records = [{"id": str(n), "article": "…", "highlights": r, "prediction": h}
               for n, (h, r) in enumerate(zip(hyp, ref, strict=True), start=1)]  # fmt: skip
    lines_of = {"h.txt": "\n".join(hyp), "r.txt": "\n".join(ref) + "\n"}
    write_files(tmp_path, {**lines_of, "h.jsonl": records})
    marked = tmp_path / "h.jsonl"
    marked.write_bytes(BOM_UTF8 + marked.read_bytes())
    for name, of_folder in (("sys", hyp), ("gold", ref)):
        write_files(tmp_path / name, {f"{n}.txt": one for n, one in enumerate(of_folder, start=1)})
    csv = ("--output-format", "csv", "--name", "h")
    by_line = run("rouge", tmp_path / "h.txt", tmp_path / "r.txt", *csv).out
    assert by_line.count("\n") == 1 + 9 * 9 + 9
    assert run("rouge", tmp_path / "h.jsonl", *csv).out == by_line
    named = ("--column", "prediction", "--reference-column", "highlights")
    assert run("rouge", tmp_path / "h.jsonl", tmp_path / "h.jsonl", *named, *csv).out == by_line
    by_folder = run("rouge", tmp_path / "sys", tmp_path / "gold", *csv).out
    assert sorted(by_folder.splitlines()) == sorted(by_line.splitlines())
    for extra, place in (("32", "sys"), ("31", "gold")):
        write_files(tmp_path, {f"{place}/{extra}.txt": "one"})
        told = run("rouge", tmp_path / "sys", tmp_path / "gold", *csv)
        assert (told.status, told.out) == (1, "")
        assert f"not have the same files as “{tmp_path / 'sys'}”: {extra}" in told.err
        (tmp_path / place / f"{extra}.txt").unlink()


@pytest.mark.slow
def test_that_tables_and_compressed_files_are_read_as_lines_are(run, files, tmp_path):
    import pandas as pd

    hyp, ref = lines(files["hyp"]), [*zip(lines(files["ref1"]), lines(files["ref2"]), strict=True)]
    frame = pd.DataFrame({"article": "…", "prediction": hyp, "references": [*map(list, ref)],
                          "highlights": [one for one, _ in ref]})  # fmt: skip
    csv = ("-m", "rouge-2", "--output-format", "csv", "--name", "h")
    for_two = run("rouge", files["hyp"], files["ref1"], files["ref2"], *csv).out
    for_one = run("rouge", files["hyp"], files["ref1"], *csv).out
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=7)
    assert run("rouge", tmp_path / "t.parquet", *csv).out == for_two
    named = ("--reference-column", "highlights", *csv)
    assert run("rouge", tmp_path / "t.parquet", *named).out == for_one
    for write, name in ((frame.to_csv, "t.csv"), (frame.to_csv, "t.csv.gz"),
                        (frame.to_excel, "t.xlsx")):  # fmt: skip
        write(tmp_path / name, index=False)
        assert run("rouge", tmp_path / name, *named).out == for_one, name
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t", encoding="utf-8-sig")
    assert run("rouge", tmp_path / "t.tsv", *named).out == for_one
    frame.to_json(tmp_path / "t.jsonl.gz", orient="records", lines=True)
    assert run("rouge", tmp_path / "t.jsonl.gz", *csv).out == for_two


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.parquet", b"no Parquet", "The table cannot be read"),
        ("t.csv", b"prediction,highlights\na,\xff\n", "The file is not utf-8"),
        ("t.csv", b'prediction,highlights\na,"b\n', "Is a quotation mark never closed?"),
        ("t.txt.gz", b"\x1f\x8b\x08 and no more", "The file is damaged"),
    ],
)
def test_that_a_table_that_cannot_be_read_is_told(run, tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    found = run("rouge", tmp_path / name, "--reference-column",
                "" if name.endswith(".gz") else "highlights")  # fmt: skip
    assert found.status == 1
    assert said in " ".join(found.err.split())


def test_that_a_parquet_file_has_the_columns_of_the_library(run, files, tmp_path):
    import pandas as pd

    run("rouge", files["hyp"], files["ref1"], "-m", "rouge-2", "-o", tmp_path / "s.parquet")
    frame = pd.read_parquet(tmp_path / "s.parquet")
    own = awase.score(
        {"hyp": lines(files["hyp"])}, [[one] for one in lines(files["ref1"])], ["rouge-2"]
    )
    assert [*frame.columns] == [*own.to_frame().columns]
    by_item = frame[frame["topic"].notna()].reset_index(drop=True)
    assert by_item["value"].tolist() == own.to_frame()["value"].tolist()
    assert frame[frame["topic"].isna()]["value"].tolist() == own.means()["value"].tolist()


def test_that_ctrl_c_prints_what_was_scored_by_then_and_that_it_is_not_all(run, files, monkeypatch):
    monkeypatch.setattr(ProgressBar, "advance", stop)
    stopped = run("rouge", files["hyp"], files["ref1"], "--json")
    assert (stopped.status, stopped.json["scores"]) == (130, [])
    assert stopped.err.endswith("Stopped; what was printed is not complete.\n")


def test_that_intervals_and_levels_are_those_of_score(run, files):
    found = run(
        "rouge", files["hyp"], files["ref1"], "--interval", "--resamples", 50, "--json"
    ).json
    means = [one for one in found["scores"] if one["topic"] is None]
    assert all(one["low"] <= one["value"] <= one["high"] for one in means)
    assert found["statistics"][0].startswith("interval:method=percentile-bootstrap,level=0.95")
    shown = run("rouge", files["hyp"], files["ref1"], "--level", "topic").out
    assert "30 " in shown
    means_alone = ("rouge", files["hyp"], files["ref1"], "--level", "system")
    rows = run(*means_alone, "--output-format", "csv").out.splitlines()
    assert len(rows) == 1 + len(run(*means_alone, "--json").json["scores"]) == 1 + len(means)


def test_that_folders_as_pyrouge_names_them_have_the_means_of_rouge155(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ids, evaluations = [f"{n:03}" for n in range(1, 10)], {}
    for n, id_ in enumerate(ids):
        names = {f"system/n.{id_}.txt": 3, f"model/n.A.{id_}.txt": 2, f"model/n.B.{id_}.txt": 1}
        for seed, (name, n_sentences) in enumerate(names.items(), 3 * n):
            write_files(Path(), {name: "".join(f"{one}\n" for one in texts(n_sentences, seed))})
        evaluations[id_] = {1: f"n.{id_}.txt"}, {one: f"n.{one}.{id_}.txt" for one in "AB"}
    run("import", "c.awase", ".")
    Path("s.xml").write_text(rouge_settings(evaluations, "system", "model"), "utf-8")
    lines = run("rouge155", "-n", "2", "-a", "s.xml").out.splitlines()
    perl = [float(line.split()[3]) for line in lines if "Average" in line]
    asked = [f"--metric={name}:average=perl" for name in ("rouge-1", "rouge-2", "rouge-l")]
    for words in (("rouge", "system", "model"), ("score", "c.awase")):
        scores = run(*words, *asked, "--level", "system", "--json").json["scores"]
        assert [one["value"] for one in scores] == perl, words


@pytest.mark.slow
def test_that_memory_does_not_grow_with_the_number_of_pairs(tmp_path):
    """Each pair more costs 140 bytes at most: ids and scores are packed."""

    def peak(n: int) -> int:
        for name, seed in (("h", 1), ("r", 2)):
            some = "".join(f"{text}\n" for text in texts(1_000, seed))
            (tmp_path / f"{name}.txt").write_text(some * (n // 1_000), "utf-8")
        code = (
            "import resource, sys; from awase.cli.main import main\n"
            f"try: main(['rouge', {str(tmp_path / 'h.txt')!r}, {str(tmp_path / 'r.txt')!r}, '-o',"
            f" {str(tmp_path / 's.jsonl')!r}])\n"
            "except SystemExit: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    small, large = peak(10_000), peak(80_000)
    assert (large - small) * 1024 < 140 * 70_000
