"""Scores of whole corpora: against the slow oracle, their order, means, marks and signatures."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st
from tests.building import abstract, extract, text, topic
from tests.core.metrics.small_tables import TABLE_1, abstract_of, corpora, topic_of
from tests.in_part import in_turn
from tests.laws import law
from tests.oracles import tsc3 as oracle

from awase.core.errors import InputError, Silent
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.packages import version_of_code
from awase.core.records.abstract import Abstract, AssistOrigin, GoldEntry, GoldSource
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable, without_facts
from awase.core.records.topic import Topic


def scored(corpus: Corpus | Topic, *metrics: str) -> ScoreTable:
    if isinstance(corpus, Topic):
        corpus = Corpus(topics=(corpus,))
    return score_corpus(corpus, requests_of(metrics or ("tsc3",)), Silent())


def in_topics(table: ScoreTable) -> list[Score]:
    return [score for score in table.scores if score.topic is not None]


def means(table: ScoreTable) -> list[Score]:
    return [score for score in table.scores if score.topic is None]


def coverage_of(table: ScoreTable, system: str) -> object:
    (score,) = [s for s in in_topics(table) if (s.system, s.metric) == (system, "coverage")]
    return score.value


# --- against the oracle --------------------------------------------------------------------------


@law(
    80,
    corpora(),
    st.sampled_from(["precision", "coverage", "weighted-coverage"]),
    st.sampled_from(["h", "all", "1", "3", "20"]),
    st.sampled_from(["no", "yes"]),
    st.sampled_from([None, "1/1/0", "0/0/1", "2/0.5/0.3333"]),
    st.sampled_from([None, "x", "y"]),
)
def test_that_scores_and_means_are_those_of_the_papers_equations(
    corpus, metric, first, strict, weights, annotator
):
    given_options = {"first": first}
    if metric != "precision":
        given_options["strict"] = strict
    if metric == "weighted-coverage" and weights:
        given_options["weights"] = weights
    if annotator:
        given_options["annotator"] = annotator
    spelled = ",".join(f"{option}={value}" for option, value in given_options.items())
    fractions = {None: "1 1/2 1/3", "1/1/0": "1 1 0", "0/0/1": "0 0 1", "2/0.5/0.3333": "2 1/2 1/3"}
    way = oracle.Way(
        metric=metric,
        first=first,
        strict=strict == "yes",
        weights=dict(zip("ABC", map(Fraction, fractions[weights].split()), strict=True)),
        annotator=annotator,
    )
    table = scored(corpus, f"{metric}:{spelled}")
    found = {(s.topic, s.length, s.system): s.value for s in in_topics(table)}
    assert found == oracle.scores(corpus, way)
    assert {(s.length, s.system): s.value for s in means(table)} == oracle.means(corpus, way)
    assert all((s.value is None) == (s.reason is not None) for s in table.scores)


@law(40, corpora())
def test_that_asking_for_several_metrics_at_once_changes_no_score(corpus):
    asked = [
        "precision",
        "coverage:strict=yes",
        "weighted-coverage:first=all",
        "coverage:annotator=y",
    ]
    together = scored(corpus, *asked)
    apart = [score for metric in asked for score in scored(corpus, metric).scores]
    assert sorted(map(str, together.scores)) == sorted(map(str, apart))


# --- order, means --------------------------------------------------------------------------------


def two_topics() -> Corpus:
    one = topic_of(
        abstract_of("A: 1", "B: 2", id="s", length="short"),
        abstract_of("A: 1 2", id="l", length="long"),
        outputs=[extract("lead", 1), extract("tfidf", 1, 2, length="short")],
        id="0310",
    )
    two = topic_of(
        abstract_of("A: 3", "B: 4", id="s", length="short"),
        outputs=[extract("lead", 3, 4)],
        id="0320",
    )
    return Corpus(topics=(one, two))


def test_that_a_mean_is_over_the_topics_of_its_length_and_says_how_many():
    lead_short, tfidf_short, lead_long = means(scored(two_topics(), "coverage"))
    assert (lead_short.value, lead_short.n_topics) == (Fraction(3, 4), 2)
    assert (tfidf_short.value, tfidf_short.n_topics) == (Fraction(1), 1)
    assert (lead_long.value, lead_long.n_topics) == (Fraction(1, 2), 1)


def test_that_a_mean_over_no_defined_topic_is_undefined_with_the_reason():
    table = scored(topic_of(abstract_of(": 1"), outputs=[extract("lead", 1)]), "weighted-coverage")
    (mean,) = means(table)
    assert (mean.value, mean.n_topics) == (None, 0)
    assert mean.reason == in_topics(table)[0].reason
    assert not [w for w in table.warnings if "mean" in w.what]


# --- which extract, whose alignment --------------------------------------------------------------


def aligned_twice() -> Abstract:
    return abstract("a", {"Mori": ["A: 1"], "Sato, K. 50%=": ["A: 2"]})


def test_that_the_annotator_is_the_first_or_the_one_named_whatever_the_name():
    topic = topic_of(aligned_twice(), outputs=[extract("lead", 1)])
    assert coverage_of(scored(topic, "coverage"), "lead") == 1
    assert coverage_of(scored(topic, "coverage:annotator=Mori"), "lead") == 1
    table = scored(topic, "coverage:annotator=Sato%2C K. 50%25=")
    assert coverage_of(table, "lead") == 0
    signature = table.scores[0].signature
    assert "annotator=Sato%2C K. 50%25=," in signature
    assert scored(topic, signature) == table


def test_that_an_annotator_who_aligned_nothing_is_refused():
    topic = topic_of(aligned_twice(), outputs=[extract("lead", 1)])
    with pytest.raises(InputError) as refusal:
        scored(topic, "coverage:annotator=Ono")
    assert str(refusal.value) == (
        "Nobody called “Ono” aligned anything in this corpus. "
        "Use annotator=first or one of Mori, Sato, K. 50%=."
    )
    with pytest.raises(InputError, match=r"Align its abstracts first\."):
        scored(Corpus(), "coverage:annotator=Ono")


def test_that_an_abstract_the_annotator_did_not_align_is_undefined_and_provisional():
    one = topic_of(aligned_twice(), outputs=[extract("lead", 2)], id="t1")
    two = topic_of(abstract_of("A: 2", annotator="Mori"), outputs=[extract("lead", 2)], id="t2")
    (mean,) = means(scored(Corpus(topics=(one, two)), "coverage:annotator=Sato%2C K. 50%25="))
    assert (mean.value, mean.n_topics, mean.provisional) == (Fraction(1), 1, True)


# --- marks ---------------------------------------------------------------------------------------


def test_that_scores_on_unfinished_annotation_are_provisional():
    finished = topic_of(abstract_of("A: 1"), outputs=[extract("lead", 1)], id="t1")
    unfinished = topic_of(abstract_of("A: 1", "B: !2"), outputs=[extract("lead", 1)], id="t2")
    table = scored(Corpus(topics=(finished, unfinished)), "coverage")
    assert [s.provisional for s in table.scores] == [False, True, True]
    assert not any(s.provisional for s in scored(finished).scores)


def test_that_the_signature_counts_the_sentences_without_source():
    one = topic_of(abstract_of("A: 1", "B: -", "B: -"), outputs=[extract("lead", 1)], id="t1")
    two = topic_of(abstract_of("A: 1", "B: -"), outputs=[extract("lead", 1)], id="t2")
    table = scored(Corpus(topics=(one, two)), "coverage")
    counts = [score.signature.split("no_source=")[1].split(",")[0] for score in table.scores]
    assert counts == ["2", "1", "3"]


def test_that_the_signature_of_many_topics_is_spelled_once():
    topics = (
        topic_of(abstract_of("A: 1"), outputs=[extract("lead", 1)], id=f"t{n}") for n in range(30)
    )
    table = scored(Corpus(topics=tuple(topics)), "coverage")
    by_topic = [one for one in table.scores if one.topic is not None]
    assert len(by_topic) == 30
    assert len({id(one.signature) for one in by_topic}) == 1


def test_that_requests_written_differently_are_scored_once():
    topic = topic_of(abstract_of(*TABLE_1), outputs=[extract("lead", 1)])
    written = ["coverage", "coverage:first=h", "coverage:strict=no,first=h"]
    written += [f"coverage:version={version_of_code()}"]
    assert len(in_topics(scored(topic, *written))) == 1
    assert len(in_topics(scored(topic, "precision:first=3", "precision:first=03"))) == 1


def test_that_h_is_not_computed_when_no_request_needs_it(monkeypatch):
    def refuse(*_):
        raise AssertionError("h was computed")

    monkeypatch.setattr("awase.core.metrics.extracts.family.known_size_of_cover", refuse)
    topic = topic_of(abstract_of(*TABLE_1), outputs=[extract("lead", 1)])
    assert coverage_of(scored(topic, "coverage:first=all"), "lead") == Fraction(4, 9)
    with pytest.raises(AssertionError, match="h was computed"):
        scored(topic, "coverage:first=all", "coverage")


def test_that_the_mean_size_of_covers_stands_beside_scores_that_rest_on_it():
    abstracts = [
        abstract("a", {"x": "s1|s2&s3;s2", "y": "s1;s1"}, length="short"),
        abstract("b", {"x": "s1;s2&s3", "y": "s4"}, length="short"),
        abstract("c", {"x": "", "y": ""}, length="short"),  # counts in no mean
    ]
    whole = topic("t", docs=4, abstracts=abstracts, outputs=[extract("lead", 1, 2)])
    sizes = {
        metric: [
            (one.topic, one.length, one.annotator, one.h)
            for one in scored(whole, metric).cover_sizes
        ]
        for metric in ("precision", "precision:annotator=all", "coverage:first=2")
    }
    x, y = Fraction(2 + 3, 2), Fraction(1)
    assert sizes == {
        "precision": [("t", "short", "first", x)],
        "precision:annotator=all": [("t", "short", "x", x), ("t", "short", "y", y)],
        "coverage:first=2": [],
    }


# --- warnings ------------------------------------------------------------------------------------


def warnings(corpus: Corpus | Topic, *metrics: str) -> list[str]:
    """What the family itself says; that systems are alike is said of every family's scores."""
    told = [str(warning) for warning in scored(corpus, *metrics).warnings]
    return [text for text in told if "are the same in every topic" not in text]


