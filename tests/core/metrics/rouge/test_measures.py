"""Laws of the measures, and the slow textbook versions of tests/oracles/rouge.py."""

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.laws import law
from tests.oracles import rouge as oracle

from awase.core.errors import InputError
from awase.core.metrics.kit.metric import LengthLimit
from awase.core.metrics.rouge.comparison import (
    REFERENCES,
    Counts,
    Formula,
    RougeComparison,
    scores_of,
)
from awase.core.metrics.rouge.measures import Measures, count, tallied
from awase.core.metrics.rouge.tokens import AS_IS, LostLettersWarning, Preparation
from awase.core.text.tokenisers import japanese_tokens

WORDS = st.sampled_from("a b c d the of e-f gunmen running x1".split())
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)
LONG_SENTENCES = st.lists(WORDS, min_size=60, max_size=75).map(" ".join)
SUMMARIES = st.lists(SENTENCES, max_size=4)
ALL = Measures(longest_ngram=4, lcs=True, weight=1.2, skip=True, gap=2)
N_EXAMPLES = 60


def one(peer: list[str], model: list[str], measures: Measures = ALL) -> dict[str, Counts]:
    (counted,) = count([RougeComparison(peers=[peer], models=[model])], measures)
    return counted


def triple(counts: Counts) -> tuple[float, float, float]:
    return counts.hits.item(), counts.models.item(), counts.peers.item()


@law(N_EXAMPLES, SUMMARIES, SUMMARIES)
def test_that_counts_are_the_textbooks(peer, model):
    counted = one(peer, model)
    apart = [[oracle.tokens(text) for text in summary] for summary in (peer, model)]
    p, m = ([word for sentence in summary for word in sentence] for summary in apart)
    for size in range(1, 5):
        assert triple(counted[f"ROUGE-{size}"]) == oracle.ngram_counts(p, m, size)
    assert triple(counted["ROUGE-S2"]) == oracle.skip_counts(p, m, 2, with_words=False)
    assert triple(counted["ROUGE-SU2"]) == oracle.skip_counts(p, m, 2, with_words=True)
    assert triple(counted["ROUGE-L"]) == (oracle.lcs_hits(*apart, None), len(m), len(p))
    assert counted["ROUGE-W-1.2"].hits.item() == oracle.lcs_hits(*apart, 1.2)


@law(15, st.lists(LONG_SENTENCES | SENTENCES, max_size=3), st.lists(LONG_SENTENCES, max_size=2))
def test_that_sentences_over_64_tokens_are_scored_like_short_ones(peer, model):
    counted = one(peer, model, Measures(lcs=True, weight=1.5, weight_label="1.5"))
    apart = [[oracle.tokens(text) for text in summary] for summary in (peer, model)]
    assert counted["ROUGE-L"].hits.item() == oracle.lcs_hits(*apart, None)
    assert counted["ROUGE-W-1.5"].hits.item() == oracle.lcs_hits(*apart, 1.5)


@law(
    N_EXAMPLES,
    SUMMARIES,
    SUMMARIES,
    st.floats(0, 1),
    st.sampled_from(["ROUGE-2", "ROUGE-L", "ROUGE-W-1.2"]),
)
def test_that_scores_are_made_of_rounded_recall_and_precision(peer, model, alpha, label):
    counts = one(peer, model)[label]
    (ours,) = scores_of(counts.totals(Formula.ALL), alpha, counts.root).tolist()
    assert tuple(ours) == oracle.scores(*triple(counts), alpha, counts.root)


@law(
    15,
    st.lists(
        st.tuples(st.lists(SUMMARIES, max_size=2), st.lists(SUMMARIES, min_size=1, max_size=2)),
        max_size=3,
    ),
)
def test_that_pairs_score_the_same_alone_and_side_by_side(topics):
    comparisons = [RougeComparison(peers=peers, models=models) for peers, models in topics]
    for counted, (peers, models) in zip(count(comparisons, ALL), topics, strict=True):
        for label, counts in counted.items():
            for p, peer in enumerate(peers):
                for m, model in enumerate(models):
                    alone = one(peer, model)[label]
                    assert counts.hits[p, m] == alone.hits.item()
                    assert counts.models[m] == alone.models.item()


