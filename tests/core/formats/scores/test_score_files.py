"""Human scores from tidy tables, WMT files and sacrerouge's JSONL."""

import json

import pytest
from hypothesis import strategies as st
from tests.core.formats.reading import read_into, refusals, warnings
from tests.in_part import in_turn
from tests.laws import law
from tests.written import written

from awase.core.formats.reading.requests import WriteRequest
from awase.core.formats.scores.score_files import rows_of_table, rows_of_wmt
from awase.core.formats.scores.score_rows import metric_table
from awase.core.records.corpus import Corpus
from awase.core.records.topic import HumanScore, Topic

CORPUS = Corpus(topics=(Topic(id="0310"), Topic(id="0320")))
HEAD = "topic,system,measure,value,annotator\n"
BLEU = "BLEU\tde-en\tnt20\tref\tsysA\t38.1\nBLEU\tde-en\tnt20\tref\tsysB\t35\n"


def values(corpus):
    return {score.key: score.value for score in corpus.human_scores}


@in_turn(
    "text",
    [
        "\ufeffSystem;Metric;Score;Topic\r\nlead;coverage;0.41;0310\r\n",
        "topic\tsystem\tcoverage\n0310\tlead\t0.41\n",
        '"topic","system","coverage"\n"0310"," lead ","0.41"\n',
    ],
)
def test_that_other_separators_names_and_the_wide_form_are_read(text):
    found = values(read_into("score-table", text, CORPUS))
    assert found == {("0310", "lead", "coverage", None): 0.41}


def test_that_missing_scores_are_counted_and_what_is_no_number_is_left_out_with_its_line():
    absent = "".join(f"0310,{idx},m,{said},\n" for idx, said in enumerate(("", "None", "NaN", "—")))
    text = f"{HEAD}{absent}0310,d,m,high,\n0310,e,m,1,\n"
    assert values(read_into("score-table", text, CORPUS)) == {("0310", "e", "m", None): 1}
    told = warnings("score-table", text, corpus=CORPUS)
    assert told[0].startswith("6: “high”, a score of “d”, is not a number")
    assert told[1] == "4 scores are missing in the file."


def test_that_a_score_printed_twice_is_kept_once_and_a_contradiction_is_refused():
    twice = HEAD + "0310,a,m,1,\n0310,a,m,1.0,\n"
    assert len(values(read_into("score-table", twice, CORPUS))) == 1
    assert (
        "twice, with the same value; the first is in line 2"
        in warnings("score-table", twice, corpus=CORPUS)[0]
    )
    (problem,) = refusals("score-table", HEAD + "0310,a,m,1,\n0310,a,m,2,\n", corpus=CORPUS)
    assert problem.startswith(
        "3: System “a” has a second m in topic “0310”; the first is in line 2"
    )
    assert "Do two systems share a name" in problem


@in_turn(("mark", "system"), [("", "'=x"), ("\ufeff", "=x")])
def test_that_texts_are_guarded_in_tables_for_spreadsheets_alone(mark, system):
    found = read_into("score-table", f"{mark}{HEAD}0310,'=x,m,1,\n", CORPUS)
    assert [*values(found)] == [("0310", system, "m", None)]


def test_that_a_corpus_without_topics_gets_them():
    found = read_into("score-table", HEAD + "b,s,m,1,\na,s,m,1,\n")
    assert [topic.id for topic in found.topics] == ["b", "a"]
    rows = [{"system": "s", "measure": "m", "value": 1}]  # keys that only later rows have
    found = read_into("score-table", json.dumps([*rows, {**rows[0], "topic": "c"}]))
    assert [topic.id for topic in found.topics] == ["c"]


KINDS = """topic,system,metric,value,kind,length,signature
0310,a,rouge,1,auto,short,rouge:o=1
0310,a,rouge,3,auto,long,rouge:o=1
0310,a,rouge,4,auto,short,rouge:o=2
0310,a,coverage,2,human,,
"""


def test_that_people_and_metrics_of_one_table_are_kept_apart():
    assert values(read_into("score-table", KINDS, CORPUS)) == {("0310", "a", "coverage", None): 2}
    found = warnings("score-table", KINDS, corpus=CORPUS)
    assert found == ["Scores of metrics are left out: rouge."]
    scores = metric_table(rows_of_table(KINDS, "file")).scores
    assert {(one.metric, one.system, one.topic) for one in scores} == {("rouge", "a", "0310")}
    assert [(one.value, one.length, one.signature) for one in scores] == [
        (1, "short", "rouge:o=1"), (3, "long", "rouge:o=1"), (4, "short", "rouge:o=2"),
    ]  # fmt: skip


NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda name: name.lower() not in ("-", "none")
)


@pytest.mark.slow
@law(
    30,
    st.dictionaries(
        st.tuples(
            st.sampled_from(["0310", "0320", None]), NAMES, NAMES, st.one_of(st.none(), NAMES)
        ),
        st.floats(allow_nan=False, allow_infinity=False),
        min_size=1,
    ),
)
def test_that_what_is_written_is_read_back(scores):
    corpus = Corpus(
        topics=CORPUS.topics,
        human_scores=tuple(
            HumanScore(topic=topic, system=system, measure=measure, annotator=who, value=value)
            for (topic, system, measure, who), value in scores.items()
        ),
    )
    text = written("score-table", WriteRequest(corpus=corpus))
    assert values(read_into("score-table", text, CORPUS)) == scores


@in_turn("end", ["", " "])
def test_that_direct_assessments_are_two_measures_of_whole_systems(end):
    text = f"RAW.SCR Z.SCR N SYS N.ALL{end}\n71.2 0.31 1200 sysA 1250{end}\n80 -0.1 9 Human-A.0 9\n"
    assert values(read_into("wmt-scores", text)) == {
        (None, "sysA", "da-raw", None): 71.2, (None, "sysA", "da-z", None): 0.31,
        (None, "Human-A.0", "da-raw", None): 80, (None, "Human-A.0", "da-z", None): -0.1,
    }  # fmt: skip


def test_that_metrics_scores_of_wmt_are_read_as_such():
    rows = rows_of_wmt(BLEU, "file")
    assert [(s.metric, s.system, s.topic, s.value) for s in metric_table(rows).scores] == [
        ("BLEU", "sysA", None, 38.1), ("BLEU", "sysB", None, 35)
    ]  # fmt: skip
    known = "chrF\tde-en\tnt20\tref\tsysA\t"
    for last, topic, value in (("7\t0.5", "7", 0.5), ("38\tno\tyes", None, 38)):
        (score,) = metric_table(rows_of_wmt(f"{known}{last}\n", "file")).scores
        assert (score.topic, score.value) == (topic, value)
