"""The notebooks of docs/ run from above to below, and what they promise comes out."""

import json
import re
from pathlib import Path

import pytest
from tests.in_part import in_turn

NOTEBOOKS = Path(__file__).resolve().parents[2] / "docs" / "notebooks"


def cells(name):
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)

    def executed(name):
        told = {}
        for cell in cells(name):
            if cell["cell_type"] == "code":
                source = re.sub(r"^%.*$", "", "".join(cell["source"]), flags=re.MULTILINE)
                exec(compile(source, name, "exec"), told)
        matplotlib.pyplot.close("all")
        return told

    return executed


@in_turn("path", sorted(NOTEBOOKS.glob("*.ipynb")))
def test_that_its_text_is_in_both_languages_and_no_output_is_kept(path):
    for cell in cells(path.stem):
        if cell["cell_type"] == "markdown":
            assert cell["metadata"]["ja"].count("\n") == "".join(cell["source"]).count("\n") or (
                cell["metadata"]["ja"].partition(" ")[0] in ("#", "##")
            )
        else:
            assert not cell["outputs"]


@pytest.mark.slow
def test_that_scores_become_frames_plots_and_files(run, tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    told = run("score-and-plot")
    assert told["pair"].to_frame().set_index("metric").value["rouge-2.r"] == pytest.approx(3 / 5)
    assert told["again"].equals(told["frame"])
    assert {"scores.parquet", "scores.xlsx", "demo-en.awase"} <= {
        p.name for p in tmp_path.iterdir()
    }
    assert told["short"].loc["hand", "precision"] == 1
    assert (told["found"].h, told["found"].n_covers) == (4, 1)


@pytest.mark.slow
def test_that_h_is_found_with_and_without_a_corpus(run):
    told = run("build-a-corpus")
    # Table 1 of Hirao et al. 2004, with the two covers of docs/metrics/minimal-cover.md.
    assert (told["found"].h, told["found"].n_covers) == (6, 2)
    assert told["found"].in_every == {"s1", "s3", "s5", "s6"}
    assert told["cover"].h == 3
    assert {*told["cover"].items} == {"evening:1", "morning:3", "evening:2"}
    assert re.search(r"storm\s+short\s+3\s+1\s", told["printed"])


@pytest.mark.slow
def test_that_metrics_are_ranked_by_how_they_agree_with_people(run):
    told = run("which-metric")
    assert told["table"].loc["coverage", "tau-b"] == pytest.approx(1)
    assert told["table"].loc["precision", "tau-b"] == pytest.approx(0.6)


@pytest.mark.slow
def test_that_duc_files_become_a_table(run):
    told = run("duc-to-table")
    # Peer 3 has 16 of the references' 33 words in common with them.
    assert told["table"].loc["3", "rouge-1.r"] == pytest.approx(16 / 33, abs=1e-4)
    assert "\\textbf{0.48" in told["latex"]