def test_that_counts_do_not_hang_on_what_is_counted_together(monkeypatch):
    rng = np.random.default_rng(7)

    def summary() -> list[str]:
        sizes = rng.integers(0, 40, rng.integers(0, 4))
        return [" ".join(f"w{n}" for n in rng.integers(0, 30, size)) for size in sizes]

    comparisons = [
        RougeComparison(
            peers=[summary() for _ in range(n_peers)], models=[summary() for _ in range(n_models)]
        )
        for n_peers, n_models in ((2, 1), (1, 3), (0, 1), (7, 2), (2, 2))
    ]
    preparations = [Preparation(), Preparation(limit=LengthLimit(bytes=90))]
    together = [count(comparisons, ALL, preparation) for preparation in preparations]
    monkeypatch.setattr("awase.core.metrics.rouge.measures.MOST_LETTERS", 1)
    apart = [count(comparisons, ALL, preparation) for preparation in preparations]
    for counted, other in zip(together, apart, strict=True):
        assert [*map(_as_lists, counted)] == [*map(_as_lists, other)]


COMPARISONS = st.builds(
    RougeComparison,
    peers=st.lists(SUMMARIES, max_size=3),
    models=st.lists(SUMMARIES, min_size=1, max_size=4),
)


@law(
    N_EXAMPLES,
    st.lists(COMPARISONS, min_size=1, max_size=4),
    st.sampled_from([*REFERENCES.values()]),
)
def test_that_many_comparisons_score_together_as_each_does_alone(comparisons, references):
    each = count(comparisons, ALL)
    for some in tallied(comparisons, ALL):
        for label, tally in some.by_label.items():
            together = references.scores(tally, 0.3)
            alone = [references.scores(each[index][label], 0.3) for index in some.comparisons]
            assert together.tolist() == np.concatenate(alone).tolist(), label
            totals = tally.totals(references.formula)
            of_each = [each[index][label].totals(references.formula) for index in some.comparisons]
            assert totals.tolist() == np.concatenate(of_each).tolist(), label


def _as_lists(counted: dict[str, Counts]) -> dict[str, list[object]]:
    return {
        label: [c.hits.tolist(), c.models.tolist(), c.peers.tolist(), c.selection.tolist()]
        for label, c in counted.items()
    }


@in_turn("text", ["... -- !?", b"\xff\xfe \x80", ""])
def test_that_a_summary_without_tokens_scores_0(text):
    peers = [[text]] if isinstance(text, bytes) else [[text], []]
    (counted,) = count([RougeComparison(peers=peers, models=[["a b c d e"]])], ALL)
    for counts in counted.values():
        assert not counts.hits.any()
        assert not scores_of(counts.totals(Formula.ALL), root=counts.root).any()


@in_turn(
    ("broken", "model", "n_tokens"),
    [(b"caf\xc3", b"caf", 1), (b"caf\xff", b"caf", 1), (b"\x80caf", b"caf", 1),
    (b"caf\xe9 au lait", "caf\udce9 au lait", 3)],
)  # fmt: skip
def test_that_bytes_that_are_not_utf_8_part_tokens(broken, model, n_tokens):
    comparison = RougeComparison(peers=[[broken]], models=[[model]])
    (counted,) = count([comparison], Measures(longest_ngram=1))
    assert triple(counted["ROUGE-1"]) == (n_tokens,) * 3


def test_that_the_union_of_two_paths_is_the_papers_example() -> None:
    # Lin (2004), section 3.2: union LCS of w1 w2 w3 w4 w5 with two sentences is 4/5.
    counted = one(["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"], ["w1 w2 w3 w4 w5"])
    assert triple(counted["ROUGE-L"]) == (4, 5, 10)


