import pytest
from hypothesis import strategies as st
from tests import building
from tests.core.formats.duc.ducview_files import SCUS, annotation, peer, pyramid
from tests.core.formats.reading import read, refusals, warnings
from tests.in_part import in_part, in_turn
from tests.laws import law

from awase.core.errors import InputError
from awase.core.records.addition import merge

DOG = (
    "<DOC>\n<DOCNO> AP1-1 </DOCNO>\n<FILEID>x</FILEID>\n"
    '<HEAD><s docid="AP1-1" num="1" wdcount="2">Dogs run</s></HEAD>\n<HEAD>Cats sleep</HEAD>\n'
    "<DATELINE>TOKYO (AP)</DATELINE><DD>01/23/88</DD>\n<TEXT>\n"
    '<s docid="AP1-1" num="2" wdcount="3">The dog\nran.</s>\n'
    '<s docid="AP1-1" num="3" wdcount="3">A cat slept.</s>\n</TEXT>\n</DOC>\n'
)


def documents(text, **request):
    request = {"topic": "t", **request}
    found = read("duc-documents", text, **request).addition.documents
    return [document for _, document in found]


def sentences(text, **request):
    (document,) = documents(text, **request)
    return [(sentence.n, sentence.text) for sentence in document.sentences]


def told(text):
    return warnings("duc-documents", text, topic="t")


def test_that_all_numbered_sentences_are_kept_that_of_the_headline_too():
    (document,) = documents(DOG)
    assert (document.id, document.title, document.date) == (
        "AP1-1", "Dogs run Cats sleep", "1988-01-23",
    )  # fmt: skip
    assert sentences(DOG) == [(1, "Dogs run"), (2, "The dog ran."), (3, "A cat slept.")]
    assert told(DOG) == []


@in_turn(
    ("old", "new", "message"),
    [
        ("ran.</s>", "ran.<s>", "9: <s> was read as </s>, which was probably meant. "
        "Check that the file is not damaged there."),
        ("ran.</s>", "ran.", "The sentence of line 8 is not closed."),
        ("</TEXT>", "Copyright\n</TEXT>",
        "10: Text outside the numbered sentences is left out: “Copyright”."),
        ('docid="AP1-1" num="3"', 'docid="AP1-2" num="3"',
        "1: Sentences of document “AP1-1” name another one (AP1-2); they are kept in it."),
    ],
)  # fmt: skip
def test_that_dirt_changes_no_sentence_and_is_told(old, new, message):
    text = DOG.replace(old, new)
    assert sentences(text) == sentences(DOG)
    assert message in told(text)[0]


def test_that_sentences_name_a_document_without_a_number_where_they_all_agree():
    unnamed = DOG.replace("<DOCNO> AP1-1 </DOCNO>", "")
    assert "its sentences name “AP1-1”, which is used" in told(unnamed)[0]
    two = unnamed.replace('docid="AP1-1" num="3"', 'docid="AP1-2" num="3"')
    assert "The document has no DOCNO" in refusals("duc-documents", two, topic="t")[0]


@in_turn(
    ("source", "topic", "expected"),
    [
        ("docs/d061j/AP880911-0016.S", None, "d061j"),
        ("docs\\d061j\\AP880911-0016.S", None, "d061j"),
        ("docs/d061j/AP880911-0016.S", "t", "t"),
    ],
)
def test_that_request_or_folder_tell_the_topic(source, topic, expected):
    found = read("duc-documents", DOG, source=source, topic=topic).addition.documents
    assert [topic_id for topic_id, _ in found] == [expected]


SENTENCE = '<s docid="X" num="1" wdcount="3">The dog ran.</s>\n'
FILES = {
    "sgml": f"<DOC><DOCNO>Y</DOCNO><HEADLINE>a</HEADLINE><TEXT><P><S>犬。</S></P>{SENTENCE}</TEXT>",
    "ducview-pyramid": pyramid(*SCUS),
    "ducview-annotation": annotation(peer(3, "A dog ran"), peer(0, "And hid")),
    "duc-documents": f"<DOC><DOCNO>Y</DOCNO><HEAD>Dogs</HEAD><TEXT>{SENTENCE}</TEXT></DOC>\n",
    "duc-abstracts": '<SUM DOCSET="d1" SIZE="100" SUMMARIZER="B">Dogs. Cats.</SUM>\n',
    "duc-extracts": SENTENCE * 2,
}
DIRT = (
    "<",
    ">",
    "&",
    "&x;",
    "<!--",
    "<![CDATA[x]]>",
    "<?xml?>",
    "\0",
    "<P>",
    "</TEXT>",
    "</s>",
    "<s>",
    "\n",
    '"',
    "<SUM>",
    "</SUM>",
    "<DOC>",
    "犬",
    "\x07",
    "0",
    "-",
)
CORPUS = building.corpus(building.topic(docs={"X": ["The dog ran."]}))


@pytest.mark.parametrize("format_id", in_part(FILES, first=2))
@law(25, data=st.data())
def test_that_damage_is_read_over_or_refused(format_id, data):
    text = FILES[format_id]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = at + data.draw(st.integers(0, 9))
        text = text[:at] + data.draw(st.sampled_from(("", *DIRT))) + text[end:]
    told = []
    try:
        found = read(format_id, text, corpus=CORPUS, topic="t", annotator="b")
        merge(CORPUS, found.addition)
        told += found.warnings
    except InputError as error:
        told += error.problems
        told.append(error)
    assert all(str(problem) for problem in told)