def repeated_topics(n_topics: int, *systems: str, numbers: tuple[int, ...] = (1,)) -> Corpus:
    return Corpus(
        topics=tuple(
            topic_of(
                abstract_of(*TABLE_1), outputs=[extract(s, *numbers) for s in systems], id=f"t{idx}"
            )
            for idx in range(n_topics)
        )
    )


COVER = (1, 3, 5, 6, 21, 23)


def test_that_only_five_names_are_listed_and_then_their_number():
    (text,) = warnings(repeated_topics(7, *"abcdef"), "coverage")
    assert "Extracts of a, b, c, d, e, … (6) are shorter" in text
    assert "(topics t0, t1, t2, t3, t4, … (7))" in text


REPEATS = "Extracts of lead repeat sentences; each counts once, at its first place (topics t0)."


@in_turn(("numbers", "metric", "told"), [
    (COVER, "tsc3", []), ((1, 2), "coverage:first=all", []), ((*COVER, 1), "coverage", [REPEATS]),
])  # fmt: skip
def test_that_repeated_ids_are_told_and_of_a_finished_corpus_and_fitting_extracts_nothing(
    numbers, metric, told
):
    assert warnings(repeated_topics(1, "lead", numbers=numbers), metric) == told


def test_that_an_extract_for_an_abstract_that_cannot_be_scored_is_not_called_short():
    topic = topic_of(abstract_of("A:"), outputs=[extract("lead", 1)])
    assert not [text for text in warnings(topic, "coverage:first=5") if "shorter" in text]


