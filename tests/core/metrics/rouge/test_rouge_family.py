"""ROUGE through `score_corpus`: values, options, refusals, what is undefined, means, warnings."""

import math
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import strategies as st
from tests import building
from tests.building import extract, text
from tests.in_part import in_part, in_turn
from tests.laws import law
from tests.written import rouge_settings

from awase.cli.scoring.rouge155 import command as rouge155
from awase.core.errors import InputError, Silent
from awase.core.metrics.registry import METRICS, requests_of, score_corpus
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic

ROUGE = [name for name, metric in METRICS.items() if metric.page == "rouge"]
REFERENCE = ("police killed the gunman",)


def abstract(*texts, id="a", length=None):
    return building.abstract(id, texts=texts, length=length)


def topic(*outputs, abstracts=(), id="t", source=("one", "two")):
    return building.topic(id, docs=source, abstracts=abstracts, outputs=outputs)


def scored(topics, *metrics):
    topics = (topics,) if isinstance(topics, Topic) else tuple(topics)
    return score_corpus(Corpus(topics=topics), requests_of(metrics), Silent())


def values(topics, metric, system="x", topic_id="t"):
    table = scored(topics, metric)
    return [s.value for s in table.scores if (s.system, s.topic) == (system, topic_id)]


def refusal(topics, *metrics):
    with pytest.raises(InputError) as error:
        scored(topics, *metrics)
    return str(error.value)


def warnings(topics, *metrics):
    return [str(problem) for problem in scored(topics, *metrics).warnings]


def against(reference, *sentences, **options):
    return topic(text("x", *sentences, **options), abstracts=[abstract(*reference)])


# --- values --------------------------------------------------------------------------------------


def test_that_a_plain_mean_is_that_of_the_rounded_scores():
    topics = [
        topic(text("x", "a"), abstracts=[abstract(words)], id=id)
        for id, words in (("1", "a b c"), ("2", "a b c d e f g"), ("3", "a"))
    ]
    (recall, *_) = values(topics, "rouge-1", topic_id=None)
    assert recall == math.fsum((0.33333, 0.14286, 1.0)) / 3
    assert {s.n_topics for s in scored(topics, "rouge-1").scores if s.topic is None} == {3}


def test_that_extracts_are_scored_by_the_text_of_their_sentences():
    of_topic = topic(extract("x", 2, 1, 2), abstracts=[abstract("two one")])
    assert values(of_topic, "rouge-2") == [1.0] * 3
    assert any("repeat sentences" in warning for warning in warnings(of_topic, "rouge-2"))


def test_that_several_references_count_together_or_the_best_alone():
    several = topic(
        text("x", "a b"), abstracts=[abstract("a c d e"), abstract("a b", id="b"),]
    )  # fmt: skip
    assert values(several, "rouge-1")[0] == 0.5
    assert values(several, "rouge-1:refs=b")[0] == 1.0


@pytest.mark.slow
@in_turn("formula", ["a", "b"])
@in_turn("metric", ["rouge-1", "rouge-2", "rouge-l"])
def test_that_jackknifing_is_the_mean_over_corpora_without_one_reference_each(metric, formula):
    references = [abstract("a c d e", id="a"), abstract("a b", id="b"), abstract("b a c d", id="c")]
    output = text("x", "a b d")
    without_one = [
        values(
            topic(output, abstracts=[one for one in references if one is not left_out]),
            f"{metric}:refs={formula},alpha=0.3",
        )
        for left_out in references
    ]
    expected = [math.fsum(of_component) / 3 for of_component in zip(*without_one, strict=True)]
    jackknifed = f"{metric}:refs={formula}-jackknife,alpha=0.3"
    assert values(topic(output, abstracts=references), jackknifed) == pytest.approx(expected)
    single = topic(output, abstracts=references[:1])
    assert values(single, jackknifed) == values(single, f"{metric}:refs={formula},alpha=0.3")


def test_that_each_option_does_what_it_says():
    stemmed = against(("the dogs running",), "a dog runs")
    assert values(stemmed, "rouge-1")[0] == 0
    assert values(stemmed, "rouge-1:stem=yes")[0] == 0.66667
    assert values(stemmed, "rouge-1:stem=yes,stop=yes")[0] == 1.0
    long = against(("a b c d",), "a b c d")
    assert values(long, "rouge-1:limit=2w") == [1.0] * 3
    assert values(against(("a b",), "a b c d"), "rouge-1:limit=3b")[1] == 1.0
    assert values(against(("a b c d",), "a"), "rouge-1:alpha=1")[2] == 1.0
    assert values(against(("a b c d",), "a"), "rouge-1:alpha=0")[2] == 0.25
    assert values(against(("a b c",), "a c"), "rouge-s:gap=0")[0] == 0
    assert values(against(("a b c",), "a c"), "rouge-s:gap=1")[0] == 0.33333
    assert values(against(("a b",), "a b"), "rouge-w:w=1") == [1.0] * 3
    assert values(against(("Café",), "cafe\u0301"), "rouge-1:tokens=unicode") == [1.0] * 3
    assert values(against(("犬が走る",), "犬は走る"), "rouge-1:tokens=chars")[0] == 0.75
    assert values(against(("犬が走る",), "犬は走る"), "rouge-1:tokens=ja")[0] == 0.66667
    assert values(against(("犬が走る",), "犬は走る"), "rouge-1:tokens=ja,stop=yes")[0] == 1.0


