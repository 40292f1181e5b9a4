"""Small files made to hang or break a reader: each is read, or told in words, in linear time.

The limit is on the processor's time and some hundred times what a file takes; before they were
mended, those named here took from a minute to days.
"""

from time import process_time

import pytest
from tests.in_part import in_part, in_turn

from awase.core.errors import FilePosition, InputError, Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import FORMATS
from awase.core.records.corpus import Corpus

MOST_SECONDS = 10.0
READ_FROM_FILES = [entry.id for entry in FORMATS.values() if entry.reads and entry.suffixes]

DOC = "<DOC><DOCNO>1</DOCNO><TEXT>"
FOUND = {
    "repeated keys": ("awase-json", '{"awase":1,' + '"a":1,' * 100_000 + '"b":1}'),
    "many repeated keys": (
        "awase-json", '{"awase":1,' + ",".join(f'"{n % 20_000}":1' for n in range(40_000)) + "}",
    ),
    "one long key over many values": (
        "awase-json", '{"awase":1,"topics":[],"a":1,"a":2,"' + "k" * 200_000 + '":['
        + "1," * 20_000 + "1]}",
    ),
    "comments that never end": ("sgml", "<!--" * 50_000),
    "sections that never end": ("sgml", DOC + "<![CDATA[" * 20_000),
    "an attribute without end": ("sgml", f"{DOC}<SENTENCE {'a' * 200_000}>x</SENTENCE>"),
    "sentence numbers": (
        "sgml", DOC + "".join(f'<SENTENCE NUM="{n}">x</SENTENCE>' for n in range(1, 20_000)),
    ),
    "stops": ("text", "." * 200_000 + "x"),
    "Japanese stops": ("text", "あ" + "。" * 100_000 + "x"),
    "quotes after a stop": ("text", "x." + "'" * 100_000 + "x"),
    "stops and quotes": ("text", "x.'\"" * 50_000 + "x"),
    "blanks": ("text", "x" + " " * 200_000 + "x"),
    "blanks before a line break": ("text", "x" + " \u3000" * 100_000 + "\ny"),
    "links that never end": ("duc-abstracts", "<html><a name=1 " + "<a href=" * 30_000),
    "one link that never ends": ("duc-abstracts", "<html><a " + "href= " * 30_000),
    "a heading that never ends": (
        "ducview-pyramid",
        "<pyramid><text><line>---</line><line>" + "a " * 50_000 + "</line></text></pyramid>",
    ),
    "words that stand everywhere": (
        "ducview-pyramid",
        "<pyramid><text><line>" + "a" * 50_000 + "</line></text>"
        + f'<scu uid="1" label="x"><contributor label="y"><part label="{"a" * 25_000}" start="9"'
        ' end="9"/></contributor></scu></pyramid>',
    ),
}  # fmt: skip

TOKENS = (
    "<!--", "<![CDATA[", "<a ", "<a href=", "<doc ", "<", "<?", "<!", ">", "&", "&a", "&#1", "'",
    '"', ".", "..!", "!?", "…", "。", "！", "」", "「", "(", ")", "[", "]", "{", "}", ",", ":", "-",
    "---\n", "=", "a.", "A.", "1.", "１", "あ", "ア", " ", "\t", "\n", "\r", "\u3000", " .", "\\",
    "/", "|", "#", "s1 ", "d:1 ", '{"a":1,', '"a",', "\u2028", "\ufeff", "\x0b", "\x00", "  \n",
    "x\n", "é", "\x1b$B", "0", "1\t", "\t1", "-0", "e", "::",
)  # fmt: skip
LIKE_OTHERS = (
    "many repeated keys", "sentence numbers", "sections that never end", "Japanese stops",
    "quotes after a stop", "blanks before a line break", "one link that never ends",
    "one long key over many values", "stops", "comments that never end",
)  # fmt: skip
"""What the slow run reads: each has a sister in the default run, or takes long."""
BEGINNINGS = {
    "awase-json": ('{"awase":1,"topics":[', '{"awase":1,'),
    "sgml": (DOC, "<DOC ", "<DOC><TEXT><SENTENCE "),
    "duc-documents": ('<DOC><DOCNO>1</DOCNO><TEXT><s docid="a" num="1">', "<s "),
    "duc-abstracts": ("<html><body>", '<SUM DOCSET="d061j" ', '<html><a name="1">[1]</a> '),
    "duc-extracts": ('<SUM\nDOCSET="d061j">\n<s docid="a" num="1">',),
    "text": ("あ", "Hello. "),
    "ducview-pyramid": ("<pyramid><text><line>", "<pyramid><text><line>---\n"),
    "ducview-annotation": ("<peerscore><pyramid><text><line>",),
    "rouge-settings": ('<ROUGE-EVAL><EVAL ID="1">',),
    "score-table": ("system,score\n", 'system,score\n"'),
    "doccano": ('{"text": "',),
    "label-studio": ("[{",),
}


