import pytest
from tests.core.formats.duc.ducview_files import (
    CAT,
    DOG,
    DTD,
    LINES,
    SCUS,
    TEXT,
    B,
    contributor,
    part,
    pyramid,
    scu,
)
from tests.core.formats.reading import read, read_into, refusals, warnings
from tests.in_part import in_turn

from awase.core.errors import InputError, Silent
from awase.core.formats.importing import read_files
from awase.core.formats.reading.requests import ReadRequest
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus
from awase.core.records.source import Document
from awase.core.records.topic import Topic


def topic(text, **request):
    (found,) = read_into("ducview-pyramid", text, **request).topics
    return found


def abstract(text, **request):
    (found,) = topic(text, **request).abstracts
    return found


def supports(text, **request):
    """Returns the sentence numbers of each alternative, by SCU."""
    (alignment,) = abstract(text, **request).alignments
    return {
        entry.n: [[str(ref) for ref in one.members] for one in entry.alternatives]
        for entry in alignment.sentences
    }


def told(text, **request):
    return warnings("ducview-pyramid", text, **request)


def test_that_scus_become_ranked_sentences_supported_by_the_model_summaries():
    text = DTD + pyramid(*SCUS)
    found = topic(text)
    assert read_into("ducview-pyramid", text).rank_weights == (("2", 2.0), ("1", 1.0))
    assert found.id == "D1"
    shown = [(document.id, [s.text for s in document.sentences]) for document in found.documents]
    assert shown == [("D1.A", ["The dog ran.", "It barked at the cat."]), ("D1.B", B)]
    (pyramids,) = found.abstracts
    assert (pyramids.id, pyramids.length) == ("pyramid", "pyramid")
    made = [(s.n, s.text, s.rank) for s in pyramids.sentences]
    assert made == [(3, "a dog ran", "2"), (7, "a cat slept", "1"), (2, "it barked", "1")]
    assert supports(text) == {3: [["D1.A:1"], ["D1.B:1"]], 7: [["D1.B:1"]], 2: [["D1.A:2"]]}
    assert told(text) == []


def test_that_ranks_join_those_of_a_corpus_in_order_of_weight():
    known = Corpus(topics=(Topic(id="t"),))
    joined = read_into("ducview-pyramid", pyramid(*SCUS), known).rank_weights
    assert [rank for rank, _ in joined] == ["2", "A", "1", "B", "C"]


def test_that_a_rank_with_another_weight_is_a_conflict():
    known = Corpus(rank_weights=(("1", 1.0), ("2", 0.5)), topics=(Topic(id="t"),))
    addition = read("ducview-pyramid", pyramid(*SCUS), corpus=known).addition
    with pytest.raises(InputError, match=r"Rank “2” weighs 0\.5 in the corpus, and 2 in"):
        merge(known, addition)


def test_that_pyramids_of_different_heights_are_imported_together():
    tall = pyramid(DOG, lines=[*LINES, "-----", " D1.C", "-----", "Rain."]).replace(" D1.", " D2.")
    files = [
        ReadRequest(source=f"{n}.pyr", data=text.encode(), format_id="ducview-pyramid")
        for n, text in enumerate((pyramid(*SCUS), tall))
    ]
    found = read_files(Corpus(), files, Silent(), 2)
    assert found.corpus.rank_weights == (("3", 3.0), ("2", 2.0), ("1", 1.0))
    assert merge(Corpus(), found.addition) == found.corpus


@in_turn("moved", [-9, -1, 1, 5, 900])
def test_that_wrong_offsets_are_mended_by_the_words_and_told(moved):
    start = TEXT.index("the dog ran")
    wrong = scu(3, "x", contributor(part("the dog ran", start + moved, start + moved + 11)))
    assert supports(pyramid(wrong)) == {3: [["D1.B:1"]]}
    (message,) = told(pyramid(wrong))
    assert f"“the dog ran” is not at {start + moved}–{start + moved + 11}" in message
    assert f"but at {start}." in message


AT, AFTER = TEXT.index("slept"), TEXT.index("It barked")
BARKED = TEXT.index("barked\nat")