def test_that_the_sentence_level_takes_a_summary_for_one_sentence():
    # rouge-score 0.1.2 of the same texts: rougeL 3/6, rougeLsum 6/6.
    two = against(("a b c", "d e f"), "d e f", "a b c")
    assert values(two, "rouge-l") == [1.0] * 3
    assert values(two, "rouge-l:level=sentence") == [0.5] * 3
    assert values(two, "rouge-l:level=sentence,limit=5b")[0] == 0


# --- truth ---------------------------------------------------------------------------------------

WORDS = "the cat sat on a mat and dogs ran running well-known U.S. 3.5% studies studied"
sentences = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=9).map(" ".join)
summaries = st.lists(sentences, min_size=1, max_size=3).map(tuple)
OPTIONS = [
    ("", ""),
    ("stem=yes,stop=yes", "-m -s"),
    ("limit=5w,refs=b", "-l 5 -f B"),
    ("limit=20b,alpha=0.8", "-b 20 -p 0.8"),
]


@law(
    3,
    st.lists(
        st.tuples(st.lists(summaries, min_size=1, max_size=3), summaries, summaries),
        min_size=3,
        max_size=12,
    ),
)
@pytest.mark.parametrize(("ours", "theirs"), in_part(OPTIONS))
def test_that_perl_averages_are_what_rouge155_prints(tmp_path_factory, ours, theirs, data):
    folder = tmp_path_factory.mktemp("perl")
    topics, evaluations = [], {}
    in_reverse = zip(range(len(data), 0, -1), data, strict=True)  # it draws in the order of ids
    for number, (drawn, *peers) in in_reverse:
        models = [("zebra", *model) for model in drawn]  # without a token the program dies
        abstracts = [abstract(*model, id=f"m{i}") for i, model in enumerate(models)]
        outputs = [text(system, *peer) for system, peer in zip("xy", peers, strict=True)]
        topics.append(topic(*outputs, abstracts=abstracts, id=f"{number}"))
        of_peers = {name: f"{number}.P{name}" for name in "xy"}
        of_models = {i: f"{number}.M{i}" for i in range(len(models))}
        evaluations[number] = of_peers, of_models
        for name, lines in zip(
            [*of_peers.values(), *of_models.values()], [*peers, *models], strict=True
        ):
            (folder / name).write_text("\n".join(lines) + "\n")
    (folder / "settings.xml").write_text(rouge_settings(evaluations, folder, folder))
    typed = ["-n", "2", "-w", "1.2", "-2", "4", "-U", *theirs.split(), "-a"]
    printed = CliRunner().invoke(rouge155, [*typed, str(folder / "settings.xml")]).stdout
    expected = re.findall(r"^(\w) ROUGE-(\S+) Average_(\w): (\S+)", printed, re.MULTILINE)
    labels = {"1": "rouge-1", "2": "rouge-2", "L": "rouge-l", "W-1.2": "rouge-w",
              "S4": "rouge-s:gap=4", "SU4": "rouge-su:gap=4"}  # fmt: skip
    given_ = [f"{m}{',' if ':' in m else ':'}average=perl,{ours}" for m in labels.values()]
    table = scored(topics, *given_)
    means = {(s.system, s.metric): s.value for s in table.scores if s.topic is None}
    assert len(expected) == 2 * len(labels) * 3
    for system, label, component, value in expected:
        name = labels[label].partition(":")[0]
        assert f"{means[system, f'{name}.{component.lower()}']:.5f}" == value


# --- laws ----------------------------------------------------------------------------------------


@law(60, summaries, summaries, st.sampled_from(sorted(ROUGE)), st.sampled_from(OPTIONS))
def test_that_a_signature_gives_the_same_scores_again(peer, model, name, options):
    table = scored(against(model, *peer), f"{name}:{options[0]}")
    for signature in {score.signature for score in table.scores}:
        assert scored(against(model, *peer), signature) == table


# --- signatures, refusals ------------------------------------------------------------------------


def test_that_requests_that_are_only_written_differently_are_scored_once():
    table = scored(against(("a",), "a"), "rouge-1", "rouge-1:alpha=0.50,stem=no")
    assert len(table.scores) == 6


def test_that_tokens_of_another_version_of_the_japanese_tokeniser_are_refused():
    tokens = "tokens=ja-2-sudachi-0.6.0-core-2019"
    assert refusal(topic(), f"rouge-1:{tokens}").startswith(
        f"{tokens} is another version of the Japanese tokeniser than this one, ja-2-sudachi-"
    )


