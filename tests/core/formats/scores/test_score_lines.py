"""Tables of other programs' scores: read, and our own CSV read back."""

from tests.building import corpus, text, topic
from tests.in_part import in_turn

from awase.core.formats.scores.score_lines import read_scores

CORPUS = corpus(*(topic(id, outputs=[text("lead", "x")]) for id in ("t", "u")))
HEAD = "topic,system,metric,value\n"


def read(table: str):
    return read_scores(table, "f.csv", CORPUS)


def test_that_scores_come_in_the_corpus_order_with_means_and_their_name_as_signature():
    table = read(HEAD + "u,lead,bert,0.5\nt,lead,bert,0.25\n")
    assert [(s.topic, s.value, s.signature, s.n_topics) for s in table.scores] == [
        ("t", 0.25, "bert", 1), ("u", 0.5, "bert", 1), (None, 0.375, "bert", 2),
    ]  # fmt: skip
    assert table.warnings == ()


@in_turn("separator", [",", "\t", ";"])
def test_that_separators_order_and_further_columns_do_not_matter(separator):
    text = "\ufeffValue,x,Metric,System,Topic,length\n1e-1,?,m,lead,t,short\n"
    (score, mean) = read(text.replace(",", separator)).scores
    assert (score.value, score.length, mean.topic) == (0.1, "short", None)


def test_that_a_quoted_cell_may_hold_the_separator():
    assert read(HEAD + 't,lead,"F1, micro",0.5\n').scores[0].metric == "F1, micro"


def test_that_a_mean_counts_only_where_there_are_no_topics_to_make_it_of():
    table = read(HEAD + ",lead,m,0.9\nt,lead,m,0.1\n,lead,other,0.7\n")
    assert [(s.metric, s.value) for s in table.scores if s.topic is None] == [
        ("m", 0.1), ("other", 0.7),
    ]  # fmt: skip


def test_that_a_mean_made_of_topics_is_provisional_with_one_of_them_and_bare_of_options():
    head = "topic,system,metric,value,provisional,signature,lowest,highest\n"
    rows = "t,lead,m:o=1,0.5,true,m:o=1,0.25,\nu,lead,m:o=1,1,,m:o=1,0.25,0.75\n"
    t, u, mean = read(head + rows).scores
    assert [(one.metric, one.provisional) for one in (t, u, mean)] == [
        ("m", True), ("m", False), ("m", True),
    ]  # fmt: skip
    assert (t.spread, u.spread, mean.value) == (None, (0.25, 0.75), 0.75)


def test_that_a_blank_value_is_undefined():
    score, mean = read(HEAD + "t,lead,m,\n").scores
    assert (score.value, score.n_topics, mean.value) == (None, 0, None)
    assert score.reason is not None


def test_that_strange_systems_and_topics_are_told():
    told = [str(warning) for warning in read(HEAD + "v,leed,m,1\n").warnings]
    assert told[0].startswith("The corpus has no system leed;")
    assert "another name of “lead”" in told[0]
    assert told[1].startswith("The corpus has no topic v;")
