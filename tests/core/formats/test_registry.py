import json

import pytest
from tests.in_part import in_turn

from awase.core.errors import InputError
from awase.core.formats.importing import format_of_text
from awase.core.formats.reading import records
from awase.core.formats.reading.records import (
    NOT_JSON,
    are_places_by_number,
    filled_lines,
    json_value,
)
from awase.core.formats.reading.roles import texts_in
from awase.core.formats.registry import FORMATS, format_by_id, format_of_file, format_of_folder


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
    with pytest.raises(InputError, match=r"“x\.doc” does not show its format"):
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
    with pytest.raises(InputError, match="files of folder “x” do not show its format"):
        format_of_folder("x", names)


@in_turn(
    ("name", "text", "format_id"),
    [
        ("a.tsv", "1\tA\ts1\n", "alignment-table"),
        ("a.tsv", "\n \nmmr\tt\tshort\td:1\n", "extract-lines"),
        ("a.tsv", "system\tscore\n", "alignment-table"),
        ("a.tsv", "topic\tsystem\tmeasure\tvalue\n", "score-table"),
        ("a.tsv", "topic\tsystem\tsentence\n", "extract-lines"),
        ("a.csv", '"topic","system","sentence"\n', "extract-lines"),
        ("a.JSON", '\ufeff\n [{"data": {}}]', "label-studio"),
        ("a.json", '{"awase": 1, "topics": []}', "awase-json"),
        ("a.json", "", "awase-json"),
        ("a.jsonl", '{"text": "x", "label": []}', "doccano"),
        ("a.jsonl", '{"instance_id": "t", "metrics": {}}', "sacrerouge"),
        ("a.jsonl", '{"summary": {"text": "x"}, "metrics": {}}', "sacrerouge"),
        ("a.jsonl", '{"text": "x", "decoded": "y", "expert_annotations": []}', "summeval"),
        ("a.xml", '<?xml version="1.0"?>\n<rouge_eval version="1.55">', "rouge-settings"),
        ("a.xml", "<DOC>", "sgml"),
        ("a.txt", "[1]", "text"),
        ("D30001.M.100.T.A", "Dogs run.", "duc-abstracts"),
        ("D30001.P.10.T.A.APW1998.0240.html", "<html>", "duc-abstracts"),
        ("D30001.M.100.T.A.pan", "<peerAnnotation>", "ducview-annotation"),
        ("100", '<html><body>\n<SUM DOCSET="d061">', "duc-abstracts"),
        ("200e", '<html><s docid="X" num="1">', "duc-extracts"),
        ("a.sgml", '<SUM DOCSET="d061"><s docid="X" num="1">', "duc-extracts"),
        ("a.sgml", '<DOC><DOCNO>X</DOCNO><s docid="X" num="1">', "sgml"),
        ("AP880911-0016", '<DOC>\n<DOCNO>X</DOCNO><s docid="X" num="1">', "duc-documents"),
        ("AP880911-0016.S", "<DOC>", "duc-documents"),
        ("a.txt", '<s docid="X" num="1">', "text"),
    ],
)
def test_that_name_and_content_tell_the_format(name, text, format_id):
    assert format_of_text(name, text).id == format_id


def test_that_formats_that_share_an_ending_show_which_they_are():
    readable = [entry for entry in FORMATS.values() if entry.reads]
    for ending in {suffix for entry in readable for suffix in entry.suffixes}:
        sharing = [entry for entry in readable if ending in entry.suffixes]
        assert sum(entry.sign is None for entry in sharing) <= 1, ending


TEXT = "\ufeffone\r\n\n \u3000\ntwo\n\nthree\x0bfour\n\n\nfive"


@pytest.mark.parametrize("n_letters", [1, 2, 5, 9, 1000])
def test_that_pieces_of_any_size_give_the_same_lines(monkeypatch, n_letters):
    monkeypatch.setattr(records, "LETTERS_AT_ONCE", n_letters)
    assert [*filled_lines(TEXT)] == [(1, "one"), (4, "two"), (6, "three\x0bfour"), (9, "five")]


@in_turn("text", [
    '{"a": 18446744073709551616}', '{"a": -0}', '{"a": 1e400}', '{"a": [1.0, "b"]}',
    '{"a": "\\ud800"}', '{"a": NaN}', '{"a": {"b": 36893488147419103232}}',
    '{"a": "x", "b": ["y", null], "a": true}', '[36893488147419103232]', '"x"', "{}", "7",
])  # fmt: skip
def test_that_values_are_what_the_standard_library_reads(text):
    assert repr(json_value(text)) == repr(json.loads(text))


@in_turn("text", ['{"a": "\t"}', '{"a" "b"}', '{"a": "b"} c', "\ufeff{}", "", "[" * 5000])
def test_that_what_is_no_json_is_none(text):
    assert json_value(text) is NOT_JSON


@in_turn(
    ("value", "is_so"),
    [
        ({"0": [4, 1], "7": []}, True), ({}, False), ([], False), ({"x": [1]}, False),
        ({"0": 1}, False), ({"0": [True]}, False), ({"0": [-1]}, False), ({"0": [0.5]}, False),
    ],
)  # fmt: skip
def test_that_places_are_lists_of_numbers_by_number(value, is_so):
    assert are_places_by_number(value) is is_so


@in_turn(
    ("value", "as_sentences", "as_texts"),
    [
        (None, (), ()), ("a", (("a",),), (("a",),)), (3, None, None), (["a", 3], None, None),
        (["a", "b"], (("a", "b"),), (("a",), ("b",))), ([["a"], [3]], None, None),
        ([["a", "b"], ["c"]], (("a", "b"), ("c",)), (("a", "b"), ("c",))),
    ],
)  # fmt: skip
def test_that_a_field_is_a_text_its_sentences_or_several_texts(value, as_sentences, as_texts):
    assert texts_in(value, is_plural=False) == as_sentences
    assert texts_in(value, is_plural=True) == as_texts
