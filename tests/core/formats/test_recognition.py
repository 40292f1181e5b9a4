import pytest
from tests.in_part import in_turn

from awase.core.errors import InputError
from awase.core.formats.importing import format_of_text
from awase.core.formats.registry import FORMATS


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


def test_that_a_name_that_tells_nothing_is_refused():
    with pytest.raises(InputError, match=r"“a\.doc” does not tell its format"):
        format_of_text("a.doc", '[{"data": {}}]')
    with pytest.raises(InputError, match=r"“200e” does not tell its format"):
        format_of_text("200e", "Dogs run.")


@in_turn(
    ("name", "text", "said"),
    [
        ("a.tsv", "#FORMAT=WebAnno TSV 3.3\n", "WebAnno TSV"),
        ("a.ann", "T1\tA1 0 6\tx", "brat"),
        ("a.xmi", "<xmi:XMI/>", "UIMA CAS XMI"),
        ("a.size", "4", "DUCView"),
        ("a.conllu", "# text = a", "CoNLL-U"),
    ],
)
def test_that_a_format_that_is_not_read_is_named_with_what_is(name, text, said):
    with pytest.raises(InputError, match=said):
        format_of_text(name, text)


def test_that_formats_that_share_an_ending_show_which_they_are():
    readable = [entry for entry in FORMATS.values() if entry.reads]
    for ending in {suffix for entry in readable for suffix in entry.suffixes}:
        sharing = [entry for entry in readable if ending in entry.suffixes]
        assert sum(entry.sign is None for entry in sharing) <= 1, ending
