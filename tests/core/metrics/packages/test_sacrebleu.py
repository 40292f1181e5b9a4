"""BLEU and chrF: what the package says when called by hand, the corpus level, refusals."""

import math
from importlib.metadata import PackageNotFoundError

import pytest
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from tests.core.metrics.rouge.test_rouge_family import abstract, text, topic
from tests.in_part import in_turn
from tests.laws import law

from awase.core.errors import EnvironmentProblem, InputError, Silent
from awase.core.metrics import sacrebleu
from awase.core.metrics.correlating import HumanSide, correlations
from awase.core.metrics.registry import greatest_of, requests_of, score_corpus, signature_of
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score
from awase.core.records.topic import HumanScore
from awase.core.statistics.study import StudyRequest
from awase.core.text.tokenisers import japanese_words

CAT = "The cat sat on the mat. It slept for a long time."
DOG = "A dog barked at the cat on the mat, loudly."
REFERENCES = ("The cat sat on a mat. It slept for a while.", "The cat slept on the mat for long.")
THIRD = "The dog barked loudly at a cat that sat on the mat."


def corpus() -> Corpus:
    return Corpus(
        topics=(
            topic(
                text("cat", CAT), text("dog", DOG),
                abstracts=[abstract(one, id=f"a{n}") for n, one in enumerate(REFERENCES)],
            ),
            topic(
                text("cat", "The cat."), text("dog", THIRD), abstracts=[abstract(THIRD)], id="u"
            ),
        )
    )  # fmt: skip


def scores(request: str, of: Corpus | None = None) -> dict[tuple[str | None, str], Score]:
    table = score_corpus(corpus() if of is None else of, requests_of([request]), Silent())
    return {(one.topic, one.system): one for one in table.scores}


@in_turn(
    ("request_text", "metric"),
    [
        ("bleu", BLEU(effective_order=True)),
        ("bleu:case=lc,smooth=floor", BLEU(lowercase=True, smooth_method="floor",
                                           effective_order=True)),
        ("bleu:smooth=add-k,tokens=char", BLEU(smooth_method="add-k", tokenize="char",
                                               effective_order=True)),
        ("bleu:tokens=intl,smooth=none", BLEU(tokenize="intl", smooth_method="none",
                                              effective_order=True)),
        ("chrf", CHRF()),
        ("chrf:nw=2,case=lc", CHRF(word_order=2, lowercase=True)),
        ("chrf:nc=3,beta=1,space=yes", CHRF(char_order=3, beta=1, whitespace=True)),
    ],
)  # fmt: skip
def test_that_a_topic_has_the_value_and_signature_that_the_package_gives(request_text, metric):
    found = scores(request_text)
    by_hand = metric.sentence_score(CAT, list(REFERENCES)).score
    assert found["t", "cat"].value == pytest.approx(by_hand, abs=1e-12)
    own = str(metric.get_signature())
    assert own.startswith("nrefs:2|")
    assert f"sacrebleu={own.removeprefix('nrefs:2|')},nrefs=2," in found["t", "cat"].signature
    assert metric.sentence_score(DOG, list(REFERENCES)).score == found["t", "dog"].value
    of_other = metric.sentence_score("The cat.", [THIRD]).score
    assert found["u", "cat"].value == of_other
    mean = (by_hand + of_other) / 2
    assert found[None, "cat"].value == pytest.approx(mean, abs=1e-12)
    assert "nrefs=var" in found[None, "cat"].signature


@pytest.mark.parametrize(
    ("request_text", "metric"),
    [("bleu:average=corpus", BLEU()), ("chrf:average=corpus,nw=2", CHRF(word_order=2))],
)
def test_that_a_corpus_score_is_the_packages_and_no_topic_has_one(request_text, metric):
    found = scores(request_text)
    assert {place for place, _ in found} == {None}
    streams = [[REFERENCES[0], THIRD], [REFERENCES[1], None]]
    by_hand = metric.corpus_score([CAT, "The cat."], streams).score
    one = found[None, "cat"]
    assert one.value == pytest.approx(by_hand, abs=1e-12)
    assert one.n_topics == 2
    own = str(metric.get_signature()).removeprefix("nrefs:var|")
    assert f"average=corpus,sacrebleu={own},nrefs=var" in one.signature
    of_topics = scores(request_text.replace("corpus", "plain"))[None, "cat"].value
    assert abs(one.value - of_topics) > 0.5  # it is no mean


