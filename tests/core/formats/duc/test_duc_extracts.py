from tests import building
from tests.core.formats.reading import read, read_into, warnings
from tests.in_part import in_turn

from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def document(id_, *texts):
    return building.document(id_, texts)


DOCUMENTS = (
    document("AP880729-0155", "The dog ran.", "It barked.", "It slept."),
    document("AP880428-0041", "A cat sat.", "It barked.", "A cat slept.", "It slept."),
)
CORPUS = Corpus(topics=(Topic(id="d061j", documents=DOCUMENTS),))
FOLDER = "extracts_abstracts/d061jb/200e"


def s(docid, num, text, close="</s>"):
    return f'<s docid="{docid}" num="{num}" wdcount="3"> {text}{close}\n'


FIRST = s("AP880729-0155", 1, "The dog ran.")
SECOND = s("AP880428-0041", 3, "A cat\nslept.")
TAG = '<SUM DOCSET="d061" TYPE="MULTI-E" SIZE="400" DOCREF="x" SELECTOR="J" SUMMARIZER="B">\n'


def outputs(text, **request):
    request = {"source": FOLDER, **request}
    return read_into("duc-extracts", text, **{"corpus": CORPUS, **request}).topics[0].outputs


def refs(text, **request):
    (output,) = outputs(text, **request)
    return [str(ref) for ref in output.sentences]


def told(text):
    return warnings("duc-extracts", text, corpus=CORPUS, topic="d061j", annotator="b")


def test_that_the_sentences_are_kept_in_their_order():
    text = f"<html><head>\n<title>200e</title></head><body>\n{SECOND}{FIRST}</body></html>"
    assert refs(text) == ["AP880428-0041:3", "AP880729-0155:1"]
    assert told(text) == []


@in_turn(
    ("text", "request_", "system", "length"),
    [
        (FIRST, {}, "human-B", "200"),
        (f"{TAG}{FIRST}</SUM>", {"source": "d999xy/200e"}, "human-B", "400"),
        (FIRST, {"annotator": "kn"}, "human-KN", "200"),
    ],
)
def test_that_name_tag_or_folder_tell_who_made_it_and_how_long(text, request_, system, length):
    (output,) = outputs(text, **request_)
    assert (output.system, output.length) == (system, length)


def test_that_several_extracts_of_a_file_are_several_outputs():
    other = TAG.replace('"B"', '"27"')
    found = outputs(f"{TAG}{FIRST}</SUM>\n{other}{SECOND}</SUM>")
    assert [(output.system, len(output.sentences)) for output in found] == [
        ("human-B", 1), ("27", 1),
    ]  # fmt: skip


DOG_REF, CAT_REF = "AP880729-0155:1", "AP880428-0041:3"


@in_turn(
    ("text", "expected", "message"),
    [
        (FIRST.replace("</s>", "<s>") + SECOND, [DOG_REF, CAT_REF],
        "1: <s> was read as </s>, which was probably meant."),
        (FIRST.replace("</s>", "") + SECOND, [DOG_REF, CAT_REF],
        "2: The sentence of line 1 is not closed."),
        (s("AP880729-\r\n0155", 1, "The dog ran."), [DOG_REF], None),
        (FIRST + s("AP890428-0041", 3, "A cat slept."), [DOG_REF, CAT_REF],
        "2: “AP890428-0041:3” is not “A cat slept.”; the sentence with these words, "
        "AP880428-0041:3, was used. Compare with the documents."),
        (s("AP880729-0155", 3, "The dog ran."), [DOG_REF],
        "the sentence with these words, AP880729-0155:1, was used"),
        *(
            (FIRST + s("AP1", n, "It barked."), [DOG_REF],  # words of two sentences: no guess
            f"has no sentence “AP1:{n}” (“It barked.”); it is left out.")
            for n in (2, 9)
        ),
        (s("AP880729-0155", 2, "It barked loudly."), ["AP880729-0155:2"],
        "differ from “It barked loudly.”"),
        (s("AP880729-0155", 2, ""), ["AP880729-0155:2"], None),
        *(
            (FIRST + s("AP880729-0155", n, "Nobody wrote this."), [DOG_REF],
            f"no sentence “AP880729-0155:{n}”")
            for n in ("x", "0", "", "9" * 12)
        ),
    ],
)  # fmt: skip
def test_that_dirt_is_mended_by_words_and_numbers_and_told(text, expected, message):
    assert refs(text) == expected
    assert len(told(text)) == (message is not None)
    assert message is None or message in told(text)[0]


def test_that_of_two_sentences_with_the_words_that_of_the_number_is_taken():
    assert refs(s("AP1", 4, "It slept.")) == ["AP880428-0041:4"]
    assert refs(s("AP1", 3, "It slept.")) == ["AP880729-0155:3"]


def test_that_the_set_is_found_with_or_without_the_selector():
    short = Corpus(topics=(Topic(id="D061", documents=DOCUMENTS),))
    assert refs(FIRST, corpus=short) == ["AP880729-0155:1"]
    assert refs(f"{TAG}{FIRST}</SUM>", corpus=short, source="x") == ["AP880729-0155:1"]


def see(docset="d30001", summarizer="11", coverage="0.21", quality="4 3 2 1 2 3 4"):
    counts = "0.1 9 4 5 8"
    return f"{docset} M x x x x x {summarizer}  {quality} {counts}  {coverage} 0.20 0.05\n"


def scores(text, **request):
    found = read("duc-scores", text, **request).addition.human_scores
    return {(score.topic, score.system, score.measure): score.value for score in found}


def test_that_topics_are_found_whatever_the_case_and_told_where_they_are_not_there():
    corpus, text = Corpus(topics=(Topic(id="D30001"),)), see() + see(docset="d30002")
    assert {topic for topic, _, _ in scores(text, corpus=corpus)} == {"D30001"}
    (message,) = warnings("duc-scores", text, corpus=corpus)
    assert "The corpus has no topic d30002" in message
