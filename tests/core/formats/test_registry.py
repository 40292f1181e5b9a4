import pytest
from tests.in_part import in_turn

from awase.core.errors import InputError
from awase.core.formats.registry import (
    FORMATS,
    format_by_id,
    format_of_file,
    format_of_folder,
)


@in_turn("entry", FORMATS.values())
def test_that_every_format_has_the_functions_it_promises(entry):
    assert not entry.reads or callable(entry.reader())
    if entry.writes:
        assert callable(entry.folder_writer() if entry.is_folder else entry.piecewise_writer())
    assert entry.suffixes or entry.is_folder
    assert all(suffix.startswith(".") for suffix in entry.suffixes)


def test_that_an_unknown_format_is_refused_with_those_that_exist():
    with pytest.raises(InputError, match=r"no format “pdf”\. Use one of awase-json, "):
        format_by_id("pdf")


@in_turn(
    ("name", "format_id"),
    [
        ("x.JSON", "awase-json"),
        ("a/b.sgml", "sgml"),
        ("x.txt", "text"),
        ("x.extracts", "extract-lines"),
    ],
)
def test_that_the_ending_of_a_file_tells_its_format(name, format_id):
    assert format_of_file(name).id == format_id


def test_that_an_ending_that_tells_nothing_is_refused():
    with pytest.raises(InputError, match=r"“x\.doc” does not tell its format"):
        format_of_file("x.doc")
    with pytest.raises(InputError, match="Name the format"):
        format_of_file("x.txt", for_writing=True)


@in_turn(
    ("names", "format_id"),
    [
        (["notes.md", "out_bart.txt"], "parallel-text"),
        (["short/out_bart.txt"], "parallel-text"),
        (["peers/1.txt", "settings.xml"], "rouge-settings"),
    ],
)
def test_that_the_files_of_a_folder_tell_its_format(names, format_id):
    assert format_of_folder("x", names).id == format_id


@in_turn("names", [[], ["a.txt"], ["deep/er/out_bart.txt"]])
def test_that_a_folder_of_other_files_is_refused(names):
    with pytest.raises(InputError, match="files of folder “x” do not tell its format"):
        format_of_folder("x", names)