def test_that_extracts_that_answer_no_abstract_are_told():
    outputs = [
        extract("lead", 1, length="short"),
        extract("lead", 1, length="long"),
        extract("lead", 1),
        extract("mmr", 1, length="middle"),
        extract("tfidf", 1, length="middle"),
        extract("answers both", 1),
    ]
    topic = topic_of(
        abstract_of("A: 1", id="s", length="short"),
        abstract_of("A: 1", id="l", length="long"),
        outputs=[*outputs, text("lead", "x", length="middle")],
    )
    assert warnings(topic, "coverage") == [
        "Extracts of lead without length class are not scored, as there is no abstract that the "
        "system has no other extract for (topics t). Add the abstract or remove the extracts.",
        "Extracts of mmr, tfidf are not scored, as no abstract has their length class “middle” "
        "(topics t). Add the abstract or correct the length.",
    ]


def test_that_an_annotator_called_first_is_the_first_only_in_place():
    # `first` is a word of the option: an annotator of that name is used where he stands first.
    both = abstract("a", {"second": ["A: 1"], "first": ["A: 2"]})
    topic = topic_of(both, outputs=[extract("lead", 1)])
    assert coverage_of(scored(topic, "coverage:annotator=first"), "lead") == 1


# --- what began as a suggestion ------------------------------------------------------------------