SAID = st.lists(
    st.sampled_from(["the", "cat", "Cat", "sat,", "mat.", "(a)", "dog"]), max_size=9
).map(" ".join)
PAIRS = st.lists(st.tuples(SAID, st.lists(SAID, min_size=1, max_size=3)), min_size=1, max_size=6)


CORPUS_METRICS = [
    ("bleu:average=corpus", BLEU()),
    ("bleu:average=corpus,smooth=floor,case=lc", BLEU(smooth_method="floor", lowercase=True)),
    ("bleu:average=corpus,tokens=char,smooth=add-k", BLEU(tokenize="char", smooth_method="add-k")),
    ("chrf:average=corpus", CHRF()),
    ("chrf:average=corpus,nw=2,nc=3,beta=1", CHRF(word_order=2, char_order=3, beta=1)),
]


@pytest.mark.slow
@law(150, pairs=PAIRS, asked=st.sampled_from(CORPUS_METRICS))
def test_that_sums_over_topics_score_as_the_package_scores_whole_lists(pairs, asked):
    request_text, metric = asked
    topics = tuple(
        topic(
            text("x", said),
            abstracts=[abstract(one, id=f"a{n}") for n, one in enumerate(references)],
            id=f"t{at}",
        )
        for at, (said, references) in enumerate(pairs)
    )
    compared = [
        (said, [one for one in references if one]) for said, references in pairs if any(references)
    ]
    found = scores(request_text, Corpus(topics=topics))[None, "x"]
    assert found.n_topics == len(compared)
    if not compared:
        assert found.value is None
        return
    most = max(len(references) for _, references in compared)
    streams = [
        [references[at] if at < len(references) else None for _, references in compared]
        for at in range(most)
    ]
    assert found.value == metric.corpus_score([said for said, _ in compared], streams).score
    own = str(metric.get_signature()).partition("|")[0].replace(":", "=")
    assert f"{own}," in found.signature


@in_turn("tokens", ["13a", "char", "intl", "zh"])
def test_that_the_package_keeps_no_text_that_was_scored(tokens):
    scores(f"bleu:tokens={tokens}")
    caches = [type(BLEU(tokenize=tokens).tokenizer), TokenizerRegexp]
    assert [one.__call__.cache_info().currsize for one in caches] == [0, 0]


def test_that_corpus_scores_are_correlated_as_scores_of_whole_systems():
    wanted = {"cat": 3, "dog": 2, "bird": 1}
    topics = tuple(
        topic(*(text(name, said) for name, said in zip(wanted, (ref, ref[:-9], "No."),
                                                       strict=True)),
              abstracts=[abstract(ref)], id=ref[:7])
        for ref in (THIRD, REFERENCES[0])
    )  # fmt: skip
    human = tuple(
        HumanScore(system=name, topic=one.id, measure="worth", value=value)
        for name, value in wanted.items()
        for one in topics
    )
    whole = Corpus(topics=topics, human_scores=human)
    table = score_corpus(whole, requests_of(["bleu:average=corpus"]), Silent())
    found = correlations(whole, table, HumanSide(), StudyRequest(n_resamples=9), Silent())
    assert found.results[0].estimates[2].value == 1


def test_that_japanese_is_cut_into_words_by_our_tokeniser():
    said, reference = "猫がマットの上に座った。", "猫はマットの上に長く座った。"
    of = Corpus(topics=(topic(text("x", said), abstracts=[abstract(reference)]),))
    by_hand = BLEU(tokenize="none", effective_order=True).sentence_score(
        " ".join(japanese_words(said)), [" ".join(japanese_words(reference))]
    )
    found = scores("bleu:tokens=ja", of)["t", "x"]
    assert found.value == by_hand.score > 0
    assert "tokens=ja-2-" in found.signature
    assert scores(found.signature, of)["t", "x"] == found
    assert "|tok:none|" in found.signature
    chars = BLEU(tokenize="char", effective_order=True).sentence_score(said, [reference])
    assert scores("bleu:tokens=char", of)["t", "x"].value == chars.score
    assert scores("chrf", of)["t", "x"].value == CHRF().sentence_score(said, [reference]).score


