"""The pipes of the manual, typed as they stand there into a shell."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash"),
]


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Returns what runs a line in bash where `c` is a corpus and `awase` this program."""
    (tmp_path / "bin").mkdir()
    launcher = tmp_path / "bin" / "awase"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m awase.cli "$@"\n')
    launcher.chmod(0o755)
    links = Path(__file__).resolve().parents[2] / ".links"
    settings = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": f"{links}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}  # fmt: skip

    def run(line):
        script = f"set -euo pipefail\n{line}\n"
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, env=settings, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done

    run("awase demo en . && mv demo-en.awase c && rm -f demo-en.awase-lock")
    return run


def test_that_texts_from_a_pipe_are_scored(shell, tmp_path):
    (tmp_path / "ref.txt").write_text("the cat sat on the mat\na dog runs\n")
    done = shell(r"printf 'the cat sat on the mat\na dog ran\n' | awase rouge - ref.txt --json")
    assert '"metric": "rouge-2.r"' in done.stdout


def test_that_a_corpus_goes_through_a_pipe_into_parquet(shell, tmp_path):
    shell("awase export c - | awase score - --output-format parquet -o s.parquet")
    import pandas  # half a second in each process that collects

    frame = pandas.read_parquet(tmp_path / "s.parquet")
    means = frame[frame.topic.isna() & (frame.system == "hand") & (frame.length == "short")]
    assert means.set_index("metric").value["precision"] == 1


def test_that_scores_come_in_from_a_pipe(shell):
    shell("awase score c --output-format csv | awase scores c --import - --title piped")
    assert "piped" in shell("awase scores c").stdout


def test_that_a_corpus_is_read_from_a_process(shell):
    direct = shell("awase score c").stdout
    assert shell("awase score <(awase export c -)").stdout == direct
    assert "hand" in direct
