"""Intervals, tests, forms of output and kept scores on the command line."""

import gzip
from pathlib import Path

from tests.cli.conftest import CSV


def test_that_kept_scores_are_out_of_date_after_a_change(run, awase_file, write_file):
    run("score", awase_file, "--topic", "0310", "--system", "oracle", "--keep", "x")
    text = write_file("990101009.txt", "雪がやんだ。\n")
    assert run("import", awase_file, text, "--topic", "0320").status == 0
    listed = run("scores", awase_file).out
    assert "out of date" in listed
    assert "1 topic, 1 system" in listed
    assert "; out of date: the corpus has changed" in run("scores", awase_file, "--show", 1).err


def test_that_scores_of_other_programs_are_kept_with_their_name_as_signature(
    run, awase_file, write_file
):
    table = write_file(
        "bert.tsv",
        "topic\tsystem\tmetric\tvalue\n0310\toracle\tBERTScore F1\t0.25\n"
        "0320\toracle\tBERTScore F1\t0.75\n0310\torakle\tBERTScore F1\t0.5\n",
    )
    result = run("scores", awase_file, "--import", table, "--title", "BERT")
    assert result.status == 0
    assert "no system orakle" in result.err
    assert "Is “orakle” another name of “oracle”?" in result.err
    shown = run("scores", awase_file, "--show", "1")
    assert "0.5000" in shown.out
    assert "BERTScore F1" in shown.out.splitlines()
    assert "imported" in run("scores", awase_file).out


def test_that_a_bad_table_changes_nothing(run, awase_file, write_file):
    table = write_file(
        "bad.csv", "topic,system,metric,value\n0310,oracle,m,NaN\n0310,oracle,m,good\n"
    )
    result = run("scores", awase_file, "--import", table)
    assert result.status == 1
    assert [line.split(": ")[1] for line in result.problems] == [f"{table}:2", f"{table}:3"]
    assert "No scores are kept" in run("scores", awase_file).out


def test_that_processes_give_the_same_scores(run, json_file):
    one, two = (
        run("score", json_file, "-m", "rouge:tokens=chars", "--json", "--processes", n).out
        for n in (1, 2)
    )
    assert one == two


def test_that_a_table_without_a_corpus_is_printed_and_kept_nowhere(run, json_file):
    table = json_file.with_name("scores.csv.gz")
    table.write_bytes(gzip.compress(run("score", json_file, CSV).out.encode()))
    kept = {*json_file.parent.iterdir()}
    printed = run("scores", "--import", table, "--json")
    assert printed.json["scores"] == run("score", json_file, "--json").json["scores"]
    assert not printed.warnings  # nobody said which systems there are
    assert {*json_file.parent.iterdir()} == kept
    assert "Missing argument 'CORPUS'" in run("scores").err
    titled = run("scores", "--import", table, "--title", "T")
    assert "--title goes with --import and CORPUS" in titled.err


def test_that_a_report_is_written(run, json_file, tmp_path):
    page = tmp_path / "report.html"
    assert run("report", json_file, page).status == 0
    text = page.read_text("utf-8")
    assert "<table" in text
    assert "前置" in text
    assert "too few topics (2)" in text
    only = ("--system", "oracle", "--topic", "0310", "--interval", "none")
    assert run("report", json_file, page, *only, "--force").out == f"{page}: 1 topic.\n"
    assert "前置" not in page.read_text("utf-8")
    assert "too few topics" not in page.read_text("utf-8")


def test_that_a_report_tells_the_agreement_on_its_topics_and_none_of_a_blind_corpus(run, tmp_path):
    corpus, page = tmp_path / "c.awase", tmp_path / "page.html"
    run("import", corpus, Path(__file__).parents[1] / "goldens" / "inputs" / "team.json")
    for words, is_told in (((), True), (("--add", "L=lead", "--blind"), False)):
        assert run("people", corpus, *words).status == 0
        asked = ("-m", "coverage", "--interval", "none", "--topic", "t1", "--force")
        assert run("report", corpus, page, *asked).status == 0
        for told in ("Agreement of annotators", "too few topics (1)"):
            assert (told in page.read_text("utf-8")) is is_told


def test_that_the_findings_follow_the_metrics_asked_for(run, json_file, tmp_path):
    page = tmp_path / "report.html"
    assert run("report", json_file, page, "-m", "coverage:first=all,annotator=花子").status == 0
    assert "coverage:first=all,annotator=花子</p>" in page.read_text("utf-8")