def test_that_weights_and_gaps_are_in_their_bounds():
    assert "such as w=1.2" in refusal(topic(), "rouge-w:w=0")
    assert "up to 10" in refusal(topic(), "rouge-w:w=11")
    assert "gap=-1 is not a number of words" in refusal(topic(), "rouge-s:gap=-1")
    assert "level=word is not a choice" in refusal(topic(), "rouge-l:level=word")


def test_that_text_that_would_lose_letters_is_refused_with_the_first_place_and_the_remedy():
    topics = [
        against(("a – “b”",), "a’s"),
        topic(text("y", "a"), abstracts=[abstract("naïve café")], id="u"),
    ]
    assert refusal(topics, "rouge-2") == (
        "rouge-2 with tokens=ascii, the tokeniser of ROUGE-1.5.5, would delete letters of system "
        "“y” or its references in topic “u”: ï é. Choose tokens=unicode."
    )
    japanese = refusal(against(("犬",), "猫は寝た。"), "rouge")
    assert japanese.startswith("rouge-1 with tokens=ascii")
    assert japanese.endswith(
        "“t”: 猫 は 寝 た 犬. Choose tokens=ja for words of Japanese, or tokens=chars for single "
        "characters."
    )
    assert values(topics, "rouge-2:tokens=unicode", "y", "u") == [0.0] * 3


# --- empty, undefined ----------------------------------------------------------------------------


# --- warnings, progress --------------------------------------------------------------------------


def test_that_outputs_that_answer_nothing_are_told():
    of_topic = topic(
        text("x", "a", length="short"), text("x", "a"), text("y", "a", length="long"),
        text("z", "a", length="middle"),
        abstracts=[abstract("a", length="short")],
    )  # fmt: skip
    assert warnings(of_topic, "rouge-1") == [
        "Outputs of x without length class are not scored, as there is no abstract that the "
        "system has no other output for (topics t). Add the abstract or remove the outputs.",
        *(
            f"Outputs of {system} are not scored, as no abstract has their length class “{length}” "
            "(topics t). Add the abstract or correct the length."
            for system, length in (("y", "long"), ("z", "middle"))
        ),
    ]


def test_that_words_that_run_together_are_told():
    of_topic = against(("犬が走った。",), "犬が走った。")
    assert values(of_topic, "rouge-1:tokens=unicode") == [1.0] * 3
    assert warnings(of_topic, "rouge-1:tokens=unicode")[0].endswith(
        "Choose tokens=ja for Japanese, tokens=chars for other languages."
    )
    assert warnings(of_topic, "rouge-1:tokens=chars", "rouge-1:tokens=ja") == []


@in_turn(
    ("system", "reference", "tokens"),
    [("葛\U000e0100城市", "葛城市", tokens) for tokens in ("ja", "chars", "unicode", "blanks")]
    + [("☎\ufe0f03", "☎03", tokens) for tokens in ("ja", "chars", "unicode", "blanks")],
)
def test_that_a_variation_selector_is_no_other_character(system, reference, tokens):
    table = scored(against((reference,), system), f"rouge-1:tokens={tokens}")
    assert [score.value for score in table.scores][:3] == [1, 1, 1]


def test_that_japanese_words_are_not_sought_in_chinese():
    chinese = "国务院总理今天在北京会见了来访的外国代表团并举行了会谈。"
    with pytest.raises(InputError, match="it seems to be Chinese"):
        scored(against((chinese,), chinese), "rouge-1:tokens=ja")
    short = replace(against(("中国经济增长。",), "中国经济快速增长。"), language="zh")
    with pytest.raises(InputError, match="it seems to be Chinese"):
        scored(short, "rouge-1:tokens=ja")


@in_turn(
    ("system", "recall", "precision"),
    # Lin (2004), section 4: X = ABCDEFG, Y1 and Y2, f(k) = k^2.
    [("A B C D H I K", 4 / 7, 4 / 7), ("A H B K C I D", 2 / 7, 2 / 7), ("A B C D", 4 / 7, 1)],
)
def test_that_rouge_w_of_the_paper_is_that_of_its_example(system, recall, precision):
    table = scored(against(("A B C D E F G",), system), "rouge-w:form=paper,w=2")
    r, p, f = [score.value for score in table.scores][:3]
    assert (r, p) == pytest.approx((recall, precision))
    assert f == pytest.approx(2 * r * p / (r + p))
    assert "form=paper" in table.scores[0].signature
    assert "split" not in table.scores[0].signature


def test_that_rouge_w_of_the_paper_takes_the_best_reference_and_sums_none_up():
    made = topic(text("x", "A B", references=(("A B",), ("C D",))))
    with pytest.raises(InputError, match="Choose refs=b"):
        scored(made, "rouge-w:form=paper")
    assert scored(made, "rouge-w:form=paper,refs=b").scores[0].value == pytest.approx(1)


def test_that_why_rouge_w_is_undefined_is_true_without_a_reference_and_of_an_empty_one():
    for references in ((), (("A",), ("",))):
        (score, *_) = scored(topic(text("x", "A", references=references)), "rouge-w").scores
        assert "there is no reference, or one without a token" in str(score.reason)