@in_turn(
    ("contributors", "sets", "rank", "message"),
    [
        # Words that are nowhere yield to the offsets; blanks that are lost are no mistake.
        ([[part("snored", AT, AT + 5)]], [["D1.B:1"]], "1", "The text has no “snored”; at"),
        ([[part("barked\nat", BARKED, BARKED + 10, shown="barkedat")]], [["D1.A:2"]], "1", None),
        ([[part("ran. It")]], [["D1.A:1", "D1.A:2"]], "1", None),
        # A blank behind a sentence belongs to no other.
        ([[part("ran. ", AFTER - 5, AFTER)]], [["D1.A:1"]], "1", None),
        ([[part("ran. ", AFTER - 5, AFTER), part(" It", AFTER - 1)]], [["D1.A:1", "D1.A:2"]], "1",
         None),
        ([[part("The dog"), part("slept")]], [["D1.A:1"], ["D1.B:1"]], "2",
         "A contributor of SCU 1 lies in several summaries (D1.A, D1.B)"),
        ([[part("The dog")], [part("barked")]], [["D1.A:1"], ["D1.A:2"]], "1",
         "SCU 1: contributors 2, summaries 1; its weight is 1."),
        ([[part("D1.B"), part("slept")]], [["D1.B:1"]], "1", "outside of the summaries"),
    ],
)  # fmt: skip
def test_that_a_contributor_supports_from_each_summary_and_what_is_odd_is_told(
    contributors, sets, rank, message
):
    text = pyramid(scu(1, "x", *(contributor(*parts) for parts in contributors)))
    assert supports(text) == {1: sets}
    assert abstract(text).sentences[0].rank == rank
    assert [message in one for one in told(text)][:1] == ([True] if message else [])


@in_turn(("start", "end"), [("x", "y"), (9999, 10005), (5, 2), ("", "")])
def test_that_a_part_without_a_place_is_left_out_and_told(start, end):
    wrong = scu(1, "x", contributor(part("snored", start, end)))
    assert supports(pyramid(DOG, wrong)).keys() == {3}
    messages = told(pyramid(DOG, wrong))
    assert "This part is left out." in messages[0]
    assert messages[1].endswith("SCU 1 lies in no summary and is left out.")


def test_that_ids_that_are_no_numbers_are_replaced_and_told():
    odd = pyramid(DOG, scu("b", "x", contributor(part("slept"))))
    assert [sentence.n for sentence in abstract(odd).sentences] == [1, 2]
    assert "(“b”)" in told(odd)[0]
    twice = pyramid(DOG, CAT, CAT)
    assert [sentence.n for sentence in abstract(twice).sentences] == [1, 2, 3]
    assert "(“7”)" in told(twice)[0]


@in_turn(
    ("heading", "reason"),
    [
        (None, None),
        ("D[", "is not a regular expression"),
        ("nowhere", "does not occur in the text"),
        ("[[]nowhere", "does not occur in the text"),
        ("x{99999999999999999999}", "is not a regular expression"),
        ("(-*)*x", "is too complex"),
        (r"(-)\1*", "is too complex"),
        ("x*", "does not occur in the text"),
    ],
)
def test_that_without_a_usable_heading_the_usual_one_is_taken_and_told(heading, reason):
    text = pyramid(DOG, heading=heading)
    assert supports(text) == {3: [["D1.A:1"], ["D1.B:1"]]}
    *first, last = told(text)
    assert [reason in message for message in first] == ([True] if reason else [])
    assert "lines between rules of hyphens were taken as their headings (2)" in last


def test_that_a_text_without_headings_is_one_summary():
    text = pyramid(scu(1, "x", contributor(part("Rain", 0))), heading=None, lines=["Rain fell."])
    found = topic(text, topic="t")
    assert [document.id for document in found.documents] == ["summary 1"]
    assert "its text is one summary and each SCU has weight 1" in told(text, topic="t")[0]


@in_turn(
    ("request_", "heading", "topic_id"),
    [
        ({"topic": "t"}, " D1.", "t"),
        ({"source": "D633-CDEH.pyr"}, " D1.", "D1"),
        ({"source": "set/D633-CDEH.pyr"}, " X.", "D633-CDEH"),
        ({"source": "file"}, " D0736-B.M.100.H.", "D0736-B"),
    ],
)
def test_that_request_headings_or_name_tell_the_topic(request_, heading, topic_id):
    text = pyramid(
        scu(1, "Ümlaut", contributor(part("slept"))),
        heading=r"-+\n .*\n-+\n",
        lines=[line.replace(" D1.", heading) for line in LINES],
    )
    assert topic(text, **request_).id == topic_id


def test_that_abstract_and_annotator_are_called_as_the_user_says():
    found = abstract(pyramid(DOG), abstract="p2", annotator="kn")
    assert (found.id, found.alignments[0].annotator) == ("p2", "kn")


def test_that_summaries_that_join_source_documents_are_told():
    known = Corpus(topics=(Topic(id="D1", documents=(Document(id="d"),)),))
    assert "Topic “D1” has documents already" in told(pyramid(*SCUS), corpus=known)[0]


@in_turn(
    ("format_id", "text", "message"),
    [
        ("ducview-pyramid", "<pyramid>", "1: The file is not well-formed XML: no element found."),
        ("ducview-pyramid", "犬", "1: The file is not well-formed XML: syntax error."),
        ("ducview-annotation", "<a", "not well-formed XML"),
    ],
)
def test_that_what_is_no_xml_is_refused(format_id, text, message):
    assert message in refusals(format_id, text)[0]