@in_turn(
    ("candidate", "rouge_l", "rouge_2", "rouge_s"),
    [
        ("police kill the gunman", 0.75, 0.33333, 0.5),
        ("the gunman kill police", 0.5, 0.33333, 0.16667),
        ("the gunman police killed", 0.5, 0.66667, 0.33333),
    ],
)
def test_that_the_papers_gunman_scores_as_printed(
    candidate: str, rouge_l: float, rouge_2: float, rouge_s: float
) -> None:
    # Lin (2004), sections 3.1 and 5: .75, .5 and .5 by ROUGE-L; 3/6, 1/6 and 2/6 by ROUGE-S.
    counted = one(
        [candidate], ["police killed the gunman"], Measures(lcs=True, skip=True, longest_ngram=2)
    )
    recall = {label: scores_of(c.totals(Formula.ALL))[0, 0] for label, c in counted.items()}
    assert (recall["ROUGE-L"], recall["ROUGE-S*"]) == (rouge_l, rouge_s)
    assert recall["ROUGE-2"] == rouge_2


def test_that_nothing_compared_gives_nothing():
    assert count([], ALL) == []
    (counted,) = count([RougeComparison(peers=[], models=[["a"]])], ALL)
    assert {counts.hits.shape for counts in counted.values()} == {(0, 1)}


@in_turn("weight", [0.0, -1.0, float("nan")])
def test_that_a_weight_of_0_or_less_is_refused(weight):
    with pytest.raises(InputError, match="weight"):
        Measures(weight=weight)


def test_that_a_vocabulary_of_thousands_counts_as_the_textbook_does():
    model = " ".join(f"w{n % 2999}" for n in range(9000))
    peer = " ".join(f"w{n * 7 % 3001}" for n in range(6000)) + " " + model[:900]
    counted = one([peer], [model], Measures(longest_ngram=3, skip=True, gap=1))
    p, m = oracle.tokens(peer), oracle.tokens(model)
    for size in (1, 2, 3):
        assert triple(counted[f"ROUGE-{size}"]) == oracle.ngram_counts(p, m, size)
    assert triple(counted["ROUGE-SU1"])[0] > 0


def test_that_a_sentence_of_ten_thousand_tokens_is_scored():
    text = [" ".join(f"w{n * n % 97}" for n in range(10_000))]
    counts = one(text, text, Measures(lcs=True))["ROUGE-L"]
    assert triple(counts) == (10_000, 10_000, 10_000)


# --- strings -------------------------------------------------------------------------------------

SYSTEM, REFERENCE = "police kill the gunman", "police killed the gunman in town"


def test_that_a_plain_string_is_one_sentence_and_not_its_letters():
    topics = [
        RougeComparison(peers=peers, models=models)
        for peers, models in (([SYSTEM], [REFERENCE]), ([[SYSTEM]], [[REFERENCE]]))
    ]
    plain, listed = count(topics, ALL)
    for label, counts in plain.items():
        assert (counts.totals(Formula.ALL) == listed[label].totals(Formula.ALL)).all()


@pytest.mark.parametrize("side", ["peers", "models"])
def test_that_a_string_in_the_place_of_a_list_of_texts_is_refused(side):
    texts = {"peers": [SYSTEM], "models": [REFERENCE]} | {side: SYSTEM}
    with pytest.raises(TypeError, match=f"{side} is a single text"):
        RougeComparison(**texts)


def test_that_letters_that_the_tokeniser_deletes_are_warned_of():
    def f_of(peer: str | bytes, model: str, preparation: Preparation = AS_IS) -> float:
        (counted,) = count([RougeComparison(peers=[peer], models=[model])], ALL, preparation)
        ((_, _, f),) = scores_of(counted["ROUGE-1"].totals(Formula.ALL)).tolist()
        return f

    with pytest.warns(LostLettersWarning, match=r"deletes letters outside ASCII: 犬が走\. Give"):
        assert f_of("犬が走", "the dog") == 0
    with pytest.warns(LostLettersWarning, match="é"):
        f_of("café", "cafe")
    assert f_of("犬が走る。", "犬が走る", Preparation(tokeniser=japanese_tokens)) == 1
    assert f_of("the “dog”", "the dog") == 1
    assert f_of("café".encode("latin-1"), "caf") == 1
