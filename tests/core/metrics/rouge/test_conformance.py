"""Every printed byte of the Perl program against ours, over random cases and option sets."""

import random
import re
from contextlib import nullcontext

import pytest
from tests.core.metrics.rouge.perl_program import PerlProgram, perl_program
from tests.core.metrics.rouge.random_cases import write_case
from tests.kernels import without_kernel

from awase.cli.scoring.rouge155 import main
from awase.core.kernel.binding import description

pytestmark = pytest.mark.slow

N_PORTIONS = 8
N_CASES = 20
FEWEST_VALUES = 3000
_NUMBER = re.compile(rb"(?<=[:( ])[0-9]+(?:\.[0-9]+)?(?=[ )\n])")


@pytest.fixture(scope="module")
def perl(tmp_path_factory: pytest.TempPathFactory) -> PerlProgram:
    return perl_program(tmp_path_factory.mktemp("perl"))


@pytest.mark.parametrize("portion", range(N_PORTIONS))
def test_that_every_printed_byte_is_the_perl_programs(
    portion, perl, tmp_path, monkeypatch, capfdbinary
):
    n_values = 0
    for number in range(N_CASES):
        rng = random.Random(1_000_003 * portion + number)
        folder = tmp_path / str(number)
        arguments = write_case(rng, folder, 6, has_blank_models=rng.random() < 0.4)
        theirs = perl.run(*arguments, cwd=folder)
        assert theirs.returncode == 0, theirs.stderr
        monkeypatch.chdir(folder)
        # With the compiled kernel where it is there, and with numpy.
        for counting in (nullcontext(), without_kernel()):
            with counting:
                status = main(arguments)
            ours = capfdbinary.readouterr()
            assert status == 0, ours.err
            assert ours.out == theirs.stdout, (description(), arguments)
        n_values += len(_NUMBER.findall(ours.out))
    print(f"portion {portion}: {n_values} values, 0 differences")
    assert n_values >= FEWEST_VALUES


SPL = "<INPUT-FORMAT TYPE='SPL'/>"
EVALUATION = (
    "<A><EVAL ID='1'><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>{}"
    "<PEERS><P ID='1'>{}</P></PEERS><MODELS><M ID='A'>{}</M></MODELS></EVAL></A>"
)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param("<ROUGE-EVAL><EVAL ID='1'></ROUGE-EVAL>", id="broken XML"),
        pytest.param("<ROUGE-EVAL><EVAL></EVAL></ROUGE-EVAL>", id="no id"),
        pytest.param("<A><PEERS><P ID='1'>p</P></PEERS></A>", id="peers outside EVAL"),
        pytest.param("<A><EVAL ID='1'><INPUT-FORMAT TYPE='TXT'/></EVAL></A>", id="unknown format"),
        pytest.param(EVALUATION.format(SPL, "p", "gone"), id="missing reference"),
        pytest.param(EVALUATION.format(SPL, "gone", "p"), id="missing summary"),
        pytest.param(EVALUATION.format("", "p", "p"), id="no format"),
    ],
)
def test_that_settings_the_program_dies_of_end_with_status_1(
    settings, perl, tmp_path, monkeypatch, capfdbinary
):
    (tmp_path / "settings.xml").write_text(settings)
    (tmp_path / "p").write_text("a summary\n")
    monkeypatch.chdir(tmp_path)
    theirs = perl.run("-n", "1", "-a", "settings.xml", cwd=tmp_path)
    assert theirs.returncode != 0
    assert main(["-n", "1", "-a", "settings.xml"]) == 1
    assert capfdbinary.readouterr().err.startswith(b"error: ")


def test_that_the_program_dies_where_rouge_w_has_an_empty_reference(
    perl, tmp_path, monkeypatch, capfdbinary
):
    (tmp_path / "p").write_text("a summary\n")
    (tmp_path / "m").write_text("...\n")
    (tmp_path / "list").write_text("p m\n")
    monkeypatch.chdir(tmp_path)
    arguments = ["-w", "1.2", "-z", "SPL", "list"]
    assert perl.run(*arguments, cwd=tmp_path).returncode != 0
    assert main(arguments) == 1
    assert b"m: ROUGE-W is undefined" in capfdbinary.readouterr().err