@in_turn("request_text", [
    "bleu", "bleu:tokens=intl", "bleu:tokens=none", "bleu:tokens=zh", "chrf:nw=1",
])  # fmt: skip
def test_that_japanese_is_refused_where_a_sentence_would_be_a_word(request_text):
    parted = ("猫 が 座る",) if request_text != "bleu:tokens=none" else ()
    for said in ("猫が座った。 ", *parted):
        of = Corpus(topics=(topic(text("x", "The cat."), abstracts=[abstract(said)]),))
        with pytest.raises(InputError, match=r"system “x” or its references in topic “t”.*Choose"):
            scores(request_text, of)


def test_that_text_with_blanks_set_and_chinese_are_not_refused():
    blanks = Corpus(topics=(topic(text("x", "猫 が 座る"), abstracts=[abstract("猫 が 座る")]),))
    assert scores("bleu:tokens=none", blanks)["t", "x"].value == pytest.approx(100)
    chinese = Corpus(topics=(topic(text("x", "猫坐在垫子上"), abstracts=[abstract("猫坐在垫上")]),))
    by_hand = BLEU(tokenize="zh", effective_order=True).sentence_score(
        "猫坐在垫子上", ["猫坐在垫上"]
    )
    assert scores("bleu:tokens=zh", chinese)["t", "x"].value == by_hand.score


def test_that_tokenised_text_is_remarked_on():
    of = Corpus(topics=tuple(
        topic(text("x", "It sat ."), text("y", said), abstracts=[abstract(CAT)], id=said)
        for said in ("It sat .", "It sat.")
    ))  # fmt: skip
    table = score_corpus(of, requests_of(["bleu"]), Silent())
    assert any("Texts of x end with a blank" in str(one) for one in table.warnings)
    table = score_corpus(of, requests_of(["bleu:tokens=none", "chrf"]), Silent())
    assert table.warnings == ()


def test_that_a_signature_told_beforehand_or_stored_is_that_of_the_values_in_this_version():
    first = scores("bleu:case=lc")["t", "cat"]
    assert scores(first.signature)["t", "cat"] == first
    other = first.signature.replace("|version:", "|version:0.")
    with pytest.raises(InputError, match=r"requires what sacrebleu calls case:lc"):
        scores(other)
    for request in ("bleu:tokens=ja", "chrf:nw=02,beta=2.0"):
        (asked,) = requests_of([request])
        told = signature_of(corpus(), asked)
        made = scores(request)["t", "cat"].signature
        assert made.replace("nrefs=2,split=given,", "") == told


@in_turn(("request_text", "message"), [
    ("bleu:smooth=maybe", "smooth=maybe is not a choice"),
    ("bleu:tokens=mecab", "tokens=mecab is not a tokeniser for BLEU"),
    ("bleu:average=perl", "average=perl"),
    ("chrf:nc=0", "nc=0 is not a length"),
    ("chrf:beta=0.5", "beta=0.5 is not a weight"),
    ("chrf:beta=0", "beta=0 is not a weight"),
    ("chrf:beta=100", "beta=100 is not a weight"),
])  # fmt: skip
def test_that_what_does_not_exist_is_refused(request_text, message):
    with pytest.raises(InputError, match=message):
        scores(request_text)


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_that_a_missing_package_is_told_with_the_command_that_installs_it(monkeypatch, metric):
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(sacrebleu, "version", missing)
    with pytest.raises(EnvironmentProblem, match=r'not installed.*\[bleu\]"'):
        scores(metric)
    (asked,) = requests_of([metric])
    assert "sacrebleu=any" in signature_of(corpus(), asked)  # what is known of it


def test_that_the_scale_is_known_by_column():
    assert [*map(greatest_of, ("bleu", "chrf", "rouge-1.r", "no such"))] == [100, 100, 1, 1]
    assert math.isclose(scores("bleu")["u", "dog"].value, greatest_of("bleu"))