def seconds_to_read(format_id: str, text: str, encoding: str | None = "utf-8") -> float:
    file = ReadRequest(
        source="f", data=text.encode(), format_id=format_id, encoding=encoding,
        topic="t", abstract="a", annotator="1",
    )  # fmt: skip
    begin = process_time()
    try:
        read_files(Corpus(), [file], Silent(), 1)
    except InputError as error:
        assert all(str(problem) for problem in error.problems)  # noqa: PT017
    return process_time() - begin


@pytest.mark.parametrize("name", in_part(FOUND, by_default=lambda name: name not in LIKE_OTHERS))
def test_that_a_file_that_once_hung_is_read_in_linear_time(name: str):
    assert seconds_to_read(*FOUND[name]) < MOST_SECONDS


def test_that_a_long_key_is_not_repeated_for_each_of_its_values():
    position = FilePosition().at("k" * 10**6)
    assert len(position.at(1).path) < 500


@pytest.mark.slow
@pytest.mark.parametrize("format_id", READ_FROM_FILES)
def test_that_no_token_repeated_hangs_a_reader(format_id: str):
    for beginning in ("", *BEGINNINGS.get(format_id, ())):
        for token in TOKENS:
            for ending in ("", "x\n"):
                text = beginning + token * (40_000 // len(token)) + ending
                for encoding in ("utf-8", None):
                    seconds = seconds_to_read(format_id, text, encoding)
                    assert seconds < MOST_SECONDS, (beginning, token, ending)


DEEP = "[" * 100_000
NESTED = {
    "awase-json": '{"awase":1,"topics":' + DEEP,
    "label-studio": DEEP,
    "doccano": '{"text":"x","label":' + DEEP + "\n",
    "summeval": '{"expert_annotations":' + DEEP + "\n",
    "ducview-pyramid": "<pyramid>" + "<a>" * 100_000,
    "rouge-settings": "<ROUGE-EVAL>" + "<EVAL ID='1'>" * 50_000,
    "rouge-settings closed": (
        "<ROUGE-EVAL>" + "<EVAL ID='1'>" * 20_000 + "</EVAL>" * 20_000 + "</ROUGE-EVAL>"
    ),
}


@pytest.mark.parametrize("name", in_part(NESTED, by_default=lambda name: name != "ducview-pyramid"))
def test_that_deep_nesting_is_told(name: str):
    file = ReadRequest(source="f", data=NESTED[name].encode(), format_id=name.split()[0])
    with pytest.raises(InputError) as caught:
        read_files(Corpus(), [file], Silent(), 1)
    assert str(caught.value.problems[0]).startswith("f:")


@in_turn("pattern", [".*.*.*.*.*x", "a*a*a*a*a*b", "(a*)(a*)(a*)(a*)b", "[ab]+a+c"])
def test_that_a_pattern_that_would_search_for_ever_is_told(pattern: str):
    text = (
        f"<pyramid><startDocumentRegEx>{pattern}</startDocumentRegEx><text><line>"
        + "a" * 3000 + "</line></text></pyramid>"
    )  # fmt: skip
    assert seconds_to_read("ducview-pyramid", text) < MOST_SECONDS


@in_turn(
    "pattern",
    [r"-{10,}\n.*\n-{10,}", r"[-]+\n[^\n]*\n[-]+\n", r"D\d+\.M\.250\.\w\.\w", r"={3,} .* ={3,}\n"],
)
def test_that_the_usual_patterns_of_headings_are_searched_for(pattern: str):
    from awase.core.formats.duc.pyramid_xml import is_costly

    assert not is_costly(pattern, "-----\nD0601.M.250.A.B\n-----\n")