ASSISTED = {1: AssistOrigin.TAKEN, 2: AssistOrigin.CHANGED, 3: AssistOrigin.REFUSED}


def assisted_topic(origins: dict[int, AssistOrigin]) -> Topic:
    """Returns two annotators' work; the entries of `x` have these origins."""
    made = topic(
        "t", docs=6, outputs=[extract("s", "s1 s3")],
        links={"x": ["s1|s2", "s3", "s4", "s5&s6"], "y": ["s1", "s3", "s4", "s6"]},
    )  # fmt: skip
    (own,) = made.abstracts
    x, y = own.alignments
    told = tuple(replace(one, assist=origins.get(one.n)) for one in x.sentences)
    return replace(made, abstracts=(replace(own, alignments=(replace(x, sentences=told), y)),))


@in_turn(
    ("annotator", "share"),
    [("x", "60%"), ("y", None), ("first", "60%"), ("all", "33%"), ("gold", "40%")],
)
def test_that_signatures_tell_the_share_of_links_that_began_as_suggestions(annotator, share):
    """Of x's five alternatives three; of gold's five (all of x's) those that x is a source of."""
    made = assisted_topic(ASSISTED)
    (own,) = made.abstracts
    x = own.alignments[0]
    named = {1: "x", 2: "x", 3: "x", 4: "y"}
    gold = tuple(
        GoldEntry(
            entry=one,
            sources=(GoldSource(annotator=named[one.n], digest="0", alternatives=(1,)),),
        )
        for one in x.sentences
    )  # fmt: skip
    made = replace(made, abstracts=(replace(own, gold=gold),))
    for score in scored(made, f"coverage:annotator={annotator}").scores:
        told = dict(
            part.split("=") for part in score.signature.split(":")[1].split(",") if "=" in part
        )
        assert told.get("assist") == share, score.signature


def test_that_a_signature_with_a_share_is_a_request_and_topics_may_differ_in_it():
    with_help, without = assisted_topic(ASSISTED), replace(assisted_topic({}), id="u")
    table = scored(Corpus(topics=(with_help, without)), "coverage:annotator=x")
    (mean,) = means(table)
    assert ",assist=30%," in mean.signature
    assert {without_facts(one.signature) for one in table.scores} == {without_facts(mean.signature)}
    again = score_corpus(
        Corpus(topics=(with_help, without)), requests_of([mean.signature]), Silent()
    )
    assert {one.signature for one in means(again)} == {mean.signature}
