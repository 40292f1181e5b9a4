from tests.core.formats.reading import read, refusals, warnings
from tests.in_part import in_turn

from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic


def see(docset="d30001", summarizer="11", coverage="0.21", quality="4 3 2 1 2 3 4"):
    counts = "0.1 9 4 5 8"
    return f"{docset} M x x x x x {summarizer}  {quality} {counts}  {coverage} 0.20 0.05\n"


def scores(text, **request):
    found = read("duc-scores", text, **request).addition.human_scores
    return {(score.topic, score.system, score.measure): score.value for score in found}


def test_that_the_columns_of_coverage_and_quality_are_taken():
    assert scores("A table\n of 23 columns\n\n" + see()) == {
        ("d30001", "11", "coverage"): 0.21,
        **{
            ("d30001", "11", f"quality-{number}"): value
            for number, value in enumerate((4, 3, 2, 1, 2, 3, 4), start=1)
        },
    }


def test_that_responsiveness_is_taken():
    text = "Peer is the fourth column\nd30001 x x 11 3\nd30001 x x B 4\n"
    assert scores(text) == {
        ("d30001", "11", "responsiveness"): 3,
        ("d30001", "human-B", "responsiveness"): 4,
    }


def test_that_topics_are_found_whatever_the_case():
    corpus = Corpus(topics=(Topic(id="D30001"),))
    assert {topic for topic, _, _ in scores(see(), corpus=corpus)} == {"D30001"}


def test_that_the_annotator_who_is_named_is_kept():
    found = read("duc-scores", see(), annotator="n").addition.human_scores
    assert {score.annotator for score in found} == {"n"}


@in_turn(
    "line",
    ["", see() + "x", see()[:-5], see(docset="the"), see(summarizer="-"), see(docset="d1 x")],
)
def test_that_other_lines_are_no_rows(line):
    line = line.replace("\nx", " x\n")
    assert "The file has no score that can be used." in refusals("duc-scores", line)[0]


def test_that_topics_that_are_not_there_are_told():
    corpus = Corpus(topics=(Topic(id="d30001"),))
    (message,) = warnings("duc-scores", see() + see(docset="d30002"), corpus=corpus)
    assert "The corpus has no topics d30002" in message


def test_that_contradictions_are_refused():
    messages = refusals("duc-scores", see() + see(coverage="0.3"))
    assert any("a second coverage" in message for message in messages)
